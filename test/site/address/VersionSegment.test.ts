import { describe, expect, it } from "vitest"
import { namesVersion, versionIn, versionsInForce } from "../../../engine/site/address/VersionFolders.ts"

describe("a path segment", () => {
  it.each([
    "v2",
    "2.1",
    "v1.0.3",
    "1.x",
    "latest",
    "STABLE",
    "main",
    "v1.0.0-rc9",
    "2.1.0-rc3.1",
    "v2.0.0-beta.1.2",
    "v2alpha3"
  ])("names a version: %s", (segment) => expect(namesVersion(segment)).toBe(true))

  it.each(["2", "v", "version", "v2beta", "12345.1", "2alpha3", "v2ray", "rc3.1"])("names none: %s", (segment) =>
    expect(namesVersion(segment)).toBe(false)
  )
})

describe("the version of a path", () => {
  it("is its first version, released or not, in lower case", () => {
    expect([versionIn("/docs/V2/x/v3"), versionIn("/docs/next/x"), versionIn("/docs/x")]).toEqual(["v2", "next", null])
  })

  it("may be a folder of a release candidate or of a date", () => {
    expect([
      versionIn("/docs/1.0.0rc1/x"),
      versionIn("/docs/v2.0-beta.1/x"),
      versionIn("/api/2024-01/x"),
      versionIn("/api/2024-01-15/x"),
      versionIn("/docs/version-2.x/x")
    ]).toEqual(["1.0.0rc1", "v2.0-beta.1", "2024-01", "2024-01-15", "version-2.x"])
    expect([versionIn("/docs/1.0.0rc1"), versionIn("/news/2024-01-15"), versionIn("/news/2024-13/x")]).toEqual([
      null,
      null,
      null
    ])
  })

  it("is no word at the very end, which is a page's name", () => {
    expect([versionIn("/docs/preview"), versionIn("/docs/preview/"), versionIn("/docs/v2")]).toEqual([
      null,
      "preview",
      "v2"
    ])
  })
})

describe("the versions in force", () => {
  it("are the base's own where it shows one", () => {
    expect(versionsInForce("https://a.test/docs/v1", ["/docs/v1/x", "/docs/v2/x"])).toEqual(new Set(["v1"]))
  })

  it("are those before a release only where there is no release", () => {
    expect([
      versionsInForce("/docs", ["/docs/1.0.0-rc1/x", "/docs/1.0.0-rc2.1/x"]),
      versionsInForce("/docs", ["/docs/0.9/x", "/docs/1.0.0-rc1/x"])
    ]).toEqual([new Set(["1.0.0-rc2.1"]), new Set(["0.9"])])
  })

  it("are latest and stable where the site has them", () => {
    expect(versionsInForce("https://a.test/docs", ["/docs/v9/x", "/docs/latest/x", "/docs/stable/x"])).toEqual(
      new Set(["latest", "stable"])
    )
  })

  it("are the highest one, too, where latest only leads to it, and none in development", () => {
    const pages = (version: string) => Array.from({ length: 9 }, (_, n) => `/releases/${version}/page-${n}`)
    expect(
      versionsInForce("https://a.test/", [
        "/releases/latest/",
        ...["1.6.0", "1.7.0", "unreleased", "snapshot"].flatMap(pages)
      ])
    ).toEqual(new Set(["latest", "1.7.0"]))
  })

  it("are the dated folders of a changelog beside the highest number", () => {
    expect(versionsInForce("https://a.test", ["/v1/x", "/v2/x", "/changelog/2025-11-03/x", "/blog/2025-11/x"])).toEqual(
      new Set(["v2", "2025-11-03", "2025-11"])
    )
  })

  it("are otherwise the highest by number", () => {
    expect(versionsInForce("https://a.test/docs", ["/docs/v9/x", "/docs/v10/x", "/docs/v9.5/x"])).toEqual(
      new Set(["v10"])
    )
    expect(versionsInForce("https://a.test/docs", ["/docs/1.0.1rc2/x", "/docs/1.0.0/x"])).toEqual(new Set(["1.0.0"]))
    expect(versionsInForce("https://a.test/docs", ["/api/2024-01/x", "/api/2023-10/x"])).toEqual(new Set(["2024-01"]))
    expect(versionsInForce("https://a.test/docs", ["/docs/x"])).toEqual(new Set())
  })
})
