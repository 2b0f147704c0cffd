import { describe, expect, it } from "vitest"
import { isInForceAmong } from "../../../engine/site/address/VersionFolders.ts"

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
})
