import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { fixText } from "../../cli/fix/FixText.ts"
import { pullText } from "../../cli/fix/pull/PullRequest.ts"
import { plain } from "../../cli/render/Style.ts"
import { folderTransport } from "../../engine/evidence/folder/FolderTransport.ts"
import { openFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { auditAndRead, fixSite } from "../../engine/fix/Fix.ts"
import { patchFolder } from "../../engine/fix/patch/PatchFolder.ts"
import { planOf } from "../../engine/fix/plan/Plan.ts"
import { planData } from "../../engine/fix/plan/PlanData.ts"
import { planMarkdown, planPrompt } from "../../engine/fix/plan/PlanMarkdown.ts"
import { otherVersionsText } from "../../engine/fix/plan/PlanWords.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-only-pages-"))
afterAll(() => rmSync(root, { recursive: true }))

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const SITE = "https://docs.harbour.example/"

const AUDIT = { url: SITE, date: "2026-11-29", sampleSize: 40, canonicalOrigin: null, folder: true, rubric } as const

const OPTIONS = { only: new Set(["a1-llms-txt", "a4-sitemap", "b1-markdown-twins"] as const), ai: null, host: null }

const html = (file: string, links: ReadonlyArray<string> = []): string =>
  `<!doctype html><html lang="en"><head><title>About ${file} | Harbour</title></head><body><main><h1>About ${file}</h1><p>Harbour keeps what ${file} is about in a berth of its own, and answers requests for ${file} in JSON.</p>${links.map((link) => `<a href="/${link}">${link}</a>`).join(" ")}</main></body></html>`

const linkOf = (file: string): string => file.replace(/(^|\/)index\.html$/, "$1")

/** A build whose start page links to all its files, in a folder. */
const buildOf = (name: string, files: ReadonlyArray<string>, more: Readonly<Record<string, string>>): string => {
  const all = {
    ...Object.fromEntries(files.map((file) => [file, html(file)])),
    "index.html": html("index.html", [...files, ...Object.keys(more)].map(linkOf)),
    ...more
  }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true })
    writeFileSync(join(root, name, file), text)
  }
  return join(root, name)
}

/** What files list and what Markdown versions were written, as paths of HTML files. */
interface Listed {
  readonly llmsTxt: ReadonlyArray<string>
  readonly sitemap: ReadonlyArray<string>
  readonly versions: ReadonlyArray<string>
}

const fileOf = (url: string): string => {
  const path = url
    .slice(SITE.length)
    .replace(/\.md$/, "")
    .replace(/(?:^|\/)index$/, (end) => end.replace("index", ""))
  return path === "" || path.endsWith("/") ? `${path}index.html` : path.endsWith(".html") ? path : `${path}.html`
}

const listedIn = (files: ReadonlyMap<string, string>): Listed => {
  const found = (file: string, link: RegExp): ReadonlyArray<string> =>
    [...([...files].find(([path]) => path.endsWith(file))?.[1] ?? "").matchAll(link)]
      .map(([, url = ""]) => fileOf(url))
      .sort()
  return {
    llmsTxt: found("llms.txt", /^- \[.*?\]\((https:[^)]*)\)/gm).filter((file) => !file.endsWith("llms-full.txt.html")),
    sitemap: found("sitemap.xml", /<loc>([^<]*)</g),
    versions: [...files.keys()]
      .filter((file) => file.endsWith(".md"))
      .map((file) => fileOf(`${SITE}${file}`))
      .sort()
  }
}

/** `isBuild`: with the folder itself to answer; else by what its pages name alone. */
const fixed = (path: string, isBuild = true) =>
  Effect.gen(function* () {
    const folder = yield* openFolder(path)
    const transport = folderTransport(folder, SITE)
    const outcome = yield* fixSite({
      audit: AUDIT,
      options: OPTIONS,
      isLive: false,
      pages: 300,
      onlyWhole: true,
      ...(isBuild ? { build: folder } : {})
    }).pipe(Effect.provide(transport))
    return {
      outcome,
      listed: listedIn(new Map(outcome.fixes.files.map(({ text, url }) => [(url ?? "").slice(SITE.length), text])))
    }
  }).pipe(Effect.provide(ParserPool.layerInline), Effect.runPromise)

const patched = (path: string): Promise<Listed> =>
  Effect.gen(function* () {
    const folder = yield* openFolder(path)
    const { send } = yield* Effect.provide(Transport, folderTransport(folder, SITE))
    const { report, site } = yield* auditAndRead(AUDIT, send)
    const files = new Map<string, string>()
    yield* patchFolder({ folder, site, more: [], report, options: { ...OPTIONS, folder: true } }, (change) =>
      Effect.sync(() => {
        files.set(change.path, Buffer.from(change.body).toString())
        return true
      })
    )
    return listedIn(files)
  }).pipe(Effect.provide(Layer.mergeAll(ParserPool.layerInline)), Effect.runPromise)

const all = (files: ReadonlyArray<string>): Listed => {
  const pages = ["index.html", ...files].toSorted()
  return { llmsTxt: pages, sitemap: pages, versions: pages }
}

const redirectTo = (url: string): string =>
  `<!doctype html><html><head><title>Redirecting</title><meta http-equiv="refresh" content="0; url=${url}"><link rel="canonical" href="${url}"></head><body><a href="${url}">Click here if you are not redirected.</a></body></html>`

/** The menu that mdBook shows in a frame where there is no JavaScript. */
const menuOf = (pages: ReadonlyArray<string>): string =>
  `<!doctype html><html lang="en"><head><title>Contents</title><base target="_parent"></head><body class="sidebar-iframe-inner"><ol class="chapter">${pages.map((page) => `<li class="chapter-item"><a href="/${linkOf(page)}" target="_parent">About ${page}, as the menu of the frame names it</a></li>`).join("")}</ol></body></html>`

/** A page that the starter of Docusaurus has. */
const STARTER_PAGE = `<!doctype html><html lang="en"><head><title>Markdown page example | Harbour</title></head><body><main><h1>Markdown page example</h1><p>You don't need React to write simple standalone pages. This one has enough of a text to be taken for a page of the documentation, which it is not.</p></main></body></html>`

/** What each generator builds: pages of the documentation, and what is none. */
const GENERATORS: Readonly<
  Record<string, { readonly pages: ReadonlyArray<string>; readonly others: ReadonlyArray<string> }>
> = {
  Docusaurus: {
    pages: ["docs/intro/index.html", "docs/keys/index.html", "blog/index.html", "blog/first-post/index.html"],
    others: [
      "404.html",
      "search/index.html",
      "docs/tags/index.html",
      "docs/tags/keys/index.html",
      "blog/tags/index.html",
      "blog/tags/news/index.html",
      "blog/tags/news/page/2/index.html",
      "blog/authors/index.html",
      "blog/archive/index.html",
      "blog/page/2/index.html"
    ]
  },
  "MkDocs Material": {
    pages: ["install/index.html", "guide/keys/index.html", "blog/2026/11/01/first-post/index.html"],
    others: [
      "404.html",
      "search.html",
      "tags/index.html",
      "blog/archive/2026/index.html",
      "blog/category/news/index.html",
      "blog/page/2/index.html",
      "print_page/index.html"
    ]
  },
  Sphinx: {
    pages: ["install.html", "api/client.html", "glossary.html"],
    others: [
      "genindex.html",
      "genindex-A.html",
      "genindex-all.html",
      "search.html",
      "py-modindex.html",
      "js-modindex.html",
      "http-routingtable.html",
      "_modules/index.html",
      "_modules/harbour/client.html",
      "_sources/install.html"
    ]
  },
  Hugo: {
    pages: ["docs/install/index.html", "docs/keys/index.html", "posts/first/index.html"],
    others: [
      "404.html",
      "tags/index.html",
      "tags/keys/index.html",
      "categories/index.html",
      "categories/news/index.html",
      "posts/page/1/index.html",
      "posts/page/2/index.html",
      "docs/_print/index.html",
      "search/index.html"
    ]
  },
  VitePress: { pages: ["guide/install.html", "guide/keys.html", "reference/client.html"], others: ["404.html"] },
  Starlight: {
    pages: ["guides/install/index.html", "guides/keys/index.html", "reference/client/index.html"],
    others: ["404.html", "404/index.html", "de/404/index.html"]
  },
  mdBook: { pages: ["install.html", "guide/keys.html", "guide/errors.html"], others: ["404.html", "print.html"] },
  Antora: {
    pages: ["harbour/install.html", "harbour/keys.html", "harbour/errors.html"],
    others: ["404.html", "search.html", "harbour/search.html"]
  },
  Jekyll: {
    pages: ["docs/install/index.html", "docs/keys/index.html", "2026/11/01/first-post.html"],
    others: [
      "404.html",
      "search/index.html",
      "tags/index.html",
      "categories/index.html",
      "page2/index.html",
      "blog/page3/index.html"
    ]
  }
}

describe("fix writes for pages of the documentation alone", () => {
  test.each(Object.entries(GENERATORS))("in a build by %s", async (generator, { others, pages }) => {
    const path = buildOf(generator, [...pages, ...others], {
      "old.html": redirectTo("/"),
      "toc.html": menuOf(pages),
      "menu.html": menuOf(pages).replaceAll("_parent", "content"),
      "markdown-page/index.html": STARTER_PAGE
    })
    expect((await fixed(path)).listed).toEqual(all(pages))
    expect(await patched(path)).toEqual(all(pages))
  })
})

/** The documentation in two versions and a copy of the older one; the start page shows the newer. */
const CURRENT = ["2.x/index.html", "2.x/install/index.html", "2.x/keys/index.html", "2.x/errors/index.html"]
const OLD = ["install", "keys", "gone"].flatMap((page) => [`latest/${page}/index.html`, `1.x/${page}/index.html`])

describe("fix writes for the current version of a documentation alone", () => {
  const path = buildOf("versions", [...CURRENT, ...OLD], { "index.html": redirectTo("/2.x/") })
  writeFileSync(join(path, "2.x/index.html"), html("2.x/index.html", [...CURRENT, ...OLD].map(linkOf)))
  const listed: Listed = { llmsTxt: CURRENT.toSorted(), sitemap: CURRENT.toSorted(), versions: CURRENT.toSorted() }
  const others = [
    { url: `${SITE}1.x/`, pages: 3 },
    { url: `${SITE}latest/`, pages: 3 }
  ]

  test("and says in the plan which other versions are known, and what to do", async () => {
    const { listed: written, outcome } = await fixed(path)
    expect(written).toEqual(listed)
    const plan = planOf(outcome, null)
    expect(planData(plan)).toMatchObject({ other_versions: others, build: { unreached: { count: 0 } } })
    const sentence = (first: string, second: string): string =>
      `6 known pages are of other versions of this documentation, below ${first}, ${second}: nothing is written for them. Where the current pages replace them, give each a canonical URL that is its current page, mark it noindex, or remove it.`
    expect(otherVersionsText(plan)).toBe(sentence(`${SITE}1.x/`, `${SITE}latest/`))
    expect(planMarkdown(plan)).toContain(sentence(`<${SITE}1.x/>`, `<${SITE}latest/>`))
    expect(planPrompt(plan, "x")).toContain(sentence(`\`${SITE}1.x/\``, `\`${SITE}latest/\``))
    const story = {
      plan,
      files: [],
      leftOut: [],
      folder: "static",
      publishedAt: SITE,
      takesMarkdown: true,
      generator: "Hugo"
    }
    expect(pullText(story)).toContain(sentence(`<${SITE}1.x/>`, `<${SITE}latest/>`))
    const text = fixText(plan, { width: 500, style: plain, folder: "x", isWritten: true, decisions: "" })
    expect(text.replaceAll(/\s+/g, " ")).toContain(sentence(`${SITE}1.x/`, `${SITE}latest/`))
  })

  test("of a site, too, which is known by its links", async () => {
    const { listed: written, outcome } = await fixed(path, false)
    expect(written).toEqual(listed)
    expect(outcome.otherVersions).toEqual(others)
  })

  test("in a build that is patched, too", async () => {
    expect(await patched(path)).toEqual(listed)
  })

  test("and says nothing of other versions where there are none", async () => {
    const { outcome } = await fixed(buildOf("one version", ["install.html", "v2/news.html", "keys.html"], {}))
    expect(outcome.otherVersions).toEqual([])
    expect(otherVersionsText(planOf(outcome, null))).toBe("")
  })
})

describe("fix writes for the language of the start page alone", () => {
  const pages = ["install/index.html", "keys/index.html", "errors/index.html"]
  const path = buildOf("languages", [...pages, ...pages.map((page) => `de/${page}`), "ja/keys/index.html"], {})

  test("of a build, and in one that is patched", async () => {
    expect((await fixed(path)).listed).toEqual(all(pages))
    expect(await patched(path)).toEqual(all(pages))
  })
})
