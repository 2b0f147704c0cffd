import { describe, expect, it } from "vitest"
import { namedCandidates } from "../../../engine/site/sample/NamedPages.ts"

const ORIGIN = "https://docs.example.com"

const known = (...paths: ReadonlyArray<string>) =>
  paths.map((path) => ({ url: `${ORIGIN}${path}`, sources: ["sitemap"] as const }))

const matching = (pattern: string, ...paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  namedCandidates([pattern], { url: `${ORIGIN}/docs` }, known(...paths)).flatMap(({ candidates }) =>
    candidates.map(({ url }) => url.slice(ORIGIN.length))
  )

describe("pages that a configuration names", () => {
  it("by a path are known pages as the site spells them, or that path", () => {
    expect(matching("/quickstart", "/quickstart/", "/other")).toEqual(["/quickstart/"])
    expect(matching("/quickstart", "/other")).toEqual(["/quickstart"])
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
