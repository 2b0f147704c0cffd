import { expect, it } from "vitest"
import { isoWeekOf } from "../../../engine/store/snapshots/Snapshots.ts"

it.each([
  ["2026-11-29T23:59:59.999Z", "2026-W48"],
  ["2026-11-30T00:00:00.000Z", "2026-W49"],
  ["2026-01-01T00:00:00Z", "2026-W01"],
  ["2027-01-03T12:00:00Z", "2026-W53"],
  ["2027-01-04T00:00:00Z", "2027-W01"],
  ["2024-12-30T00:00:00Z", "2025-W01"],
  ["2016-01-03T00:00:00Z", "2015-W53"],
  ["1970-01-01T00:00:00Z", "1970-W01"]
])("%s is in week %s of ISO 8601", (time, week) => {
  expect(isoWeekOf(Date.parse(time))).toBe(week)
})

it("a week has seven days, and comes after the one before as text", () => {
  const [first, days] = [Date.parse("2025-12-01T00:00:00Z"), 2 * 371]
  const weeks = Array.from({ length: days }, (_, day) => isoWeekOf(first + day * 86_400_000))
  expect(weeks).toEqual(weeks.toSorted())
  expect(new Set([...Map.groupBy(weeks, (week) => week).values()].map(({ length }) => length))).toEqual(new Set([7]))
})
