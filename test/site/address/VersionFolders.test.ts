import { describe, expect, it } from "vitest"
import { isInForceAmong, otherVersionsAmong } from "../../../engine/site/address/VersionFolders.ts"

const left = (base: string, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => !isInForceAmong(base, paths)(path))

describe("folders of versions", () => {
  it("are left out where they repeat the pages of the folder around them", () => {
    const paths = ["/docs/start", "/docs/keys", "/docs/3/start", "/docs/3/keys"]
    expect(left("/docs", paths)).toEqual(["/docs/3/start", "/docs/3/keys"])
  })

  it("are none where a number is a page of its own", () => {
    const paths = ["/tutorial/", "/tutorial/1/", "/tutorial/2/", "/errors/", "/errors/401/", "/errors/429/"]
    expect(left("/", paths)).toEqual([])
  })

  it("are left out where they are named latest and repeat the pages around them", () => {
    const paths = ["/start", "/keys", "/latest/start", "/latest/keys"]
    expect(left("/", paths)).toEqual(["/latest/start", "/latest/keys"])
  })

  it("are the current ones where pages around the base's own are in it, too", () => {
    const paths = ["/", "/start", "/keys.html", "/blog/", "/latest/", "/latest/start", "/latest/keys.html"]
    expect(left("/latest/", paths)).toEqual(["/start", "/keys.html"])
    expect(otherVersionsAmong("/latest/", paths)).toEqual([{ folder: "/", pages: 2 }])
  })
})

describe("pages beside a version that is not released", () => {
  it("belong to the documentation", () => {
    expect(left("/dev/", ["/start", "/keys", "/dev/start", "/dev/keys"])).toEqual([])
  })
})

describe("other versions of the documentation", () => {
  it("are the folders that have pages of the current one, with all their pages", () => {
    const paths = [
      ...["/2.x/", "/2.x/start", "/2.x/keys"],
      ...["/latest/", "/latest/start", "/latest/keys", "/latest/gone"],
      ...["/1.x/start", "/1.x/keys"]
    ]
    expect(otherVersionsAmong("/2.x/", paths)).toEqual([
      { folder: "/1.x/", pages: 2 },
      { folder: "/latest/", pages: 4 }
    ])
  })

  it("are folders beside pages without a version, too", () => {
    const paths = ["/docs/start", "/docs/keys", "/docs/next/start", "/docs/next/keys", "/docs/3/start", "/docs/3/keys"]
    expect(otherVersionsAmong("/docs/", paths)).toEqual([
      { folder: "/docs/3/", pages: 2 },
      { folder: "/docs/next/", pages: 2 }
    ])
  })

  it("are none where a folder has other pages than the current one, or only its index is known", () => {
    const paths = [
      "/start",
      "/keys",
      "/1.0/",
      "/blog/v2.0/news",
      "/blog/v2.0/more",
      "/api/v1/parcels",
      "/api/v2/berths"
    ]
    expect(otherVersionsAmong("/", paths)).toEqual([])
  })
})
