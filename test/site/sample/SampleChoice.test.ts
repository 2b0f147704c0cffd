import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pageKey } from "../../../engine/evidence/Address.ts"
import {
  type Candidate,
  candidatesOf,
  type CandidateSource,
  type FoundUrl,
  pickSample
} from "../../../engine/site/sample/SampleChoice.ts"
import { fakeBase, ORIGIN } from "../FakeContext.ts"

const foundUrls = (...paths: ReadonlyArray<string>): ReadonlyArray<FoundUrl> =>
  paths.map((path) => ({ url: path.startsWith("http") ? path : `${ORIGIN}${path}`, source: "sitemap" }))

const paths = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<string> =>
  candidates.map(({ url }) => (url.startsWith(ORIGIN) ? url.slice(ORIGIN.length) : url))

const MANY = foundUrls("/docs/a", "/docs/b", "/docs/c", "/docs/d", "/docs/e")

describe("candidates", () => {
  it("are sorted by address, the base first, each page once", () => {
    const { list } = candidatesOf(fakeBase(), foundUrls("/b", "/a/", "/a", "/b/index.html", "/"))
    expect(paths(list)).toEqual(["/", "/a", "/b"])
  })

  it("name every source that had them, and keep the spelling of the first", () => {
    const { list } = candidatesOf(fakeBase(), [
      { url: `${ORIGIN}/a/`, source: "crawl" },
      { url: `${ORIGIN}/a`, source: "llms.txt" }
    ])
    expect(list[1]).toEqual({ url: `${ORIGIN}/a`, sources: ["llms.txt", "crawl"] })
  })

  it("are spelled as in the sitemap where that has them with the ending of a file, or without", () => {
    const { list } = candidatesOf(fakeBase(), [
      { url: `${ORIGIN}/a`, source: "llms.txt" },
      { url: `${ORIGIN}/a.html`, source: "sitemap" },
      { url: `${ORIGIN}/b.html`, source: "crawl" },
      { url: `${ORIGIN}/b`, source: "sitemap" },
      { url: `${ORIGIN}/c/`, source: "crawl" },
      { url: `${ORIGIN}/c.html`, source: "sitemap" }
    ])
    expect(list.slice(1)).toEqual([
      { url: `${ORIGIN}/a.html`, sources: ["llms.txt", "sitemap"] },
      { url: `${ORIGIN}/b`, sources: ["sitemap", "crawl"] },
      { url: `${ORIGIN}/c.html`, sources: ["sitemap"] },
      { url: `${ORIGIN}/c/`, sources: ["crawl"] }
    ])
  })

  it("lie below the prefix where it holds five or more, else anywhere on the host", () => {
    const below = candidatesOf(fakeBase("/docs/"), [...MANY, ...foundUrls("/blog")])
    expect(paths(below.list)).not.toContain("/blog")
    expect(below).toMatchObject({ withinPrefix: true, excluded: { outside_prefix: 1 } })
    const anywhere = candidatesOf(fakeBase("/docs/"), foundUrls("/docs/a", "/blog"))
    expect(paths(anywhere.list)).toContain("/blog")
    expect(anywhere.withinPrefix).toBe(false)
  })

  it("lie in the folder around the prefix before they lie anywhere on the host", () => {
    const around = candidatesOf(fakeBase("/docs/latest/introduction/"), [
      ...foundUrls("/blog", "/about"),
      ...["a", "b", "c", "d", "e"].flatMap((name) => foundUrls(`/docs/latest/${name}/`))
    ])
    expect(paths(around.list).slice(1)).toEqual(["a", "b", "c", "d", "e"].map((name) => `/docs/latest/${name}/`))
    expect(around).toMatchObject({ withinPrefix: true, excluded: { outside_prefix: 2 } })
  })

  it.each([
    ["https://other.example/a", "off_host"],
    ["/openapi.json", "not_a_page"],
    ["/a?page=2", "not_a_page"],
    ["/404.html", "error_page"],
    ["/search/", "search"],
    ["/login", "login"],
    ["/print/a", "print"],
    ["/tags/x", "listing"],
    ["/blog/page/2/", "listing"],
    ["/de/a", "other_locale"],
    ["/next/a", "other_version"],
    ["/.cursorrules", "not_a_page"],
    ["/.well-known/a", "not_a_page"]
  ])("do not include %s", (path, reason) => {
    const { excluded, list } = candidatesOf(fakeBase(), foundUrls(path, "/latest/a"))
    expect(paths(list)).toEqual(["/", "/latest/a"])
    expect(excluded).toEqual({ [reason]: 1 })
  })

  it.each([
    ["/reference/404", "error_page"],
    ["/docs/not-found", "error_page"],
    ["/reference/genindex", "search"],
    ["/genindex-all.html", "search"],
    ["/js-modindex.html", "search"],
    ["/toc.html", "listing"],
    ["/page2/", "listing"],
    ["/blog/page3/index.html", "listing"],
    ["/blog/archive/2026/", "listing"],
    ["/api/search.html", "search"],
    ["/api/auth/login", "login"],
    ["/docs/login", "login"],
    ["/docs/tags/x", "listing"],
    ["/blog/tags/api/x", "listing"],
    ["/categories/reference/x", "listing"],
    ["/api/rss", "listing"],
    ["/api/_modules/x", "listing"]
  ])("do not include %s, which a folder's name does not make a page of the reference", (path, reason) => {
    const { excluded, list } = candidatesOf(fakeBase(), foundUrls(path))
    expect(paths(list)).toEqual(["/"])
    expect(excluded).toEqual({ [reason]: 1 })
  })

  it.each(["/topics/items.html", "/en/topics/http/urls"])(
    "include %s, since topics are chapters of a manual",
    (path) => {
      expect(paths(candidatesOf(fakeBase(), foundUrls(path)).list)).toEqual(["/", path])
    }
  )

  it.each([
    "/api-reference/tags",
    "/api-reference/projects/tags/list",
    "/reference/categories/create",
    "/rest/authors",
    "/api/feeds/get",
    "/rest-api/category",
    "/docs/app/api-reference/file-conventions/error",
    "/docs/app/api-reference/file-conventions/not-found",
    "/reference/login",
    "/docs/api/sessions/sign-out.html",
    "/reference/search"
  ])("include %s, since a reference documents what its pages are named after", (path) => {
    expect(paths(candidatesOf(fakeBase(), foundUrls(path)).list)).toEqual(["/", path])
  })

  it.each([
    "/tutorial/page2/",
    "/docs/archive/a",
    "/v2.1/a",
    "/guides/node.js",
    "/docs/preview",
    "/page.html",
    "/v2.1",
    "/v2/error/",
    "/error.html"
  ])("include %s", (path) => {
    expect(paths(candidatesOf(fakeBase(), foundUrls(path)).list)).toEqual(["/", path])
  })

  it("are of the base's own version and language", () => {
    const { list } = candidatesOf(fakeBase("/de/v1/"), foundUrls("/de/v1/a", "/de/v2/a", "/en/v1/a"))
    expect(paths(list)).toEqual(["/de/v1/", "/de/v1/a"])
  })

  it("leave out folders of versions that hold the same pages as the folder around them", () => {
    const { excluded, list } = candidatesOf(
      fakeBase(),
      foundUrls("/docs/a", "/docs/b", "/docs/3/a", "/docs/4/a", "/docs/4/b", "/docs/2.x/b", "/blog/2023/a")
    )
    expect(paths(list)).toEqual(["/", "/blog/2023/a", "/docs/a", "/docs/b"])
    expect(excluded).toEqual({ other_version: 4 })
  })

  it("keep the folder of versions that the base is in", () => {
    const { list } = candidatesOf(fakeBase("/docs/4/"), foundUrls("/docs/a", "/docs/b", "/docs/4/a", "/docs/4/b"))
    expect(paths(list)).toContain("/docs/4/a")
  })

  it("keep a version of the API that is in no other folder", () => {
    expect(paths(candidatesOf(fakeBase(), foundUrls("/guide/a", "/api/v2/a", "/api/v1/a")).list)).toEqual([
      "/",
      "/api/v2/a",
      "/guide/a"
    ])
  })

  it("are read by the base's scheme", () => {
    expect(paths(candidatesOf(fakeBase(), foundUrls("http://docs.example.com/a")).list)).toEqual(["/", "/a"])
  })

  it("do not include the addresses that led to the base", () => {
    const base = {
      ...fakeBase("/en/"),
      audited: `${ORIGIN}/`,
      redirects: [{ url: `${ORIGIN}/start`, status: 200, location: `${ORIGIN}/en/`, kind: "script" as const }]
    }
    expect(paths(candidatesOf(base, foundUrls("/", "/start", "/en/a")).list)).toEqual(["/en/", "/en/a"])
  })
})

const SOURCES: ReadonlyArray<CandidateSource> = ["llms.txt", "sitemap", "base page", "crawl"]

const someLeads = fc.array(
  fc.record({
    url: fc
      .tuple(
        fc.constantFrom("", "/reference", "/de", "/v1", "/latest"),
        fc.stringMatching(/^[a-z]{1,3}$/),
        fc.constantFrom("", "/", ".html", ".md")
      )
      .map(([folder, name, ending]) => `${ORIGIN}${folder}/${name}${ending}`),
    source: fc.constantFrom(...SOURCES)
  }),
  { maxLength: 60 }
)

describe("any sample", () => {
  it("is the same whatever the order in which addresses were found", () => {
    fc.assert(
      fc.property(someLeads, fc.integer({ min: 1, max: 30 }), (found, size) => {
        const one = pickSample(candidatesOf(fakeBase(), found).list, size)
        const other = pickSample(candidatesOf(fakeBase(), [...found].reverse()).list, size)
        expect(other).toEqual(one)
      })
    )
  })

  it("has the base first, the rest sorted, no page twice, and as many as asked for if the site has them", () => {
    fc.assert(
      fc.property(someLeads, fc.integer({ min: 1, max: 30 }), (found, size) => {
        const { list } = candidatesOf(fakeBase(), found)
        const [first, ...rest] = pickSample(list, size).map(({ url }) => url)
        expect(first).toBe(`${ORIGIN}/`)
        expect(rest).toEqual([...rest].sort())
        expect(new Set(rest.map(pageKey)).size).toBe(rest.length)
        expect(rest.length + 1).toBe(Math.min(size, list.length))
      })
    )
  })
})

describe("picks", () => {
  const candidates = (...names: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
    ["/", ...names].map((path) => ({ url: `${ORIGIN}${path}`, sources: ["sitemap"] }))

  it("stand at an even stride", () => {
    const many = Array.from({ length: 10 }, (_, n) => `/${n}`)
    expect(paths(pickSample(candidates(...many), 5))).toEqual(["/", "/0", "/2", "/5", "/7"])
  })

  it("hold of each section its share of all pages, to within a page", () => {
    const sections = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(sections, fc.integer({ min: 2, max: 30 }), (sizes, size) => {
        const names = sizes.flatMap((pages, section) =>
          Array.from({ length: pages }, (_, n) => `/s${section}/p${String(n).padStart(4, "0")}`)
        )
        const rest = paths(pickSample(candidates(...names), size)).slice(1)
        for (const [section, pages] of sizes.entries()) {
          const share = (rest.length * pages) / names.length
          expect(Math.abs(rest.filter((path) => path.startsWith(`/s${section}/`)).length - share)).toBeLessThan(1)
        }
      })
    )
  })

  it("hold no more reference pages than their share", () => {
    const guides = Array.from({ length: 97 }, (_, n) => `/guides/${String(n).padStart(2, "0")}`)
    const picks = paths(pickSample(candidates(...guides, "/reference/1", "/reference/2", "/reference/3"), 20))
    expect(picks.filter((path) => path.startsWith("/reference/"))).toEqual([])
  })

  it("are a third guides where nearly all pages document one operation each", () => {
    const operations = Array.from({ length: 200 }, (_, n) => `/api-reference/orders/op${n}`)
    const named = Array.from({ length: 100 }, (_, n) => `/docs/orders/create-order-${n}`)
    const guides = Array.from({ length: 9 }, (_, n) => `/guides/${n}`)
    const picks = paths(pickSample(candidates(...operations, ...named, ...guides, "/docs/getting-started"), 20))
    expect(picks.filter((path) => /guide|started/.test(path))).toHaveLength(7)
    expect(picks).toHaveLength(20)
    const few = paths(pickSample(candidates(...operations, "/guides/a", "/guides/b"), 20))
    expect(few).toEqual(expect.arrayContaining(["/guides/a", "/guides/b"]))
  })

  it.each([
    "/release-notes/1",
    "/releases/1",
    "/changelog/1",
    "/archive/1",
    "/obsolete/1",
    "/docs/obsolete/x/1",
    "/whatsnew/3.1.html",
    "/legacy/1",
    "/old-integrations/cards/1",
    "/docs/legacy/1"
  ])("hold %s only where there are too few other pages", (path) => {
    expect(paths(pickSample(candidates("/a", path, "/z"), 3))).toEqual(["/", "/a", "/z"])
    expect(paths(pickSample(candidates("/a", path, "/z"), 4))).toEqual(expect.arrayContaining(["/", "/a", path, "/z"]))
  })

  it("hold the documentation of a release like others, which lies below its number", () => {
    const documented = ["/releases/1.7.0/guide/", "/releases/1.7.0/reference/"]
    expect(paths(pickSample(candidates("/releases/1.7.0/", ...documented, "/releases/1.7.1"), 3))).toEqual([
      "/",
      ...documented
    ])
  })

  it("hold the pages of an archive like others where the base is in it", () => {
    const within: ReadonlyArray<Candidate> = ["/archive/", "/archive/1", "/z"].map((path) => ({
      url: `${ORIGIN}${path}`,
      sources: ["sitemap"]
    }))
    expect(paths(pickSample(within, 2))).toEqual(["/archive/", "/archive/1"])
  })

  it("are the base alone for a sample of one", () => {
    expect(paths(pickSample(candidates("/a", "/reference/b"), 1))).toEqual(["/"])
  })
})
