import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { Transport } from "../../engine/evidence/Transport.ts"
import { auditAndRead, fixSite, overlayOf } from "../../engine/fix/Fix.ts"
import { deadLinks } from "../../engine/fix/files/Links.ts"
import { overlaid } from "../../engine/fix/overlay/OverlayTransport.ts"
import type { FixOptions } from "../../engine/fix/write/Wish.ts"
import { type Fixes, writeFixes } from "../../engine/fix/WriteFixes.ts"
import { isWritable } from "../../engine/fix/site/WritablePlugins.ts"
import { outputFiles } from "../../engine/fix/plan/OutputFiles.ts"
import { type FixPlan, planOf, planSummaryOf } from "../../engine/fix/plan/Plan.ts"
import { planMarkdown, planPrompt, questionsMarkdown } from "../../engine/fix/plan/PlanMarkdown.ts"
import { pointsLeft, scoreChange, uncheckedText } from "../../engine/fix/plan/PlanWords.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"
import { fixText } from "../../cli/fix/FixText.ts"
import { plain } from "../../cli/render/Style.ts"
import { loadRecipes, ownRecipes } from "../../engine/rubric/recipes/Recipes.ts"
import { planText } from "../../server/mcp/features/SiteText.ts"
import { markdownOf } from "./Converted.ts"

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const ORIGIN = "https://docs.example.com"

const pageOf = (title: string, links: ReadonlyArray<string> = []): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Harbour</title></head><body><main><h1>${title}</h1><p>${title}. Harbour is a small service that stores parcels and tells you where they are. You send it requests over https, and it answers in JSON.</p>` +
  `<h2 id="more">More about ${title}</h2><p>What is said here about ${title} is said nowhere else in this documentation.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></body></html>`

const html = (title: string, links?: ReadonlyArray<string>) => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: pageOf(title, links)
})

const text = (body: string, type = "text/plain") => ({ headers: { "content-type": type }, body })

const audited = (site: FakeSite) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { send } = yield* Transport
      return yield* auditAndRead(
        { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric },
        send
      )
    }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
  )

const written = async (site: FakeSite, options: Partial<FixOptions> = {}): Promise<Fixes> => {
  const { report, site: published } = await audited(site)
  return writeFixes(
    published,
    [],
    report,
    { only: null, ai: "search-only", host: "nginx", folder: false, ...options },
    markdownOf
  )
}

/** The bundled rubric with the ids of two criteria swapped, as a house rubric may name them. */
const swapped = async (one: string, other: string) => {
  const text = readFileSync(new URL("../../rubric.yaml", import.meta.url), "utf8").replaceAll(
    new RegExp(`\\b(?:${one}|${other})\\b`, "g"),
    (id) => (id === one ? other : one)
  )
  return Effect.runPromise(loadRubric(Buffer.from(text), "house.yaml", plugins))
}

const book = await Effect.runPromise(
  loadRecipes(
    readFileSync(new URL("../../recipes.yaml", import.meta.url)),
    "recipes.yaml",
    rubric.criteria.map(({ definition }) => definition.id)
  )
)

const planned = async (site: FakeSite, options: Partial<Omit<FixOptions, "folder">>): Promise<FixPlan> => {
  const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric }
  return planOf(
    await Effect.runPromise(
      fixSite({
        audit,
        options: { only: null, ai: "search-only", host: "nginx", ...options },
        isLive: true,
        pages: null
      }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
    ),
    options.host ?? null,
    book
  )
}

describe("the files of a preview", () => {
  test("have the URLs of production", async () => {
    const audit = {
      url: `${ORIGIN}/`,
      date: "2026-11-21",
      sampleSize: 20,
      canonicalOrigin: "https://docs.harbour.dev",
      rubric
    }
    const outcome = await Effect.runPromise(
      fixSite({
        audit,
        options: { only: null, ai: "search-only", host: "nginx" },
        isLive: true,
        pages: null
      }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(START, { host: ORIGIN }), ParserPool.layerInline)))
    )
    const { configuration, files, heads } = outcome.fixes
    const texts = [...files, ...heads, ...configuration].map((one) => one.text).join("\n")
    expect(texts).toContain("https://docs.harbour.dev/guide/")
    expect(texts).not.toContain(ORIGIN)
    expect(outcome.after.total_score).toBeGreaterThan(outcome.before.total_score)
  })
})

const fileOf = ({ files }: Fixes, path: string): string => files.find((file) => file.path === path)?.text ?? ""

const START = {
  "/": html("Start", ["/guide/", "/parcels/", "/errors/"]),
  "/guide/": html("Guide"),
  "/parcels/": html("Parcels"),
  "/errors/": html("Errors")
}

const urlset = (...urls: ReadonlyArray<string>) =>
  text(
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
    "application/xml"
  )

describe("a rubric that gives criteria other ids", () => {
  const site = {
    ...START,
    "/sitemap.xml": text(
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${["/", "/guide/", "/parcels/", "/errors/"].map((path) => `<url><loc>${ORIGIN}${path}</loc><lastmod>2026-11-01</lastmod></url>`).join("")}</urlset>`,
      "application/xml"
    )
  }
  const planWith = async (only: FixOptions["only"]) => {
    const audit = {
      url: `${ORIGIN}/`,
      date: "2026-11-21",
      sampleSize: 20,
      canonicalOrigin: null,
      rubric: await swapped("A1", "A4")
    }
    return planOf(
      await Effect.runPromise(
        fixSite({ audit, options: { only, ai: "search-only", host: "nginx" }, isLive: true, pages: null }).pipe(
          Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline))
        )
      ),
      "nginx"
    )
  }

  test("gets the files that its plugins miss, under its own ids", async () => {
    const plan = await planWith(null)
    expect(plan.files.find(({ path }) => path === "site/llms.txt")?.criteria).toEqual(["A4"])
    expect(plan.files.map(({ path }) => path)).not.toContain("site/sitemap.xml")
    expect(plan.gains.find(({ criterion }) => criterion === "A4")).toMatchObject({ before: 0, after: 3 })
  })

  test("tells by its own ids what --only left out", async () => {
    const plan = await planWith(new Set(["a3-robots-policy"]))
    expect(plan.files.map(({ criteria, path }) => [path, criteria])).toEqual([["site/robots.txt", ["A3"]]])
    expect(plan.todo.find(({ criterion }) => criterion === "A4")).toMatchObject({
      plugin: "a1-llms-txt",
      option: "--only"
    })
  })
})

describe("recipes", () => {
  test("are given only for the criteria that they were written for, not for others with their ids", async () => {
    expect(await Effect.runPromise(ownRecipes(rubric))).toEqual(book)
    expect(await Effect.runPromise(ownRecipes(await swapped("A1", "A4")))).toBeNull()
  })
})

describe("a page is described", () => {
  test.each([
    [
      "not by what is said of its first operation",
      "<h2>Operations</h2><p><strong>POST</strong> /errors</p><p>The error that was made is closed without a message to anyone.</p>"
    ],
    [
      "not by an item of its parameters",
      "<p>return_errors (boolean) – return errors with the parcels, which is not done by default.</p>"
    ],
    [
      "not by a sentence that needs the one before it",
      "<p>The response contains a list of errors that the warehouse has had.</p>"
    ]
  ])("%s", async (_, body) => {
    const page = (inner: string): string =>
      `<!doctype html><html lang="en"><head><title>Errors</title></head><body><main><h1>Errors</h1>${inner}</main></body></html>`
    const { files } = await written({ ...START, "/errors/": page(body) })
    const line = (files.find(({ path }) => path === "llms.txt")?.text ?? "")
      .split("\n")
      .find((one) => one.includes("/errors/"))
    expect(line).toMatch(/\]\([^)]*\)$/)
  })
})

describe("a description that a generator cut from the page", () => {
  test.each([
    [
      "Overview Errors of the warehouse are listed here, with what to",
      "Errors of the warehouse are listed here, with what to do about each."
    ],
    [
      "Errors of the warehouse are listed here, with what to do about each.",
      "Errors of the warehouse are listed here, with what to do about each."
    ]
  ])("is none unless it is whole: %s", async (description, said) => {
    const page = `<!doctype html><html lang="en"><head><title>Errors</title><meta name="description" content="${description}"></head><body><main><h1>Errors</h1><h2>Overview</h2><p>Errors of the warehouse are listed here, with what to do about each.</p></main></body></html>`
    const { files } = await written({ ...START, "/errors/": page })
    expect(files.find(({ path }) => path === "llms.txt")?.text).toContain(`: ${said}`)
  })
})

describe("robots.txt", () => {
  test("gives agents that it names every line that they followed before, not only rules", async () => {
    const robots = fileOf(
      await written({
        ...START,
        "/robots.txt": text(
          "User-agent: *\nContent-Signal: search=yes, ai-train=no\nCrawl-delay: 5\nDisallow: /private/\nHost: docs.example.com\n"
        )
      }),
      "robots.txt"
    )
    expect(robots).toMatch(
      /User-agent: Claude-User\n(?:User-agent: .*\n)*Disallow: \/private\/\nContent-Signal: search=yes, ai-train=no\ncrawl-delay: 5\n/
    )
    expect(robots).toMatch(
      /User-agent: GPTBot\n(?:User-agent: .*\n)*Disallow: \/\nContent-Signal: search=yes, ai-train=no\ncrawl-delay: 5\n/
    )
    expect(robots.match(/host:/gi)).toHaveLength(1)
  })

  test("names the index of sitemaps, not one of its children", async () => {
    const index = text(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${ORIGIN}/sitemap-1.xml</loc></sitemap></sitemapindex>`,
      "application/xml"
    )
    const robots = fileOf(
      await written({ ...START, "/sitemap.xml": index, "/sitemap-1.xml": urlset(`${ORIGIN}/`, `${ORIGIN}/guide/`) }),
      "robots.txt"
    )
    expect(robots).toContain(`\nSitemap: ${ORIGIN}/sitemap.xml\n`)
  })
})

describe("a description that a template left empty", () => {
  test.each(["None", "undefined"])("is not quoted: %s", async (description) => {
    const start = html("Start", ["/guide/", "/parcels/", "/errors/"])
    const { files } = await written({
      ...START,
      "/": {
        ...start,
        body: start.body.replace("</head>", `<meta name="description" content="${description}"></head>`)
      }
    })
    const llms = files.find(({ path }) => path === "llms.txt")?.text ?? ""
    expect(llms).toContain("Harbour is a small service that stores parcels")
    expect(llms).not.toContain(description)
  })
})

describe("an llms.txt that is too long for one more link", () => {
  test("is not written", async () => {
    const { files } = await written({
      ...START,
      "/llms.txt": text(`# Harbour\n\n> Parcels.\n\n${"A long line about parcels.\n".repeat(2_500)}`)
    })
    expect(files.map(({ path }) => path)).not.toContain("llms.txt")
  })
})

describe("an llms.txt with dead links", () => {
  const llms = (...links: ReadonlyArray<string>) =>
    text(`# Harbour\n\n> Parcels.\n\n## Docs\n\n${links.map((link) => `- [Link](${link}): one line\n`).join("")}`)

  test("leads to the pages that they misspell, which the plan says", async () => {
    const pages: FakeSite = {
      "/": html("Start", ["/my_guide", "/parcels/", "/errors/"]),
      "/my_guide": html("Guide"),
      "/parcels/": html("Parcels"),
      "/errors/": html("Errors")
    }
    const plan = await planned(
      { ...pages, "/llms.txt": llms("/my-guide#more", `${ORIGIN}/Parcels.html`, "/errors/", "/gone") },
      {}
    )
    const file = plan.files.find(({ path }) => path === "site/llms.txt")
    expect(file?.text).toBe(llms("/my_guide#more", `${ORIGIN}/parcels/`, "/errors/", "/gone").body)
    expect(file?.completes).toBe(true)
    expect(file?.remark).toBe(
      "2 dead links are corrected: they had the URLs of pages in another spelling. 1 dead link is left: no page was found for it. Remove or correct it."
    )
  })

  test("has the links corrected that the audit did not check, if some that it checked are dead", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `page_${index}`)
    const site: FakeSite = {
      "/": html(
        "Start",
        names.map((name) => `/${name}`)
      ),
      ...Object.fromEntries(names.map((name) => [`/${name}`, html(name)])),
      "/llms.txt": llms(...names.map((name) => `/${name.replace("_", "-")}`))
    }
    const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 4, canonicalOrigin: null, rubric }
    const outcome = await Effect.runPromise(
      fixSite({ audit, options: { only: null, ai: null, host: null }, isLive: true, pages: null }).pipe(
        Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline))
      )
    )
    expect(fileOf(outcome.fixes, "llms.txt")).toBe(llms(...names.map((name) => `/${name}`)).body)
    expect(planOf(outcome, null).gains.find(({ criterion }) => criterion === "A1")).toMatchObject({
      before: 0,
      after: 3
    })
  })

  test.each([429, 503, 403, 401])(
    "keeps a link that answers %i, though the site has a page of nearly that name",
    async (status) => {
      const names = Array.from({ length: 24 }, (_, index) => `page_${index}`)
      const misspelled = names.map((name) => `/${name.replace("_", "-")}`)
      const shut = misspelled.filter((_, index) => index % 3 === 1)
      const site: FakeSite = {
        "/": html(
          "Start",
          names.map((name) => `/${name}`)
        ),
        ...Object.fromEntries(names.map((name) => [`/${name}`, html(name)])),
        ...Object.fromEntries(shut.map((path) => [path, { status }])),
        "/llms.txt": llms(...misspelled)
      }
      const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 4, canonicalOrigin: null, rubric }
      const outcome = await Effect.runPromise(
        fixSite({
          audit,
          options: { only: new Set(["a1-llms-txt"]), ai: null, host: null },
          isLive: true,
          pages: null
        }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
      )
      expect(fileOf(outcome.fixes, "llms.txt")).toBe(
        llms(...misspelled.map((path, index) => (shut.includes(path) ? path : `/${names[index]}`))).body
      )
    }
  )

  test("has no further pages opened for it while no link is known to be dead", async () => {
    const topics = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    const site: FakeSite = {
      "/": html(
        "Start",
        topics.map((topic) => `/${topic}`)
      ),
      ...Object.fromEntries(topics.map((topic) => [`/${topic}`, html(topic)])),
      ...Object.fromEntries(topics.map((topic) => [`/${topic}.html`, { status: 503 }])),
      "/llms.txt": llms("/", ...topics.map((topic) => `/${topic}.html`))
    }
    const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 4, canonicalOrigin: null, rubric }
    let opened = 0
    const outcome = await Effect.runPromise(
      fixSite({
        audit,
        options: { only: null, ai: null, host: null },
        isLive: true,
        pages: null,
        beforeOpening: ({ pages }) => Effect.sync(() => void (opened = pages))
      }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
    )
    expect(outcome.before.criteria.find(({ id }) => id === "A1")?.status).toBe("inconclusive")
    expect(opened).toBe(0)
  })

  test("has as dead links those that the audit found dead, not its own URL, and none while that is not known", async () => {
    const { report } = await audited({ ...START, "/llms.txt": llms("/llms.txt", "/gone") })
    const criterion = report.criteria.find(({ id }) => id === "A1")
    if (criterion === undefined) throw new Error("the report has no A1")
    expect(deadLinks({ criteria: [criterion] })).toEqual(new Set([`${ORIGIN}/gone`]))
    expect(
      deadLinks({
        criteria: [
          { ...criterion, findings: criterion.findings?.map((finding) => ({ ...finding, good: false })) ?? [] }
        ]
      })
    ).toEqual(new Set([`${ORIGIN}/gone`]))
    expect(deadLinks({ criteria: [{ ...criterion, status: "inconclusive" }] })).toEqual(new Set())
  })

  test("lists a page whose link was corrected once, also if it gets the links that it lacks", async () => {
    const pages: FakeSite = {
      "/": html("Start", ["/my_guide", "/parcels/", "/errors/"]),
      "/my_guide": html("Guide"),
      "/parcels/": html("Parcels"),
      "/errors/": html("Errors")
    }
    const llmsTxt = fileOf(await written({ ...pages, "/llms.txt": llms("/my-guide", "/Parcels.html") }), "llms.txt")
    expect([...llmsTxt.matchAll(/\]\((.*?)\)/g)].map(([, url]) => url)).toEqual([
      "/my_guide",
      "/parcels/",
      `${ORIGIN}/`,
      `${ORIGIN}/errors/`
    ])
  })

  test("keeps a link that could mean two pages", async () => {
    const pages: FakeSite = {
      "/": html("Start", ["/my_guide", "/My-Guide", "/errors/"]),
      "/my_guide": html("Guide"),
      "/My-Guide": html("Guidance"),
      "/errors/": html("Errors")
    }
    const fixes = await written({ ...pages, "/llms.txt": llms("/my-guide", "/errors/", "/") })
    expect(fixes.files.map(({ path }) => path)).not.toContain("llms.txt")
  })

  test("gets the Markdown versions that it names, also of pages that are not in the sample", async () => {
    const topics = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    const site: FakeSite = {
      "/": html(
        "Start",
        topics.map((topic) => `/${topic}`)
      ),
      ...Object.fromEntries(topics.map((topic) => [`/${topic}`, html(topic)])),
      "/llms.txt": llms(...topics.map((topic) => `${ORIGIN}/${topic}.md`))
    }
    const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 4, canonicalOrigin: null, rubric }
    const outcome = await Effect.runPromise(
      fixSite({ audit, options: { only: null, ai: "search-only", host: "nginx" }, isLive: true, pages: null }).pipe(
        Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline))
      )
    )
    expect(outcome.fixes.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(topics.map((topic) => `${topic}.md`))
    )
    expect(planOf(outcome, "nginx").gains.find(({ criterion }) => criterion === "A1")).toMatchObject({
      before: 0,
      after: 3
    })
  })
})

describe("a site with Markdown versions of some pages", () => {
  test("keeps those of pages that are not in the sample", async () => {
    const topics = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    const site: FakeSite = {
      "/": html(
        "Start",
        topics.map((topic) => `/${topic}`)
      ),
      ...Object.fromEntries(topics.map((topic) => [`/${topic}`, html(topic)])),
      ...Object.fromEntries(
        topics
          .slice(0, 6)
          .map((topic) => [
            `/${topic}.md`,
            text(
              `# ${topic}\n\nWhat is said here about ${topic} is said nowhere else in this documentation.\n`,
              "text/markdown"
            )
          ])
      )
    }
    const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 5, canonicalOrigin: null, rubric }
    const outcome = await Effect.runPromise(
      fixSite({ audit, options: { only: null, ai: null, host: null }, isLive: true, pages: 20 }).pipe(
        Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline))
      )
    )
    expect(
      outcome.fixes.files
        .filter(({ plugins: of }) => of.includes("b1-markdown-twins"))
        .map(({ path }) => path)
        .sort()
    ).toEqual(["eta.md", "index.md", "iota.md", "kappa.md", "theta.md"])
  })
})

describe("files to publish", () => {
  test("are none for a URL of another host", async () => {
    const fixes = await written({
      ...START,
      "/robots.txt": text("User-agent: *\nAllow: /\n\nSitemap: https://www.example.com/sitemap.xml\n"),
      "https://www.example.com/sitemap.xml": urlset(`${ORIGIN}/`, `${ORIGIN}/guide/`)
    })
    expect(fixes.files.flatMap(({ url }) => (url === null || url.startsWith(`${ORIGIN}/`) ? [] : [url]))).toEqual([])
    expect(fixes.unwritten).toContainEqual({
      plugin: "a4-sitemap",
      reason: "This file is on another host than the documentation. Change it there.",
      pages: ["https://www.example.com/sitemap.xml"]
    })
  })

  test("have a path of their own each, and a URL is linked only if its file is written", async () => {
    const fixes = await written({
      "/": html("Start", ["/guide", "/guide.html", "/API", "/api", "/other/"]),
      "/guide": html("Guide"),
      "/guide.html": html("Guidance"),
      "/API": html("Interface"),
      "/api": html("Application"),
      "/other/": html("Other")
    })
    const paths = outputFiles(fixes, () => []).map(({ path }) => path.toLowerCase())
    expect(new Set(paths).size).toBe(paths.length)
    expect(fixes.heads).toHaveLength(6)
    const urls = new Set(fixes.files.map(({ url }) => url))
    const linked = [
      ...`${fileOf(fixes, "llms.txt")}${fixes.heads.map(({ text }) => text).join("")}`.matchAll(
        /https:\/\/docs\.example\.com\/[^\s)"]*\.md/g
      )
    ].map(([url]) => url)
    expect(linked.filter((url) => !urls.has(url))).toEqual([])
    expect(fixes.unwritten.filter(({ reason }) => reason.includes("file name"))).toHaveLength(1)
  })
})

describe("a sitemap of a generator that does not know the site's URL", () => {
  const pages: FakeSite = {
    "/": html("Start", ["/guide/", "/api/"]),
    "/guide/": html("Guide"),
    "/api/": html("Interface")
  }

  test("gets the pages in the place of locations that are no URL, which the plan says", async () => {
    const plan = await planned({ ...pages, "/sitemap.xml": urlset("None", "None./", "Noneguide/") }, {})
    const file = plan.files.find(({ path }) => path === "site/sitemap.xml")
    expect(file?.text).not.toContain("None")
    for (const path of Object.keys(pages)) expect(file?.text).toContain(`<loc>${ORIGIN}${path}</loc>`)
    expect(file?.remark).toBe(
      '3 entries without a URL (such as "None") are left out: your generator does not know the site\'s URL. Set it there.'
    )
    expect(planMarkdown(plan)).toContain("`site/sitemap.xml`: 3 entries without a URL")
    expect(plan.gains.find(({ criterion }) => criterion === "A4")).toMatchObject({ before: 0, after: 1 })
  })

  test("keeps the others as they are, with paths as URLs", async () => {
    const owners = `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>${ORIGIN}/</loc></url>\n  <!-- ours -->\n  <url>\n    <loc>guide/?a=1&amp;b=2</loc>\n    <priority>0.5</priority>\n  </url>\n  <url><loc>None</loc></url>\n  <url><loc>/api/</loc></url>\n</urlset>\n`
    const fixes = await written({
      ...pages,
      "/guide/?a=1&b=2": html("Guide of a"),
      "/sitemap.xml": text(owners, "application/xml")
    })
    expect(fileOf(fixes, "sitemap.xml")).toContain(
      `  <url><loc>${ORIGIN}/</loc></url>\n  <!-- ours -->\n  <url>\n    <loc>${ORIGIN}/guide/?a=1&amp;b=2</loc>\n    <priority>0.5</priority>\n  </url>\n  <url><loc>${ORIGIN}/api/</loc></url>`
    )
    expect(fixes.files.find(({ path }) => path === "sitemap.xml")?.remark).toMatch(
      /^1 entry without a URL \(such as "None"\) is left out, and 2 relative locations are made absolute: /
    )
  })
})

describe("a page below a banner that every page has", () => {
  const bannered = (title: string, links: ReadonlyArray<string> = []) => ({
    headers: { "content-type": "text/html; charset=utf-8" },
    body: pageOf(title, links)
      .replace("<main>", "<main><h1>Harbour documentation</h1>")
      .replace(` | Harbour</title>`, "</title>")
  })

  test("is named by its own heading in llms.txt and in the ways on", async () => {
    const fixes = await written({
      "/": bannered("Start", ["/guide/", "/parcels/", "/errors/"]),
      "/guide/": bannered("Guide"),
      "/parcels/": bannered("Parcels"),
      "/errors/": bannered("Errors")
    })
    for (const title of ["Guide", "Parcels", "Errors"])
      expect(fileOf(fixes, "llms.txt")).toContain(`- [${title}](${ORIGIN}/${title.toLowerCase()}/`)
    expect(fileOf(fixes, "llms.txt")).not.toContain("[Harbour documentation")
  })
})

describe("a sitemap that names another host", () => {
  test("keeps these entries, and the plan says that they stay and do nothing", async () => {
    const plan = await planned(
      {
        "/": html("Start", ["/guide/", "/api/"]),
        "/guide/": html("Guide"),
        "/api/": html("Interface"),
        "/sitemap.xml": urlset("https://example.com/", "https://example.com/guide/")
      },
      {}
    )
    const file = plan.files.find(({ path }) => path === "site/sitemap.xml")
    expect(file?.text).toContain("<loc>https://example.com/guide/</loc>")
    expect(file?.text).toContain(`<loc>${ORIGIN}/guide/</loc>`)
    expect(planMarkdown(plan)).toContain(
      "`site/sitemap.xml`: 2 entries name another host (such as example.com) and are left as they are: in this sitemap they count only if the robots.txt of that host names the sitemap."
    )
  })
})

describe("a sitemap whose locations lack the scheme", () => {
  const pages: FakeSite = {
    "/": html("Start", ["/guide/", "/api/"]),
    "/guide/": html("Guide"),
    "/api/": html("Interface")
  }

  test("gets that of the site before the site's own host, and keeps what may be another host", async () => {
    const fixes = await written({
      ...pages,
      "/sitemap.xml": urlset(
        "docs.example.com/guide/",
        "Docs.Example.com",
        "./api/",
        "api.html",
        "www.example.com/guide/"
      )
    })
    const locations = [...fileOf(fixes, "sitemap.xml").matchAll(/<loc>(.*?)<\/loc>/g)].map(([, location]) => location)
    expect(locations).toEqual([
      `${ORIGIN}/guide/`,
      `${ORIGIN}/`,
      `${ORIGIN}/api/`,
      `${ORIGIN}/api.html`,
      "www.example.com/guide/"
    ])
    expect(fixes.files.find(({ path }) => path === "sitemap.xml")?.remark).toMatch(
      /^4 relative locations are made absolute: /
    )
  })

  test("is not said to be changed where they are in a form that is kept", async () => {
    const fixes = await written({ ...pages, "/sitemap.xml": urlset(`${ORIGIN}/`, "<![CDATA[/guide/]]>", "/api/") })
    expect(fileOf(fixes, "sitemap.xml")).toContain("<loc><![CDATA[/guide/]]></loc>")
    expect(fixes.files.find(({ path }) => path === "sitemap.xml")?.remark).toMatch(
      /^1 relative location is made absolute: /
    )
  })
})

describe("the date of a page in the sitemap", () => {
  const dated = (day: string, title: string, links: ReadonlyArray<string> = []) => {
    const page = html(title, links)
    return {
      ...page,
      body: page.body.replace("</main>", `<p>Last updated: <time datetime="${day}T08:00:00Z">then</time></p></main>`)
    }
  }

  test("is the day that the page names, rather than that of its file", async () => {
    const served = dated("2026-01-03", "Guide")
    const fixes = await written({
      "/": dated("2026-01-02", "Start", ["/guide/", "/api/"]),
      "/guide/": { ...served, headers: { ...served.headers, "last-modified": "Sat, 21 Nov 2026 08:00:00 GMT" } },
      "/api/": html("Interface")
    })
    expect(fileOf(fixes, "sitemap.xml")).toContain(`<loc>${ORIGIN}/</loc><lastmod>2026-01-02</lastmod>`)
    expect(fileOf(fixes, "sitemap.xml")).toContain(`<loc>${ORIGIN}/guide/</loc><lastmod>2026-01-03</lastmod>`)
    expect(fixes.unwritten).toContainEqual({
      plugin: "a4-sitemap",
      reason:
        "A page does not say when it was changed, and the server does not either. Let your generator write `lastmod` from the date of the source.",
      pages: [`${ORIGIN}/api/`]
    })
  })

  test("is not known of pages that were not opened, which the plan says of these alone", async () => {
    const topics = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    const site: FakeSite = {
      "/": html(
        "Start",
        topics.map((topic) => `/${topic}`)
      ),
      ...Object.fromEntries(topics.map((topic) => [`/${topic}`, html(topic)]))
    }
    const sitemap = (origin: string) => ({
      "/sitemap.xml": urlset(...["/", ...topics.map((topic) => `/${topic}`)].map((path) => `${origin}${path}`))
    })
    for (const { more, sampleSize } of [
      { more: {}, sampleSize: 4 },
      { more: sitemap(""), sampleSize: 4 },
      { more: {}, sampleSize: 8 }
    ]) {
      const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize, canonicalOrigin: null, rubric }
      const {
        coverage: { unopened },
        fixes
      } = await Effect.runPromise(
        fixSite({
          audit,
          options: { only: new Set(["a4-sitemap"]), ai: null, host: null },
          isLive: true,
          pages: null
        }).pipe(
          Effect.provide(Layer.mergeAll(layerFakeSite({ ...site, ...more }, { host: ORIGIN }), ParserPool.layerInline))
        )
      )
      const opened = topics.length + 1 - unopened
      expect(fixes.unwritten.map(({ pages, reason }) => `${reason.split(".")[0]} (${pages.length})`)).toEqual([
        `${opened} pages do not say when they were changed, and the server does not either (${opened})`,
        `We did not open ${unopened === 1 ? "1 page, so we do not know when it was" : `${unopened} pages, so we do not know when they were`} changed (${unopened})`
      ])
    }
  })

  test("is not the day of the build, which all pages name", async () => {
    const fixes = await written({
      "/": dated("2026-01-02", "Start", ["/guide/", "/api/"]),
      "/guide/": dated("2026-01-02", "Guide"),
      "/api/": dated("2026-01-02", "Interface")
    })
    expect(fileOf(fixes, "sitemap.xml")).not.toContain("lastmod")
  })
})

describe("AGENTS.md", () => {
  test("is not drafted from pages: the questions that the audit raises are for a person", async () => {
    const { report, site } = await audited(START)
    const { files } = writeFixes(
      site,
      [],
      report,
      { only: null, ai: "search-only", host: "nginx", folder: false },
      markdownOf
    )
    expect(files.map(({ path }) => path)).not.toContain("AGENTS.md")
    const questions = questionsMarkdown(report) ?? ""
    expect(questions).toMatch(/^- \[ \] In which order are operations called to reach the usual goals.* \(F3/m)
    const full = report.criteria.map((criterion) => ({ ...criterion, score: criterion.max }))
    expect(questionsMarkdown({ ...report, criteria: full })).toBeNull()
  })
})

describe("an API whose description names a server for each customer", () => {
  const site = (variable: object): FakeSite => ({
    ...START,
    "/openapi.json": text(
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Harbour", version: "2.4" },
        servers: [{ url: "https://{customer}.harbour.dev/v1", variables: { customer: variable } }],
        paths: Object.fromEntries(
          ["parcels", "places", "labels"].map((name) => [
            `/${name}`,
            { get: { summary: `List ${name}`, responses: { 200: { description: "OK" } } } }
          ])
        )
      }),
      "application/json"
    )
  })

  test("is given the server of no customer, and one of a list of regions is named", async () => {
    const fixes = await written(site({ default: "acme" }))
    expect(fixes.files.filter(({ text }) => text.includes("acme")).map(({ path }) => path)).toEqual([])
    const regions = await written(site({ default: "eu", enum: ["eu", "us"] }))
    expect(fileOf(regions, ".well-known/api-catalog")).toContain("https://eu.harbour.dev/v1")
  })
})

describe("llms.txt", () => {
  const page = (title: string, paragraphs: string, links = "", head = "") => ({
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><html lang="en"><head><title>${title} | Harbour</title>${head}</head><body>${links}<main><h1>${title}</h1>${paragraphs}<p>Harbour answers in JSON, and each answer has the time at which it was made and the key that it was made for.</p></main></body></html>`
  })
  const prose = (title: string): string => `<p>${title} tells you what to send and what comes back.</p>`
  const linesIn = (file: string): ReadonlyArray<string> => file.split("\n").filter((line) => /^(?:- |## )/.test(line))

  test("has the parts and the order of the menu, what is needed first before the rest, and the blog at the end", async () => {
    const menu = `<nav class=sidebar><ul><li><a href="/">Start</a></li><li><a href="/blog/">Blog</a></li><li><span>Background</span><ul><li><a href="/z/">Ships</a></li><li><a href="/a/">Piers</a></li></ul></li><li><span>Basics</span><ul><li><a href="/quickstart/">Quickstart</a></li><li><a href="/keys/">Keys</a></li></ul></li></ul></nav>`
    const names = { "": "Start", blog: "Blog", z: "Ships", a: "Piers", quickstart: "Quickstart", keys: "Keys" }
    const site = Object.fromEntries(
      Object.entries(names).map(([path, title]) => [path === "" ? "/" : `/${path}/`, page(title, prose(title), menu)])
    )
    const line = (path: string, title: string): string =>
      `- [${title}](${ORIGIN}/${path}index.md): ${title} tells you what to send and what comes back.`
    expect(linesIn(fileOf(await written(site), "llms.txt"))).toEqual([
      "## Pages",
      line("", "Start"),
      "## Basics",
      line("quickstart/", "Quickstart"),
      line("keys/", "Keys"),
      "## Background",
      line("z/", "Ships"),
      line("a/", "Piers"),
      "## About the project",
      line("blog/", "Blog")
    ])
  })

  test("tells pages of one title apart by their folders, and keeps the # of a title", async () => {
    const paths = ["/orders/methods/", "/refunds/methods/", "/c/"]
    const file = fileOf(
      await written({
        "/": html("Start", paths),
        "/orders/methods/": page("Methods", prose("Orders")),
        "/refunds/methods/": page("Methods", prose("Refunds")),
        "/c/": page("C#", prose("C#"))
      }),
      "llms.txt"
    )
    for (const title of ["[Methods: Orders]", "[Methods: Refunds]", "[C#]"]) expect(file).toContain(title)
  })

  test("names the folders of pages of one title as their own pages do", async () => {
    const paths = ["/rest-api.html", "/rest-api/keys/", "/rest-api/intro/", "/graphql/keys/"]
    const file = fileOf(
      await written({
        "/": html("Start", paths),
        "/rest-api.html": page("REST API", prose("REST")),
        "/rest-api/keys/": page("Get keys", prose("Keys")),
        "/rest-api/intro/": page("REST API", prose("Intro")),
        "/graphql/keys/": page("Get keys", prose("The same"))
      }),
      "llms.txt"
    )
    for (const title of ["[Get keys: REST API]", "[Get keys: Graphql]"]) expect(file).toContain(title)
  })

  test("keeps the reference of an API that has customers among the rest", async () => {
    const names = {
      "api/customers/get": "Get customer",
      "api/customers/list": "List customers",
      "customers/acme": "Acme"
    }
    const menu = Object.keys(names).map((path) => `/${path}/`)
    const site = Object.fromEntries([
      ["/", html("Start", menu)],
      ...Object.entries(names).map(([path, title]) => [`/${path}/`, page(title, prose(title))])
    ])
    const [reference = "", aside = ""] = fileOf(await written(site), "llms.txt").split("## About the project")
    expect(reference).toMatch(/\[Get customer\][^]*\[List customers\]/)
    expect(aside).toContain("[Acme]")
  })

  test("keeps pages about other products that this one is used with among the rest", async () => {
    const site = {
      ...START,
      "/": html("Start", ["/third-party-packages/", "/guide/", "/blog/"]),
      "/third-party-packages/": html("Packages"),
      "/blog/": html("Blog")
    }
    expect(fileOf(await written(site), "llms.txt")).toMatch(/\[Packages\][^]*## About the project[^]*\[Blog\]/)
  })

  test("is called by the product's name, not by the greeting of a start page of Sphinx", async () => {
    const start = {
      ...html("Start"),
      body: pageOf("Welcome to Swift’s documentation!", ["/guide/", "/parcels/", "/errors/"]).replaceAll(
        " | Harbour",
        ""
      )
    }
    const others = Object.fromEntries(
      Object.entries(START).map(([path, { body, headers }]) => [
        path,
        { headers, body: body.replaceAll(" | Harbour", "") }
      ])
    )
    expect(fileOf(await written({ ...others, "/": start }), "llms.txt")).toMatch(
      /^# Swift documentation\n[^]*\n- \[Swift documentation\]/
    )
  })

  test("says of the whole what its start page says after a greeting, and no greeting that says nothing", async () => {
    const summary = async (greeting: string): Promise<string | undefined> => {
      const links = `<a href="/guide/">Guide</a> <a href="/parcels/">Parcels</a> <a href="/errors/">Errors</a>`
      const site = { ...START, "/": page("Harbour", `<p>${greeting}</p>${links}`) }
      return /^> .*$/m.exec(fileOf(await written(site), "llms.txt"))?.[0]
    }
    expect(
      await summary("Welcome to the documentation repository for Harbour, a service that keeps parcels by the berth.")
    ).toBe("> Harbour, a service that keeps parcels by the berth.")
    expect(await summary("Welcome to the documentation of Harbour and of all that belongs to it.")).toMatch(
      /^> Harbour answers in JSON/
    )
  })

  test.each([
    [
      "a note",
      "<div class='admonition warning'><p class=admonition-title>Warning</p><p>Keys are for tests only.</p></div>"
    ],
    ["a question", "<p>Do you have keys already?</p>"],
    ["a greeting", "<p>Welcome to the keys of Harbour.</p>"],
    ["an item", "<ul><li>On the client via keys in a header.</li></ul>"],
    ["an opinion", "<p>Who knows. I did not do a lot of research on keys.</p>"],
    ["what follows from a sentence before it", "<p>This means that keys of one harbour open no drawer of another.</p>"],
    ["what limits a sentence before it", "<p>That said, these keys are not sponsored by the harbour.</p>"],
    ["what a sentence before it brings about", "<p>This ensures that keys are shown by their names.</p>"],
    ["more about the subject of a sentence before it", "<p>They are keys of one harbour, and open its drawers.</p>"],
    ["what a sentence before it is called", "<p>This is called a key. In other words, keys open drawers.</p>"],
    ["a sentence far below", `${"<p>Ships come and go all day.</p>".repeat(4)}<p>Keys are of brass.</p>`],
    ["the end of a sentence around an example", "<p>where true is said of keys that open all drawers.</p>"],
    ["the way to another page", "<p>See the documentation of keys for more about them.</p>"],
    ["a sentence without the page as its subject", "<p>Now and then a ship arrives late.</p>"]
  ])("describes no page by %s", async (_, opening) => {
    const file = fileOf(
      await written({
        ...START,
        "/": html("Start", ["/keys/", "/parcels/", "/errors/"]),
        "/keys/": page("Keys", opening)
      }),
      "llms.txt"
    )
    expect(linesIn(file).find((line) => line.startsWith("- [Keys]"))).toBe(`- [Keys](${ORIGIN}/keys/)`)
  })

  test("describes a page by its own description, and none by a starter's or one that pages share", async () => {
    const described = (text: string): string => `<meta name="description" content="${text}">`
    const file = fileOf(
      await written({
        "/": page(
          "Start",
          prose("Start"),
          '<a href="/keys/"></a><a href="/parcels/"></a><a href="/errors/"></a><a href="/limits/"></a>',
          described("Description will go into a meta tag in &lt;head /&gt;")
        ),
        "/keys/": page("Keys", "", "", described("How to get a key.")),
        "/parcels/": page("Parcels", "", "", described("All about Harbour.")),
        "/errors/": page("Errors", "", "", described("All about Harbour.")),
        "/limits/": page("Limits", "")
      }),
      "llms.txt"
    )
    expect(file).toContain(`\n- [Keys](${ORIGIN}/keys/index.md): How to get a key.\n`)
    expect(file).not.toMatch(/All about Harbour|Description will go/)
  })

  const described = (text: string): string => `<meta name="description" content="${text}">`
  const keysLine = async (paragraphs: string, head = "", title = "Keys"): Promise<string | undefined> => {
    const file = fileOf(
      await written({
        ...START,
        "/": html("Start", ["/keys/", "/parcels/", "/errors/"]),
        "/keys/": page(title, paragraphs, "", head)
      }),
      "llms.txt"
    )
    return linesIn(file).find((line) => line.includes("/keys/"))
  }

  test.each(["Key commands", "Keys", "Keys | Harbour"])(
    "describes no page by what is only a name: %s",
    async (description) => {
      expect(
        await keysLine("<h2>Key commands</h2><p>Keys open the drawers of one harbour.</p>", described(description))
      ).toBe(`- [Keys](${ORIGIN}/keys/): Keys open the drawers of one harbour.`)
    }
  )

  test("describes a page by the first sentences of a description that is long, and by a long sentence to its end", async () => {
    const long = `Keys open drawers of ${"one harbour and of another and ".repeat(6)}of the last.`
    expect(long.length).toBeGreaterThan(200)
    expect(await keysLine("", described(`${long} ${"More is said here. ".repeat(20)}`))).toBe(
      `- [Keys](${ORIGIN}/keys/): ${long}`
    )
  })

  test("leaves a page of cards without the sentence that is another page's own description, and takes none that sends its reader on", async () => {
    const file = fileOf(
      await written({
        ...START,
        "/": html("Start", ["/keys/", "/parcels/", "/errors/"]),
        "/keys/": page("Keys", '<a href="/errors/"><h2>Create a key</h2><p>Makes a new key for a drawer.</p></a>'),
        "/errors/": page("Create a key", "", "", described("Makes a new key for a drawer.")),
        "/parcels/": page("Parcels", "<p>See Keys and Errors for details of parcels.</p><p>Parcels wait here.</p>")
      }),
      "llms.txt"
    )
    expect(linesIn(file)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^- \[Keys\]\([^)]*\)$/),
        expect.stringMatching(/^- \[Create a key\]\([^)]*\): Makes a new key for a drawer\.$/),
        expect.stringMatching(/^- \[Parcels\]\([^)]*\)(?!: See)/)
      ])
    )
  })

  test("describes a page by a sentence before one that leads to an example, and by the short name in its title", async () => {
    expect(
      await keysLine("<p>A CAS server knows who you are. Ask it so:</p><pre><code>ask</code></pre>", "", "CAS")
    ).toBe(`- [CAS](${ORIGIN}/keys/): A CAS server knows who you are.`)
  })

  test("sums a site up by a sentence of its start page, not by its name", async () => {
    const site = {
      ...START,
      "/": page(
        "Start",
        "<p>Harbour stores parcels and tells where they are.</p>",
        '<a href="/guide/"></a><a href="/parcels/"></a><a href="/errors/"></a>',
        described("Harbour")
      )
    }
    expect(fileOf(await written(site), "llms.txt")).toContain(
      "# Harbour\n\n> Harbour stores parcels and tells where they are.\n"
    )
  })

  test("of more than 150 pages names a file for each part", async () => {
    const part = (name: string): ReadonlyArray<string> =>
      Array.from({ length: 90 }, (_, index) => `/${name}/page-${index}/`)
    const parts = ["guides", "reference"].map(part)
    const start = page(
      "Start",
      prose("Start"),
      `<nav>${parts
        .flat()
        .map((path) => `<a href="${path}">${path.replaceAll("/", " ")}</a>`)
        .join("")}</nav>`
    )
    const fixes = await written({
      "/": start,
      ...Object.fromEntries(parts.flat().map((path) => [path, page(path, prose(path))]))
    })
    expect(linesIn(fileOf(fixes, "llms.txt"))).toEqual([
      "## Pages",
      expect.stringMatching(/^- \[Start\]/),
      "## Sections",
      `- [Guides](${ORIGIN}/guides/llms.txt): 90 pages`,
      `- [Reference](${ORIGIN}/reference/llms.txt): 90 pages`
    ])
    expect(linesIn(fileOf(fixes, "guides/llms.txt"))).toHaveLength(91)
  })

  test("longer than an agent reads at once names files for its largest parts, as many as that takes", async () => {
    const part = (name: string, count: number): ReadonlyArray<string> =>
      Array.from({ length: count }, (_, index) => `/${name}/page-of-some-words-${index}/`)
    const parts = [part("guides", 120), part("reference", 20)]
    const links = parts
      .flat()
      .map((path) => `<a href="${path}">${path.replaceAll("/", " ")} ${"of parcels ".repeat(11)}</a>`)
    const fixes = await written({
      "/": page("Start", prose("Start"), `<nav>${links.join("")}</nav>`),
      ...Object.fromEntries(parts.flat().map((path) => [path, page(path, prose(path))]))
    })
    const lines = linesIn(fileOf(fixes, "llms.txt"))
    expect(lines.slice(2, 5)).toEqual([
      "## Sections",
      `- [Guides](${ORIGIN}/guides/llms.txt): 120 pages`,
      "## Reference"
    ])
    expect(lines).toHaveLength(25)
    expect(linesIn(fileOf(fixes, "guides/llms.txt"))).toHaveLength(121)
  })

  test("of a documentation on one page names its headings, but not its title again nor dates of its changelog", async () => {
    const headings = ["Start", "Keys", "Changes", "2026-05-03", "2026.04", "Errors"]
    const file = fileOf(
      await written({
        "/": page(
          "Start",
          headings.map((title, index) => `<h2 id="part-${index}">${title}</h2>${prose(title)}`).join("")
        )
      }),
      "llms.txt"
    )
    for (const title of ["[Keys]", "[Changes]", "[Errors]"]) expect(file).toContain(title)
    expect(file).not.toMatch(/\[2026/)
    expect(file.match(/\[Start\]/g)).toHaveLength(1)
  })

  test("whose links are dead gets the pages that it lacks, and says so; its generator's option is named", async () => {
    const links = ["one", "two", "three", "four"].map((name) => `- [${name}](${ORIGIN}/old/${name}.md)\n`).join("")
    const fixes = await written({
      ...START,
      "/llms.txt": text(
        `# Harbour\n\nThis file contains links to documentation sections following the llmstxt.org standard.\n\n## Docs\n\n${links}`
      )
    })
    const file = fixes.files.find(({ path }) => path === "llms.txt")
    for (const path of ["guide/", "parcels/", "errors/"]) expect(file?.text).toContain(`](${ORIGIN}/${path}`)
    expect(file?.remark).toBe(
      "4 dead links are left: no pages were found for them. Remove or correct them. What the file lacks is added at its end."
    )
    expect(fixes.unwritten.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining("preserveDirectoryStructure to false")
    )
  })
})

test("llms-full.txt says on its first lines how many of how many pages it holds", async () => {
  const file = fileOf(
    await written({ ...START, "/": html("Start", ["/guide/", "/parcels/", "/errors/", "/gone/"]) }),
    "llms-full.txt"
  )
  expect(file.split("\n").slice(0, 3)).toEqual(["# Harbour", "", "> The text of all 4 known pages."])
})

describe("a page that shows an API description by JavaScript alone", () => {
  const shell = (element: string) => ({
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><html lang="en"><head><title>Harbour API</title></head><body>${element}<script src="https://cdn.example.com/viewer.js"></script></body></html>`
  })
  const described = (description: string) =>
    text(
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Harbour", version: "2.4", description },
        servers: [{ url: "https://api.harbour.example" }],
        components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
        security: [{ key: [] }],
        paths: Object.fromEntries(
          ["parcels", "places", "labels"].map((name) => [
            `/${name}`,
            { get: { summary: `List ${name} [of](x) a project`, responses: { 200: { description: "OK" } } } }
          ])
        )
      }),
      "application/json"
    )

  test("gets what the description says as its Markdown version", async () => {
    const markdown = fileOf(
      await written({
        "/": shell("<redoc spec-url='/openapi.json'></redoc>"),
        "/openapi.json": described("Parcels on their **way**.")
      }),
      "index.md"
    )
    expect(markdown).toContain(
      "# Harbour API\n\nHarbour 2.4. What is below comes from the [openapi 3.1.0](https://docs.example.com/openapi.json) description"
    )
    expect(markdown).toContain(
      "Parcels on their **way**.\n\n## Servers\n\n- https://api.harbour.example\n\n## Authentication\n\n- key: http bearer\n\n## Operations\n\n- GET /parcels: List parcels \\[of\\](x) a project\n"
    )
  })

  test.each(["```\nno end", "<!-- no end", "~~~~"])(
    "gets it without a text that would swallow the rest (%j)",
    async (about) => {
      const markdown = fileOf(
        await written({ "/": shell("<redoc spec-url='/openapi.json'></redoc>"), "/openapi.json": described(about) }),
        "index.md"
      )
      expect(markdown).not.toContain(about)
      expect(markdown).toContain("## Operations")
    }
  )

  test("gets an llms.txt with its description and full text, though it is one page", async () => {
    const long = described(
      "A parcel is where it was scanned last, and a scan names the harbour, the pier and the hour. ".repeat(20)
    )
    const fixes = await written({ "/": shell("<redoc spec-url='/openapi.json'></redoc>"), "/openapi.json": long })
    expect(fileOf(fixes, "llms.txt")).toContain(`${ORIGIN}/openapi.json)\n`)
    expect(fileOf(fixes, "llms.txt")).toContain(`## Full text\n\n- [All pages in one file](${ORIGIN}/llms-full.txt)\n`)
    expect(fixes.files.map(({ path }) => path)).toContain("llms-full.txt")
    expect(fixes.unwritten.filter(({ plugin }) => plugin === "a1-llms-txt")).toEqual([])
  })

  test.each([
    ["on another site", "<redoc spec-url='https://raw.example.net/harbour/openapi.json'></redoc>"],
    [
      "part of a page or script",
      '<script>Redoc.init({"openapi":"3.1.0","info":{"title":"Harbour","version":"1"},"paths":{"/parcels":{"get":{"responses":{"200":{"description":"OK"}}}}}})</script>'
    ]
  ])("gets no catalog of one that is %s, and why", async (where, element) => {
    const { unwritten } = await written({ "/": shell(element) })
    expect(unwritten.find(({ plugin }) => plugin === "f2-catalogue-and-auth")?.reason).toContain(
      `The API description is ${where}. Publish it`
    )
  })

  test("gets none if it shows another description than the site's", async () => {
    const fixes = await written({
      "/": shell("<redoc spec-url='https://elsewhere.example/openapi.json'></redoc>"),
      "/openapi.json": described("Parcels.")
    })
    expect(fixes.files.map(({ path }) => path)).not.toContain("index.md")
    expect(fixes.unwritten.map(({ reason }) => reason)).toContain(
      "The main part of a page has no text in its HTML, so there is nothing to write Markdown from. If JavaScript adds the text, render the page in your build or publish its source as Markdown; if it is not a page for readers, take it out of the sitemap."
    )
  })
})

describe("a site of more pages than the sample", () => {
  // llms.txt and sitemap.xml change which pages are sampled, and each choice could bring others.
  test("keeps the files whose gain was measured, though the sample changes with them", async () => {
    const topics = [
      "alpha",
      "beta",
      "gamma",
      "delta",
      "epsilon",
      "zeta",
      "eta",
      "theta",
      "iota",
      "kappa",
      "lambda",
      "my"
    ]
    const links = topics.map((topic) => `/${topic}/`)
    const site: FakeSite = {
      "/": html("Start", links),
      ...Object.fromEntries(
        topics.map((topic, index) => [`/${topic}/`, html(topic, links.slice(index + 1, index + 3))])
      )
    }
    const audit = { url: `${ORIGIN}/`, date: "2026-11-21", sampleSize: 3, canonicalOrigin: null, rubric }
    const { again, outcome } = await Effect.runPromise(
      Effect.gen(function* () {
        const { send } = yield* Transport
        const outcome = yield* fixSite({
          audit,
          options: { only: null, ai: "search-only", host: "nginx" },
          isLive: true,
          pages: null
        })
        return { outcome, again: yield* auditAndRead(audit, overlaid(send, overlayOf(outcome.site, outcome.fixes))) }
      }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
    )
    expect(outcome.after).toEqual(again.report)
    expect(outcome.after.total_score).toBeGreaterThan(outcome.before.total_score)
    const versions = outcome.fixes.files
      .filter(({ plugins: of }) => of.includes("b1-markdown-twins"))
      .map(({ url }) => url)
    const sampled = outcome.site.sample.pages.map(({ url }) => `${url}index.md`)
    expect(versions).toEqual(expect.arrayContaining(sampled))
  })
})

describe("a plan", () => {
  test("names the recipe of the host only if there are rules for it, and says that it was not tried", async () => {
    const shell = {
      headers: { "content-type": "text/html" },
      body: "<!doctype html><title>Harbour</title><main></main><script>draw()</script>"
    }
    expect((await planned({ "/": shell }, { host: "nginx" })).recipes).toEqual([])
    const plan = await planned(START, { host: "nginx" })
    expect(plan.recipes).toMatchObject([{ generator: "nginx", do: expect.stringContaining("not tried") }])
    expect(planMarkdown(plan)).not.toContain("Try these first")
  })

  test("says why a page gets no Markdown version, where the others are enough for full points", async () => {
    const names = Array.from({ length: 18 }, (_, index) => `pier-${index}`)
    const site = Object.fromEntries([
      ["/", html("Start", ["/copy/", ...names.map((name) => `/${name}/`)])],
      ...names.map((name) => [`/${name}/`, html(name)]),
      ["/copy/", html("pier-3")]
    ])
    const plan = await planned(site, {})
    expect(plan.todo.filter(({ criterion }) => criterion === "B1")).toEqual([])
    const reason = "A page has the same text as another page, so its Markdown version would be that of the other."
    const words = fixText(plan, { width: 1_000, style: plain, folder: "x", isWritten: true, decisions: "" })
    for (const text of [planMarkdown(plan), planMarkdown(planSummaryOf(plan)), words.replaceAll(/\s+/g, " ")])
      expect(text).toContain(reason)
    expect(words).toMatch(/\(https:\/\/[^)]*\/(?:copy|pier-3)\/\)/)
  })

  test("tells to try first what the tools write, and not the host's rules, which are among the files", async () => {
    const plan = await planned(START, { host: "nginx" })
    const withTool = {
      ...plan,
      recipes: [
        ...plan.recipes,
        { generator: "VitePress", do: "Add a plugin.", url: "https://vitepress.dev/", criteria: ["A1"] }
      ]
    }
    const words = fixText(withTool, { width: 1_000, style: plain, folder: "x", isWritten: true, decisions: "" })
    for (const text of [planMarkdown(withTool), words])
      expect(text).toMatch(/Try these first[^]*Add a plugin\.[^]*The rules of nginx are among the files:[^]*not tried/)
  })

  test("advises nothing for a robots.txt that another repository publishes, but to ask its owner", async () => {
    const host = "https://harbour.github.io"
    const site = Object.fromEntries(
      Object.entries(START).map(([path, { body, headers }]) => [
        `/docs${path}`,
        { headers, body: body.replaceAll('href="/', 'href="/docs/') }
      ])
    )
    const plan = planOf(
      await Effect.runPromise(
        fixSite({
          audit: { url: `${host}/docs/`, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric },
          options: { only: null, ai: "search-only", host: null },
          isLive: true,
          pages: null
        }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host }), ParserPool.layerInline)))
      ),
      null
    )
    expect(plan.todo.find(({ criterion }) => criterion === "A3")).toMatchObject({
      reasons: [expect.stringContaining("Ask its owner")],
      steps: []
    })
  })

  test("repeats the owner's decisions in the command that writes into a build", async () => {
    const text = fixText(await planned(START, {}), {
      width: 1_000,
      style: plain,
      folder: "out",
      isWritten: true,
      decisions: " --ai search-only --host nginx"
    }).replaceAll(/\s+/g, " ")
    expect(text).toContain(`docgauge fix ./build --as ${ORIGIN}/ --patch ./build --ai search-only --host nginx`)
  })

  test("tells points that another option closes from those that need writing", async () => {
    const plan = await planned(
      { ...START, "/robots.txt": text("User-agent: *\nAllow: /\n") },
      {
        only: new Set(["a1-llms-txt", "a3-robots-policy", "b1-markdown-twins", "b2-markdown-negotiation"]),
        ai: null,
        host: null
      }
    )
    const options = Object.fromEntries(plan.todo.map(({ criterion, option }) => [criterion, option]))
    expect(options).toMatchObject({ A2: "--only", A3: "--ai", B2: "--host" })
    const written = plan.todo.filter(({ option }) => option === null).reduce((sum, { points }) => sum + points, 0)
    expect(pointsLeft(plan)).toContain(` ${written} more points need writing. Files may gain up to `)
  })

  test("names what the second audit gives fewer points beside what is gained, not among it", async () => {
    const plan = await planned(START, {})
    const fallen: FixPlan = {
      ...plan,
      gains: [...plan.gains, { criterion: "D2", title: "A fallen one", before: 1, after: 0, max: 1 }]
    }
    const text = fixText(fallen, { width: 100, style: plain, folder: "out", isWritten: true, decisions: "" })
    for (const shown of [text.replaceAll(/\s+/g, " "), planMarkdown(fallen)]) {
      expect(shown).toContain("The second audit gives fewer points for D2 (1 → 0 of 1): with llms.txt")
      expect(shown).not.toContain("A fallen one")
    }
    expect(planMarkdown(plan)).not.toContain("fewer points")
  })

  test("counts one file, one point and one page in the singular", async () => {
    const plan = await planned(START, {})
    const [file] = plan.files
    const [todo] = plan.todo
    if (file === undefined || todo === undefined) throw new Error("the plan has neither a file nor a todo")
    const single: FixPlan = {
      ...plan,
      files: [file],
      todo: [{ ...todo, points: 1, option: null, pages: [`${ORIGIN}/one`] }],
      pages: { withFiles: 1, known: 4, unopened: 1, limited: 0, all: null, section: null }
    }
    const text = fixText(single, {
      width: 100,
      style: plain,
      folder: "out",
      isWritten: true,
      decisions: ""
    }).replaceAll(/\s+/g, " ")
    expect(text).toContain(
      `${plan.score} of 100 for 1 of 4 pages if you ${file.path.startsWith("site/") ? "publish this file" : "add this snippet to the head of its page"}. 1 more point needs writing.`
    )
    expect(text).toContain("1 of 4 known pages was not opened, so no file is written for it.")
    expect(planMarkdown(single)).toContain("1 more point needs writing.")
    expect(planPrompt(single, "out")).toContain("docgauge can write 1 file to out")
    for (const shown of [text, planMarkdown(single), planPrompt(single, "out")])
      expect(shown).not.toMatch(/\b1 (?:more )?(?:files|points|pages|snippets)\b/)
    const one = await planned(
      {
        "/": html("Start", ["/guide/", "/parcels/", "/errors/", "/app/"]),
        "/guide/": html("Guide"),
        "/parcels/": html("Parcels"),
        "/errors/": html("Errors"),
        "/app/": {
          headers: { "content-type": "text/html" },
          body: "<!doctype html><html lang=en><title>App</title><body><div id=root></div><script src=/app.js></script></body></html>"
        }
      },
      {}
    )
    expect(one.todo.flatMap(({ reasons }) => reasons)).toContain(
      "The main part of a page has no text in its HTML, so there is nothing to write Markdown from. If JavaScript adds the text, render the page in your build or publish its source as Markdown; if it is not a page for readers, take it out of the sitemap."
    )
  })

  test("gives a reason for each criterion of the file table that no file brings to full points", async () => {
    const { after, todo } = await planned(
      {
        "/": html("Start", ["/guide/"]),
        "/guide/": {
          headers: { "content-type": "text/html" },
          body: "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>"
        },
        "/llms.txt": text("# Harbour\n\n## Pages\n\n- [Gone](/gone)\n- [Gone, too](/gone-too)\n- [Guide](/guide/)\n")
      },
      {}
    )
    const short = after.criteria.filter(
      ({ applicable, max, measured, score, status }) =>
        score < max && status !== "inconclusive" && applicable !== false && isWritable(measured.plugin)
    )
    expect(short.length).toBeGreaterThan(3)
    expect(
      short
        .filter(
          ({ id }) =>
            !todo.some(
              ({ criterion, found, includes, reasons }) =>
                (criterion === id || includes.includes(id)) && (reasons.length > 0 || found !== null)
            )
        )
        .map(({ id }) => id)
    ).toEqual([])
  })

  test("claims no gain of host rules that a folder cannot measure", async () => {
    const plan = await planned(START, { host: "nginx" })
    const file = plan.files.find(({ path }) => path.startsWith("host/"))
    if (file === undefined || plan.host === null) throw new Error("there are no host rules")
    expect(plan.host.isMeasured).toBe(true)
    const unmeasured = {
      ...plan,
      files: [file],
      pages: { ...plan.pages, withFiles: 0 },
      score: plan.before.total_score,
      host: { ...plan.host, isMeasured: false }
    }
    const text = fixText(unmeasured, {
      width: 1_000,
      style: plain,
      folder: "out",
      isWritten: true,
      decisions: ""
    }).replaceAll(/\s+/g, " ")
    expect(text).toContain(
      `${plan.before.total_score} of 100 in the folder. Next, configure your host with this file. What the host's rules add to B2 cannot be measured in a folder: publish it, then audit its URL.`
    )
    for (const shown of [text, planMarkdown(unmeasured), planPrompt(unmeasured, "out")]) {
      expect(shown).not.toMatch(/\d → \d+ of 100/)
      expect(shown).toContain("cannot be measured in a folder")
    }
    expect(planMarkdown({ ...unmeasured, score: plan.score })).toContain(
      `${scoreChange(plan)} of 100 if you configure your host with this file. What the host's rules add to B2`
    )
  })

  test("blames an archive for what could not be judged again only if there is one", async () => {
    const plan = await planned(START, {})
    expect(uncheckedText({ ...plan, unchecked: ["A1"], atLeast: false })).not.toContain("archive")
    expect(uncheckedText({ ...plan, unchecked: ["A1"], atLeast: true })).toContain("archive")
  })

  test("advises a longer --timeout for what could not be judged again only if the site itself was audited", async () => {
    const plan = await planned(START, {})
    expect(uncheckedText({ ...plan, unchecked: ["A1"] })).toContain("longer --timeout")
    expect(uncheckedText({ ...plan, unchecked: ["A1"], live: false })).toContain(
      "Run docgauge fix with the URL of the published site"
    )
    expect(uncheckedText({ ...plan, unchecked: ["A1"], live: false })).not.toContain("--timeout")
  })

  test("names what could not be checked, so that nothing was written for it", async () => {
    const plan = await planned({ ...START, "/llms.txt": { status: 503 } }, {})
    expect(plan.files.map(({ path }) => path)).not.toContain("site/llms.txt")
    expect(plan.unjudged).toContain("A1")
    expect(plan.before.criteria.find(({ id }) => id === "A1")?.status).toBe("inconclusive")
    const sentence =
      "could not be checked, so nothing is written for them. Their summaries in the report say why. Run the command again later."
    for (const text of [uncheckedText(plan), planMarkdown(plan)]) expect(text).toContain(sentence)
    expect(uncheckedText({ ...plan, live: false, unjudged: ["A1"] })).toContain(
      "A1 could not be checked, so nothing is written for it. Its summary in the report says why. Run docgauge fix with the URL of the published site to check and write everything."
    )
    expect(
      (await planned({ ...START, "/llms.txt": { status: 503 } }, { only: new Set(["a2-full-text"]) })).unjudged
    ).not.toContain("A1")
  })

  test("says in Markdown, in the prompt and to MCP that it begins with another score than the report has", async () => {
    const plan = await planned(START, {})
    const forms = (one: FixPlan): ReadonlyArray<string> => [
      planMarkdown(one),
      planPrompt(one, "out"),
      planText({ plan: planSummaryOf(one), zip: null })
    ]
    const sentence = `The report has 99 of 100 points. Its archive, judged again by this version of docgauge, has ${plan.before.total_score}: the plan begins there.`
    for (const text of forms({ ...plan, reportScore: 99 })) expect(text).toContain(sentence)
    for (const text of forms({ ...plan, reportScore: plan.before.total_score }))
      expect(text).not.toContain("judged again by this version")
  })
})
