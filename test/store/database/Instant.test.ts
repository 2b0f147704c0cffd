import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { formatInstant, parseInstant } from "../../../engine/store/database/ColumnValues.ts"

describe("instants", () => {
  it("are written with six digits and parsed back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000_000 }), (micros) => {
        expect(formatInstant(micros)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        expect(parseInstant(formatInstant(micros))).toBe(micros)
      })
    )
    expect(formatInstant(1_763_719_200_000_007)).toBe("2025-11-21T10:00:00.000007Z")
  })

  it("sort as their texts do", () =>
    fc.assert(
      fc.property(fc.nat({ max: 9_007_199_254_740 }), fc.nat({ max: 9_007_199_254_740 }), (one, other) => {
        expect(formatInstant(one) < formatInstant(other)).toBe(one < other)
      })
    ))

  it.each([
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-01t00:00:00z", 0],
    ["1970-01-01T01:00:00+01:00", 0],
    ["1969-12-31T23:30:00-00:30", 0],
    ["1969-12-31T23:59:59.5Z", -500_000],
    ["1970-01-01T00:00:00.1Z", 100_000],
    ["1970-01-01T00:00:00.0000001Z", 1],
    ["1970-01-01T00:00:00.0000010Z", 1],
    ["1970-01-01T00:00:00.000001000000000000000001Z", 2],
    ["2000-02-29T00:00:00Z", 951_782_400_000_000],
    ["1990-12-31T23:59:60Z", 662_688_000_000_000],
    ["9999-12-31T23:59:59Z", Number.MAX_SAFE_INTEGER],
    ["0000-01-01T00:00:00Z", -Number.MAX_SAFE_INTEGER]
  ])("reads %s", (text, micros) => expect(parseInstant(text)).toBe(micros))

  it.each([
    "",
    "now",
    "1763719200",
    "2026-11-21",
    "2026-11-21T12:00Z",
    "2026-11-21 12:00:00Z",
    "2026-11-21T12:00:00",
    "2026-13-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-11-31T00:00:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T12:60:00Z",
    "2026-11-21T12:00:61Z",
    "2026-11-21T12:00:00+24:00",
    "2026-11-21T12:00:00+01",
    "2026-11-21T12:00:00.Z",
    "+2026-11-21T12:00:00Z",
    " 2026-11-21T12:00:00Z",
    "2026-11-21T12:00:00Z\n",
    "2026-11-21T12:00:00 01:00",
    "２０２６-11-21T12:00:00Z"
  ])("does not read %j", (text) => expect(parseInstant(text)).toBeNull())
})
