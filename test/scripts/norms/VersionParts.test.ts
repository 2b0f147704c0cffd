import { describe, expect, it } from "vitest"
import { isLater, newestOf, versionParts } from "../../../scripts/norms/VersionParts.ts"

describe("the numbers of a version", () => {
  it.each([
    ["v1.0.1", [1, 0, 1]],
    ["30.0", [30, 0]],
    ["v29.4-release", [29, 4]],
    ["2026-07-28", [2026, 7, 28]],
    ["draft-10", [10]],
    ["September2025", [2025, 9]]
  ])("are read of %s", (version, parts) => {
    expect(versionParts(version)).toEqual(parts)
  })

  it.each(["2026-07-28-RC", "v3.0.0-next-major-spec.18", "latest", "RFC 9309", "Smarch2025", "", "1.2.3.4.5.6.7"])(
    "are none of %s",
    (version) => {
      expect(versionParts(version)).toBe(null)
    }
  )

  it("say which version is later, number by number and not letter by letter", () => {
    expect(isLater([3, 10], [3, 9])).toBe(true)
    expect(isLater([3, 2], [3, 2, 0])).toBe(false)
    expect(isLater([3, 2, 1], [3, 2])).toBe(true)
    expect(isLater([2025, 9], [2026, 1])).toBe(false)
  })
})

describe("the newest of some versions", () => {
  it("leaves out candidates and names", () => {
    expect(newestOf(["v29.4-release", "latest", "v30.0", "v31.0-rc1", "v3.9-release"])).toBe("v30.0")
    expect(newestOf(["latest"])).toBe(null)
  })
})
