import { describe, expect, test } from "vitest"
import { datesIn, daysBetween, newestUpTo } from "../../../plugins/d-content/WrittenDate.ts"

const TODAY = "2026-06-15"

describe("dates in a text", () => {
  test.each([
    ["## 1.2.0 (2026-05-03)", ["2026-05-03"]],
    ["2026/5/3: fixes", ["2026-05-03"]],
    ["May 3, 2026", ["2026-05-03"]],
    ["Released 3rd of May 2026", ["2026-05-03"]],
    ["Sun, 03 May 2026 10:00:00 GMT", ["2026-05-03"]],
    ["3-May-2026", ["2026-05-03"]],
    ["Sept. 2025", ["2025-09-30"]],
    ["2026-05-03T10:00:00Z", ["2026-05-03"]]
  ])("%s", (text, days) => expect(datesIn(text, TODAY)).toEqual(days))

  test.each(["Copyright 2026", "version 2026.5.3", "03/05/2026", "2026-13-01", "30 February 2026", "1999", "12026-05-03", "may 20265"])(
    "none in %s",
    (text) => expect(datesIn(text, TODAY)).toEqual([])
  )

  test("the current month is not in the future", () => expect(datesIn("June 2026", TODAY)).toEqual([TODAY]))

  test("a coming month is", () => expect(newestUpTo(datesIn("July 2026", TODAY), TODAY)).toBe(null))

  test("the newest that is not in the future counts", () =>
    expect(newestUpTo(datesIn("2026-07-01 2026-06-14 2026-01-01", TODAY), TODAY)).toBe("2026-06-14"))

  test("days are counted over the change of summer time", () => expect(daysBetween("2026-03-01", "2026-06-15")).toBe(106))

  test("a long text takes no time", () => {
    const started = process.cpuUsage().user
    datesIn("may 2".repeat(100_000), TODAY)
    expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(500)
  })
})
