import { describe, expect, test } from "vitest"
import type { Language } from "../../../engine/text/languages/Language.ts"
import { datesIn, daysSince, newestUpTo } from "../../../plugins/d-content/WrittenDate.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const TODAY = "2026-06-15"

describe("dates in a text", () => {
  test.each([
    ["## 1.2.0 (2026-05-03)", ["2026-05-03"]],
    ["2026/5/3: fixes", ["2026-05-03"]],
    ["May 3, 2026", ["2026-05-03"]],
    ["Released 3rd of May 2026", ["2026-05-03"]],
    ["Sun, 03 May 2026 10:00:00 GMT", ["2026-05-03"]],
    ["3-May-2026", ["2026-05-03"]],
    ["Sept. 2025", ["2025-09"]],
    ["2026-03", ["2026-03"]],
    ["[2026-03] Orders can be changed", ["2026-03"]],
    ["2026/03: fixes", ["2026-03"]],
    ["2026-05-03T10:00:00Z", ["2026-05-03"]]
  ])("%s", (text, days) => expect(datesIn(text)).toEqual(days))

  test.each([
    "Copyright 2026",
    "version 2026.5.3",
    "03/05/2026",
    "2026-13-01",
    "30 February 2026",
    "1999",
    "12026-05-03",
    "may 20265",
    "2026-13",
    "2026-3",
    "2026-03.1",
    "2026-0312",
    "2026-03-preview",
    "since 2026-03"
  ])("none in %s", (text) => expect(datesIn(text)).toEqual([]))

  test.each<readonly [Language, string, ReadonlyArray<string>]>([
    ["de", "0.2.0 – 08. Mai 2026", ["2026-05-08"]],
    ["de", "Stand: 3.5.2026", ["2026-05-03"]],
    ["de", "März 2026", ["2026-03"]],
    ["es", "3 de mayo de 2026", ["2026-05-03"]],
    ["es", "mayo de 2026", ["2026-05"]],
    ["es", "3 de mayo del 2026", ["2026-05-03"]],
    ["es", "03/05/2026", ["2026-05-03"]],
    ["fr", "1er mai 2026", ["2026-05-01"]],
    ["fr", "Mars 2026", ["2026-03"]],
    ["fr", "12 février 2026", ["2026-02-12"]],
    ["ja", "2026年5月3日", ["2026-05-03"]],
    ["ja", "２０２６年５月", ["2026-05"]],
    ["ko", "2026년 5월", ["2026-05"]],
    ["ko", "2026년 5월 3일", ["2026-05-03"]],
    ["ko", "2026. 5. 3.", ["2026-05-03"]],
    ["pt", "Março de 2026", ["2026-03"]],
    ["pt", "3 de março de 2026", ["2026-03-03"]],
    ["ru", "3 мая 2026 г.", ["2026-05-03"]],
    ["ru", "Май 2026", ["2026-05"]],
    ["ru", "03.05.2026", ["2026-05-03"]],
    ["zh", "2026年5月", ["2026-05"]],
    ["zh", "2026年5月3日更新", ["2026-05-03"]],
    ["zh", "2026.05.03", ["2026-05-03"]]
  ])("in %s: %s", (language, text, days) => expect(datesIn(text, new Set([language]))).toEqual(days))

  test.each<readonly [Language, string]>([
    ["de", "Version 1.2.2026.4"],
    ["de", "30. Februar 2026"],
    ["ja", "2026年13月1日"],
    ["zh", "v2026.5.3.1"],
    ["ru", "2026"],
    ["fr", "12 mai"]
  ])("none in %s: %s", (language, text) => expect(datesIn(text, new Set([language]))).toEqual([]))

  test("takes the current month for none in the future", () =>
    expect(newestUpTo(datesIn("June 2026"), TODAY)).toBe("2026-06"))

  test("takes a coming month for one in the future", () => expect(newestUpTo(datesIn("July 2026"), TODAY)).toBe(null))

  test("finds the newest date that is not in the future", () =>
    expect(newestUpTo(datesIn("2026-07-01 2026-06-14 2026-01-01"), TODAY)).toBe("2026-06-14"))

  test("prefers a day to its month, and a month to a day of an earlier one", () => {
    expect(newestUpTo(datesIn("May 2026, 2026-05-03"), TODAY)).toBe("2026-05-03")
    expect(newestUpTo(datesIn("May 2026, 2026-04-30"), TODAY)).toBe("2026-05")
  })

  test("counts the days since the end of a month, and none in the current one", () => {
    expect(daysSince("2026-05", TODAY)).toBe(15)
    expect(daysSince("2026-06", TODAY)).toBe(0)
  })

  test("days are counted over the change of summer time", () => expect(daysSince("2026-03-01", "2026-06-15")).toBe(106))

  test("a long text takes no time", () => {
    const started = cpuMs()
    datesIn("may 2".repeat(100_000))
    expect(cpuMs() - started).toBeLessThan(500)
  })
})
