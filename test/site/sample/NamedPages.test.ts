import { describe, expect, it } from "vitest"
import { namedCandidates } from "../../../engine/site/sample/NamedPages.ts"

const ORIGIN = "https://docs.example.com"

const known = (...paths: ReadonlyArray<string>) =>
  paths.map((path) => ({ url: `${ORIGIN}${path}`, sources: ["sitemap"] as const }))

const matchingAt = (base: string, prefix: string, pattern: string, ...paths: ReadonlyArray<string>) =>
  namedCandidates([pattern], { url: `${ORIGIN}${base}`, prefix }, known(...paths)).flatMap(({ candidates }) =>
    candidates.map(({ url }) => url.slice(ORIGIN.length))
  )

const matching = (pattern: string, ...paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  matchingAt("/", "/", pattern, ...paths)

describe("pages that a configuration names", () => {
  it("by a path are known pages as the site spells them, or that path", () => {
    expect(matching("/quickstart", "/quickstart/", "/other")).toEqual(["/quickstart/"])
    expect(matching("/quickstart", "/other")).toEqual(["/quickstart"])
  })

  it.each([
    ["/docs/", "/docs/"],
    ["/docs", "/"],
    ["/docs/start.html", "/docs/"]
  ])("are tried below the base %s first, then on its host", (base, prefix) => {
    const at = (pattern: string, ...paths: ReadonlyArray<string>) => matchingAt(base, prefix, pattern, ...paths)
    expect(at("/introduction", "/docs/introduction/", "/introduction")).toEqual(["/docs/introduction/"])
    expect(at("/introduction", "/introduction")).toEqual(["/introduction"])
    expect(at("/introduction")).toEqual(["/docs/introduction", "/introduction"])
    expect(at("/docs/introduction")).toEqual(["/docs/introduction"])
    expect(at("/api/**", "/docs/api/a", "/api/b")).toEqual(["/docs/api/a"])
    expect(at("/api/**", "/api/b")).toEqual(["/api/b"])
  })

  it.each([
    ["/api/**", ["/api/", "/api/a", "/api/a/b.html"], ["/apis", "/docs/api/a", "/"]],
    ["/api/*", ["/api/a", "/api/b/"], ["/api", "/api/a/b"]],
    ["/**/errors", ["/errors", "/api/errors", "/api/v2/errors/"], ["/errors/list", "/api/errors-list"]],
    ["/v*/ref-*.html", ["/v2/ref-a.html", "/v/ref-.html"], ["/v2/ref-a", "/v2/x/ref-a.html"]],
    ["/*a*b*c", ["/xaxbxc", "/abc", "/aabbcc"], ["/acb", "/abcd"]],
    ["/**", ["/", "/a", "/a/b"], []],
    ["/caf\u00e9/*", ["/caf%C3%A9/a"], ["/cafe/a"]]
  ])("by the glob %s are those that match", (pattern, yes, no) => {
    expect(matching(pattern, ...yes, ...no)).toEqual(yes)
  })

  it("are matched in time that grows with the URL and the pattern, and not faster", () => {
    const path = `/${"a".repeat(4_000)}`
    const begun = performance.now()
    expect(matching(`/${"*a".repeat(60)}*b`, ...Array.from({ length: 20 }, (_, index) => path + index))).toEqual([])
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
