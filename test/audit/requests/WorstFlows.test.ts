import { describe, expect, it } from "vitest"
import { FAKE_HOST, type FakeAnswer } from "../../../engine/testing/FakeSite.ts"
import { audited, listing, numbers, page, siteOf, wordsOf } from "./FlowSite.ts"

/* The longest sound flow of each part that reads many pages: its share of the audit's requests suffices, and nothing is left out. */

describe("Markdown versions", () => {
  it.each<readonly [form: string, path: (n: number) => string, version: (path: string) => string]>([
    ["page/index.md", (n) => `/s${n % 7}/p${n}/`, (path) => `${path}index.md`],
    ["page.html.md", (n) => `/s${n % 7}/p${n}.html`, (path) => `${path}.md`],
    ["page.mdx", (n) => `/s${n % 7}/p${n}`, (path) => `${path}.mdx`]
  ])("that no page declares are found at all pages: %s", async (_form, path, version) => {
    const paths = numbers(60).map(path)
    const versions = paths.map((one, at): readonly [string, FakeAnswer] => [
      version(one),
      { type: "text/markdown; charset=utf-8", body: `# Part ${at + 1}\n\n${wordsOf(at + 1)}. ${wordsOf(at + 1)}.\n` }
    ])
    const { factsOf, skipped } = await audited({ ...siteOf(paths), ...Object.fromEntries(versions) })
    expect(skipped).toEqual([])
    // The first page has no version.
    expect(factsOf("B1")).toEqual({ pages: 20, with_twin: 0.95, dead_end: false })
  })
})

describe("a documentation that is read whole", () => {
  it("may have every page behind a redirect to its slash", async () => {
    const named = numbers(59).map((n) => `/p${n}`)
    const slashed = named.map((path, at): readonly [string, FakeAnswer] => [`${path}/`, page(at + 1)])
    const redirects = named.map((path): readonly [string, FakeAnswer] => [path, { redirect: `${path}/` }])
    const { asked, skipped } = await audited({
      ...siteOf(named),
      ...Object.fromEntries([...slashed, ...redirects]),
      "/robots.txt": `Sitemap: ${FAKE_HOST}/sitemap.xml`,
      "/sitemap.xml": listing("urlset", "url", named)
    })
    expect(skipped).toEqual([])
    expect(slashed.map(([path]) => path).filter((path) => !asked.includes(path))).toEqual([])
  })

  it.each([
    ["that robots.txt names", "", "/sitemap.xml", true],
    ["that no place names, above the base", "/guide/", "/sitemap-index.xml", false]
  ] as const)("may name its pages in a sitemap index of fifty files %s", async (_how, base, index, isNamed) => {
    const paths = numbers(100).map((n) => `${base === "" ? "/" : base}p${n}`)
    const files = numbers(49).map((n): readonly [string, FakeAnswer] => [
      `/maps/${n}.xml`,
      listing("urlset", "url", paths.slice(2 * n - 1, 2 * n + 1))
    ])
    const { "/": first = "", ...others } = siteOf(paths)
    const site = {
      ...others,
      [base === "" ? "/" : base]: first,
      ...(isNamed ? { "/robots.txt": `Sitemap: ${FAKE_HOST}${index}` } : {}),
      [index]: listing(
        "sitemapindex",
        "sitemap",
        files.map(([path]) => path)
      ),
      ...Object.fromEntries(files)
    }
    const { asked, skipped } = await audited(site, base)
    expect(skipped).toEqual([])
    expect(files.map(([path]) => path).filter((path) => !asked.includes(path))).toEqual([])
  })
})

describe("API descriptions", () => {
  it("may be five that pages name, of which the best is in files of its own", async () => {
    const parts = numbers(8).map((n) => `/api/parts/${n}.json`)
    const named = ["/api/openapi.json", ...numbers(4).map((n) => `/api/webhooks-${n}.json`)]
    const description = (paths: object) =>
      JSON.stringify({ openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths })
    const answer = { responses: { 200: { description: "Here it is" } } }
    const { asked, factsOf, skipped } = await audited({
      ...siteOf(
        numbers(12).map((n) => `/p${n}`),
        named.map((path) => `<a href="${path}">OpenAPI description</a>`).join(" ")
      ),
      [named[0] ?? ""]: description(
        Object.fromEntries(parts.map((path, at) => [`/orders${at}`, { $ref: `parts/${at + 1}.json`, path }]))
      ),
      ...Object.fromEntries(named.slice(1).map((path) => [path, description({ [path]: { get: answer } })])),
      ...Object.fromEntries(
        parts.map((path, at) => [path, JSON.stringify({ get: { operationId: `o${at}`, ...answer } })])
      )
    })
    expect(skipped).toEqual([])
    expect([...named, ...parts].filter((path) => !asked.includes(path))).toEqual([])
    expect(factsOf("C3")).toMatchObject({ operations: 8 })
    expect(factsOf("C1")).toMatchObject({ found_by: "announced", unread: 0 })
  })
})

describe("what agents get and browsers get", () => {
  it("is compared on three pages that are open to us and three that are not", async () => {
    const paths = numbers(9).map((n) => `/p${n}`)
    const { factsOf, skipped } = await audited({
      ...siteOf(paths),
      ...Object.fromEntries(
        paths.slice(6).map((path, at) => [path, { status: 403, byAgent: { browser: page(at + 7) } }])
      )
    })
    expect(skipped).toEqual([])
    expect(factsOf("E4")).toMatchObject({ compared: 6, same_status: 0.5 })
  })
})
