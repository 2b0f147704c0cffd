import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { pageKey } from "../../engine/evidence/Address.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { withoutWayOn } from "../../engine/fix/files/WayOn.ts"
import { auditAndRead } from "../../engine/fix/Fix.ts"
import { type Fixes, writeFixes } from "../../engine/fix/WriteFixes.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"
import { markdownOf } from "./Converted.ts"

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const ORIGIN = "https://docs.example.com"

/** The pages of a documentation by the parts of its menu. */
const PARTS = {
  Basics: ["start", "keys"],
  "Order parcels": ["parcels/create", "parcels/track", "parcels/cancel"],
  Operations: ["errors", "limits"]
}

const PAGES = Object.values(PARTS).flat()

const titleOf = (page: string): string => `About ${page.replace("/", " ")}`

const text = (page: string): string =>
  `<h1>${titleOf(page)}</h1><p>${titleOf(page)}: Harbour is a small service that stores parcels and tells you where they are. It answers in JSON, and says what ${page} means.</p>`

const link = (page: string): string => `<a href="/${page}/">${titleOf(page)}</a>`

/** How generators lay out a page: its menu, and its content. */
const GENERATORS: Readonly<Record<string, (content: string, isStart: boolean) => string>> = {
  Docusaurus: (content) =>
    `<nav class=navbar><a href=/>Harbour</a></nav><aside class=theme-doc-sidebar-container><ul>${Object.entries(PARTS)
      .map(
        ([part, pages]) =>
          `<li><div class=menu__list-item-collapsible><a href="#">${part}</a></div><ul>${pages.map((page) => `<li>${link(page)}</li>`).join("")}</ul></li>`
      )
      .join("")}</ul></aside><main><article>${content}</article></main>`,
  VitePress: (content, isStart) =>
    isStart
      ? `<div class=VPHome>${content}<a href=/start/>Get started</a><div class=items>${PAGES.map((page) => `<a class=VPFeature href="/${page}/"><article class=box><h2>${titleOf(page)}</h2><p>What ${page} is for.</p></article></a>`).join("")}</div></div>`
      : `<aside class=VPSidebar><nav>${Object.entries(PARTS)
          .map(
            ([part, pages]) =>
              `<div class=group><section class=VPSidebarItem><div class=item><h2 class=text>${part}</h2></div><div class=items>${pages.map((page) => `<div class=VPSidebarItem>${link(page)}</div>`).join("")}</div></section></div>`
          )
          .join("")}</nav></aside><main class=main><div class=vp-doc>${content}</div></main>`,
  "Material for MkDocs": (content) =>
    `<div class="md-sidebar md-sidebar--primary"><nav class=md-nav><ul>${Object.entries(PARTS)
      .map(
        ([part, pages]) =>
          `<li class=md-nav__item><label>${part}</label><nav class=md-nav><label>${part}</label><ul>${pages.map((page) => `<li>${link(page)}</li>`).join("")}</ul></nav></li>`
      )
      .join("")}</ul></nav></div><main><article class=md-content__inner>${content}</article></main>`,
  mdBook: (content) =>
    `<nav class=sidebar><ol class=chapter>${Object.entries(PARTS)
      .map(
        ([part, pages]) =>
          `<li class=part-title>${part}</li>${pages.map((page) => `<li class=chapter-item>${link(page)}</li>`).join("")}`
      )
      .join("")}</ol></nav><main>${content}</main>`,
  Sphinx: (content) =>
    `<nav class=wy-nav-side><div class=wy-menu>${Object.entries(PARTS)
      .map(
        ([part, pages]) =>
          `<p class=caption><span class=caption-text>${part}</span></p><ul>${pages.map((page) => `<li>${link(page)}</li>`).join("")}</ul>`
      )
      .join("")}</div></nav><div class=rst-content role=main>${content}</div>`
}

const siteOf = (layOut: (content: string, isStart: boolean) => string): FakeSite =>
  Object.fromEntries(
    ["", ...PAGES].map((page) => [
      page === "" ? "/" : `/${page}/`,
      {
        headers: { "content-type": "text/html" },
        body: `<!doctype html><html lang=en><head><title>${page === "" ? "Harbour" : titleOf(page)}</title></head><body>${layOut(text(page === "" ? "harbour" : page), page === "")}</body></html>`
      }
    ])
  )

const fixed = async (site: FakeSite) => {
  const { report, site: published } = await Effect.runPromise(
    Effect.gen(function* () {
      const { send } = yield* Transport
      return yield* auditAndRead(
        { url: `${ORIGIN}/`, date: "2026-11-28", sampleSize: 20, canonicalOrigin: null, rubric },
        send
      )
    }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: ORIGIN }), ParserPool.layerInline)))
  )
  const options = { only: null, ai: null, host: null, folder: false }
  return { published, fixes: writeFixes(published, [], report, options, markdownOf) }
}

/** Clicks from the start to each page. */
const clicks = (linksOf: (key: string) => ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const reached = new Map([[pageKey(`${ORIGIN}/`), 0]])
  for (const [key, steps] of reached) {
    for (const url of linksOf(key)) if (!reached.has(pageKey(url))) reached.set(pageKey(url), steps + 1)
  }
  return reached
}

const markdownLinks = ({ files }: Fixes): ((key: string) => ReadonlyArray<string>) => {
  const texts = new Map(
    files.flatMap(({ path, text: written }) =>
      path.endsWith("index.md") ? [[pageKey(`${ORIGIN}/${path.slice(0, -"index.md".length)}`), written] as const] : []
    )
  )
  return (key) =>
    [...(texts.get(key) ?? "").matchAll(/\]\((https:[^)]+)\)/g)].flatMap(([, url]) => (url === undefined ? [] : [url]))
}

describe.each(Object.entries(GENERATORS))("the Markdown of a site made by %s", (_, layOut) => {
  test("leads from the start page to every page that the HTML leads to, in at most one click more", async () => {
    const { fixes, published } = await fixed(siteOf(layOut))
    const links = new Map(published.sample.pages.map((page) => [pageKey(page.url), page.links.map(({ url }) => url)]))
    const byHtml = clicks((key) => links.get(key) ?? [])
    const byMarkdown = clicks(markdownLinks(fixes))
    expect(byHtml.size).toBe(PAGES.length + 1)
    for (const [key, steps] of byHtml) expect([key, (byMarkdown.get(key) ?? 99) <= steps + 1]).toEqual([key, true])
  })
})

/** A site whose start page shows a few of the pages that the menus of all others have. */
const landingSite = (paths: ReadonlyArray<string>, shown: ReadonlyArray<string>): FakeSite => {
  const menu = paths.map((path) => `<li><a href="${path}">${titleOf(path)}</a></li>`).join("")
  return Object.fromEntries(
    ["/", ...paths].map((path) => [
      path,
      {
        headers: { "content-type": "text/html" },
        body: `<!doctype html><html lang=en><head><title>${titleOf(path)}</title></head><body>${path === "/" ? "" : `<nav><ul>${menu}</ul></nav>`}<main>${text(path)}${path === "/" ? shown.map((one) => `<a href="${one}">Read ${one}</a>`).join(" ") : ""}</main></body></html>`
      }
    ])
  )
}

describe("a section without a page of its own", () => {
  const paths = [
    ...["first", "second", "third", "fourth", "fifth", "sixth"].map((name) => `/docs/${name}`),
    ...["backup", "restore", "profile", "export"].map((name) => `/docs/operation/${name}`),
    ...["one", "two", "three"].map((name) => `/reference/${name}`)
  ]

  test.each([["/docs/first"], ["/docs/fourth"]])(
    "is led through by the page of it that the start page shows: %s",
    async (shown) => {
      const { fixes, published } = await fixed(landingSite(paths, [shown]))
      const links = new Map(published.sample.pages.map((page) => [pageKey(page.url), page.links.map(({ url }) => url)]))
      const byHtml = clicks((key) => links.get(key) ?? [])
      const texts = new Map(fixes.files.map(({ text, versionOf }) => [pageKey(versionOf ?? ORIGIN), text] as const))
      const byMarkdown = clicks((key) =>
        [...(texts.get(key) ?? "").matchAll(/\]\((https:[^)]+)\)/g)].map(([, url = ""]) => url)
      )
      expect(byHtml.size).toBe(paths.length + 1)
      for (const [key, steps] of byHtml) expect([key, (byMarkdown.get(key) ?? 99) <= steps + 1]).toEqual([key, true])
    }
  )
})

describe("a Markdown version", () => {
  test("ends with the page above it, those before and after it in the menu, and llms.txt", async () => {
    const { fixes } = await fixed(siteOf(GENERATORS["Docusaurus"] ?? ((content) => content)))
    const track = fixes.files.find(({ path }) => path === "parcels/track/index.md")?.text ?? ""
    expect(track.split("\n---\n\n").at(-1)).toBe(
      `Up: [About harbour](${ORIGIN}/) · Previous: [About parcels create](${ORIGIN}/parcels/create/) · Next: [About parcels cancel](${ORIGIN}/parcels/cancel/) · Index: [llms.txt](${ORIGIN}/llms.txt)\n`
    )
  })

  test("without its way on is what it was before", async () => {
    const { fixes } = await fixed(siteOf(GENERATORS["Docusaurus"] ?? ((content) => content)))
    const start = fixes.files.find(({ path }) => path === "index.md")?.text ?? ""
    expect(start).toContain(`\n## Pages\n\n- [About start](${ORIGIN}/start/)\n`)
    expect(withoutWayOn(start)).toBe(
      "# About harbour\n\nAbout harbour: Harbour is a small service that stores parcels and tells you where they are. It answers in JSON, and says what harbour means.\n"
    )
    expect(withoutWayOn("# A\n\n---\n\nB\n")).toBe("# A\n\n---\n\nB\n")
  })
})
