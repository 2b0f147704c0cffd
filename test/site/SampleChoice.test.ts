import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pageKey } from "../../engine/evidence/Address.ts"
import type { Candidate, CandidateSource } from "../../engine/site/Sample.ts"
import { candidatesOf, type Lead, pickSample } from "../../engine/site/SampleChoice.ts"
import { fakeBase, ORIGIN } from "./FakeGathering.ts"

const leads = (...paths: ReadonlyArray<string>): ReadonlyArray<Lead> =>
  paths.map((path) => ({ url: path.startsWith("http") ? path : `${ORIGIN}${path}`, source: "sitemap" }))

const paths = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<string> =>
  candidates.map(({ url }) => (url.startsWith(ORIGIN) ? url.slice(ORIGIN.length) : url))

const MANY = leads("/docs/a", "/docs/b", "/docs/c", "/docs/d", "/docs/e")

describe("candidates", () => {
  it("are sorted by address, the base first, each page once", () => {
    const { list } = candidatesOf(fakeBase(), leads("/b", "/a/", "/a", "/b/index.html", "/"))
    expect(paths(list)).toEqual(["/", "/a", "/b"])
  })

  it("name every source that had them, and keep the spelling of the first", () => {
    const { list } = candidatesOf(fakeBase(), [{ url: `${ORIGIN}/a/`, source: "crawl" }, { url: `${ORIGIN}/a`, source: "llms.txt" }])
    expect(list[1]).toEqual({ url: `${ORIGIN}/a`, sources: ["llms.txt", "crawl"] })
  })

  it("lie below the prefix where it holds five or more, else anywhere on the host", () => {
    const below = candidatesOf(fakeBase("/docs/"), [...MANY, ...leads("/blog")])
    expect(paths(below.list)).not.toContain("/blog")
    expect(below).toMatchObject({ withinPrefix: true, excluded: { outside_prefix: 1 } })
    const anywhere = candidatesOf(fakeBase("/docs/"), leads("/docs/a", "/blog"))
    expect(paths(anywhere.list)).toContain("/blog")
    expect(anywhere.withinPrefix).toBe(false)
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
    ["/next/a", "other_version"]
  ])("do not include %s", (path, reason) => {
    const { excluded, list } = candidatesOf(fakeBase(), leads(path, "/latest/a"))
    expect(paths(list)).toEqual(["/", "/latest/a"])
    expect(excluded).toEqual({ [reason]: 1 })
  })

  it.each(["/v2.1/a", "/guides/node.js", "/docs/preview", "/page.html", "/v2.1"])("include %s", (path) => {
    expect(paths(candidatesOf(fakeBase(), leads(path)).list)).toEqual(["/", path])
  })

  it("are of the base's own version and language", () => {
    const { list } = candidatesOf(fakeBase("/de/v1/"), leads("/de/v1/a", "/de/v2/a", "/en/v1/a"))
    expect(paths(list)).toEqual(["/de/v1/", "/de/v1/a"])
  })

  it("are read by the base's scheme", () => {
    expect(paths(candidatesOf(fakeBase(), leads("http://docs.example.com/a")).list)).toEqual(["/", "/a"])
  })

  it("do not include the addresses that led to the base", () => {
    const base = { ...fakeBase("/en/"), audited: `${ORIGIN}/`, redirects: [{ url: `${ORIGIN}/start`, status: 200, location: `${ORIGIN}/en/`, kind: "script" as const }] }
    expect(paths(candidatesOf(base, leads("/", "/start", "/en/a")).list)).toEqual(["/en/", "/en/a"])
  })
})

const SOURCES: ReadonlyArray<CandidateSource> = ["llms.txt", "sitemap", "base page", "crawl"]

const someLeads = fc.array(
  fc.record({
    url: fc.tuple(fc.constantFrom("", "/reference", "/de", "/v1", "/latest"), fc.stringMatching(/^[a-z]{1,3}$/), fc.constantFrom("", "/", ".html", ".md"))
      .map(([folder, name, ending]) => `${ORIGIN}${folder}/${name}${ending}`),
    source: fc.constantFrom(...SOURCES)
  }),
  { maxLength: 60 }
)

describe("any sample", () => {
  it("is the same whatever the order in which addresses were found", () => {
    fc.assert(fc.property(someLeads, fc.integer({ min: 1, max: 30 }), (found, size) => {
      const one = pickSample(candidatesOf(fakeBase(), found).list, size)
      const other = pickSample(candidatesOf(fakeBase(), [...found].reverse()).list, size)
      expect(other).toEqual(one)
    }))
  })

  it("has the base first, the rest sorted, no page twice, and as many as asked for where there are so many", () => {
    fc.assert(fc.property(someLeads, fc.integer({ min: 1, max: 30 }), (found, size) => {
      const { list } = candidatesOf(fakeBase(), found)
      const [first, ...rest] = pickSample(list, size).map(({ url }) => url)
      expect(first).toBe(`${ORIGIN}/`)
      expect(rest).toEqual([...rest].sort())
      expect(new Set(rest.map(pageKey)).size).toBe(rest.length)
      expect(rest.length + 1).toBe(Math.min(size, list.length))
    }))
  })
})

describe("picks", () => {
  const candidates = (...names: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
    ["/", ...names].map((path) => ({ url: `${ORIGIN}${path}`, sources: ["sitemap"] }))

  it("stand at an even stride", () => {
    const many = Array.from({ length: 10 }, (_, n) => `/${n}`)
    expect(paths(pickSample(candidates(...many), 5))).toEqual(["/", "/0", "/2", "/5", "/7"])
  })

  it("hold three reference pages where there are so many, in the places of the last picks", () => {
    const names = ["/a", "/b", "/c", "/d", "/reference/1", "/reference/2", "/reference/3", "/x", "/y", "/z"]
    expect(paths(pickSample(candidates(...names), 6))).toEqual(["/", "/a", "/c", "/reference/1", "/reference/2", "/reference/3"])
  })

  it("are the base alone for a sample of one", () => {
    expect(paths(pickSample(candidates("/a", "/reference/b"), 1))).toEqual(["/"])
  })
})
