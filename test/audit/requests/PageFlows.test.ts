import { describe, expect, it } from "vitest"
import { type FakeAnswer, FAKE_HOST } from "../../../engine/testing/FakeSite.ts"
import { answersAt, audited, listing, numbers, page, siteOf, unasked, wordsOf } from "./FlowSite.ts"

/* The longest sound flow of each part that asks for single pages and what they name: nothing is left out. */

const PAGES = numbers(9).map((n) => `/p${n}`)

describe("the audited URL", () => {
  it("may lead to the documentation by three redirects of pages, one after the other", async () => {
    const steps = ["/", "/start/", "/start/en/"]
    const refresh = (to: string): string => `<title>Redirect</title><meta http-equiv="refresh" content="0; url=${to}">`
    const { asked, skipped } = await audited({
      ...siteOf(PAGES, "", "/start/en/home"),
      ...answersAt(steps, (_, at) => refresh(steps[at + 1] ?? "/start/en/home"))
    })
    expect(skipped).toEqual([])
    expect(unasked(asked, [...steps, "/start/en/home", ...PAGES])).toEqual([])
  })
})

describe("pages as Markdown", () => {
  const markdown = (n: number, more = ""): string => `# Part ${n}\n\n${wordsOf(n)}. ${wordsOf(n)}.\n\n${more}`

  it("are asked of five pages, each behind a redirect of its own", async () => {
    const answer = (n: number): FakeAnswer => ({
      byAccept: { "text/markdown": { redirect: `/md/${n}` } },
      headers: { vary: "Accept" },
      body: page(n)
    })
    const { asked, factsOf, skipped } = await audited({
      ...siteOf(PAGES),
      ...answersAt(PAGES, (_, at) => answer(at + 1)),
      ...answersAt(
        PAGES.map((_, at) => `/md/${at + 1}`),
        (_, at) => ({ type: "text/markdown", body: markdown(at + 1), headers: { vary: "Accept" } })
      )
    })
    expect(skipped).toEqual([])
    // Two of them once more for each of the two lists that agents send.
    expect(asked.filter((url) => url.startsWith("/md/"))).toHaveLength(8)
    expect(factsOf("B2")).toMatchObject({ asked: 5 })
  })

  it("may link to files that nothing else names, of which three are tried behind redirects", async () => {
    const named = numbers(12).map((n) => `/files/f${n}.zip`)
    const links = named.map((path) => `[File](${path})`).join(" ")
    const { asked, factsOf, skipped } = await audited({
      ...siteOf(PAGES),
      ...answersAt(
        PAGES.map((path) => `${path}.md`),
        (_, at) => ({ type: "text/markdown", body: markdown(at + 1, links) })
      ),
      ...answersAt(named, (path) => ({ redirect: path.replace("/files/", "/store/") })),
      ...answersAt(
        named.map((path) => path.replace("/files/", "/store/")),
        () => ({ type: "application/zip", body: "PK" })
      )
    })
    expect(skipped).toEqual([])
    expect(asked.filter((url) => url.startsWith("/files/"))).toHaveLength(3)
    expect(factsOf("B3")).toMatchObject({ compared: 8, links: 12, broken_links: 0 })
  })
})

describe("versions of pages", () => {
  it("may be named by a selector whose first link is dead", async () => {
    const versions = ["/old/", "/older/"]
    const selector = `<select class="version-select">${["1.0", "2.0"].map((name, at) => `<option value="${versions[at]}">${name}</option>`).join("")}</select>`
    const { asked, factsOf, skipped } = await audited({
      ...siteOf(PAGES, selector),
      "/older/": { redirect: "/archive/older/" },
      "/archive/older/": page(90)
    })
    expect(skipped).toEqual([])
    expect(unasked(asked, versions)).toEqual([])
    expect(factsOf("E3")).toMatchObject({ versioned: true })
  })

  it("may be in two folders, whose pages are compared at one", async () => {
    const [old, current] = ["/1.0", "/latest"].map((folder) => PAGES.map((path) => `${folder}${path}`))
    const { asked, factsOf, skipped } = await audited(
      {
        ...siteOf(current ?? [], "", "/latest/"),
        ...answersAt(old ?? [], (_, at) => page(at + 1)),
        "/robots.txt": `Sitemap: ${FAKE_HOST}/sitemap.xml`,
        "/sitemap.xml": listing("urlset", "url", [...(old ?? []), ...(current ?? [])])
      },
      "/latest/"
    )
    expect(skipped).toEqual([])
    expect(asked.filter((url) => url.startsWith("/1.0/")).length).toBeGreaterThan(0)
    expect(factsOf("E3")).toMatchObject({ versioned: true })
  })
})

describe("a changelog without dates", () => {
  it("has those of its feed, which may be behind a redirect", async () => {
    const feed = '<link rel="alternate" type="application/atom+xml" href="/feed">'
    const entries = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><title>2.1</title><updated>2026-11-02T00:00:00Z</updated></entry></feed>`
    const { asked, factsOf, skipped } = await audited({
      ...siteOf([...PAGES, "/changelog"]),
      "/changelog": `<!doctype html><html lang="en"><title>Changelog</title>${feed}<main><h1>Changelog</h1><h2>2.1.0</h2><p>${wordsOf(80)}</p><h2>2.0.0</h2><p>${wordsOf(81)}</p></main></html>`,
      "/feed": { redirect: "/feed.xml" },
      "/feed.xml": { type: "application/atom+xml", body: entries }
    })
    expect(skipped).toEqual([])
    expect(unasked(asked, ["/feed"])).toEqual([])
    expect(factsOf("D7")).toMatchObject({ changelog: true, dated: true, age_days: 19 })
  })
})
