import { describe, expect, test } from "vitest"
import type { Language } from "../../../../engine/text/languages/Language.ts"
import { daysBetween, newestUpTo } from "../../../../plugins/d-content/dates/Day.ts"
import { datesIn } from "../../../../plugins/d-content/dates/WrittenDate.ts"
import { cpuMs } from "../../../harness/CpuTime.ts"

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

  test.each([
    "Copyright 2026",
    "version 2026.5.3",
    "03/05/2026",
    "2026-13-01",
    "30 February 2026",
    "1999",
    "12026-05-03",
    "may 20265"
  ])("none in %s", (text) => expect(datesIn(text, TODAY)).toEqual([]))

  test.each<readonly [Language, string, ReadonlyArray<string>]>([
    ["de", "0.2.0 – 08. Mai 2026", ["2026-05-08"]],
    ["de", "Stand: 3.5.2026", ["2026-05-03"]],
    ["de", "März 2026", ["2026-03-31"]],
    ["es", "3 de mayo de 2026", ["2026-05-03"]],
    ["es", "mayo de 2026", ["2026-05-31"]],
    ["es", "03/05/2026", ["2026-05-03"]],
    ["fr", "1er mai 2026", ["2026-05-01"]],
    ["fr", "12 février 2026", ["2026-02-12"]],
    ["ja", "2026年5月3日", ["2026-05-03"]],
    ["ja", "２０２６年５月", ["2026-05-31"]],
    ["ko", "2026년 5월 3일", ["2026-05-03"]],
    ["ko", "2026. 5. 3.", ["2026-05-03"]],
    ["pt", "3 de março de 2026", ["2026-03-03"]],
    ["ru", "3 мая 2026 г.", ["2026-05-03"]],
    ["ru", "Май 2026", ["2026-05-31"]],
    ["ru", "03.05.2026", ["2026-05-03"]],
    ["zh", "2026年5月3日更新", ["2026-05-03"]],
    ["zh", "2026.05.03", ["2026-05-03"]]
  ])("in %s: %s", (language, text, days) => expect(datesIn(text, TODAY, new Set([language]))).toEqual(days))

  test.each<readonly [Language, string]>([
    ["de", "Version 1.2.2026.4"],
    ["de", "30. Februar 2026"],
    ["ja", "2026年13月1日"],
    ["zh", "v2026.5.3.1"],
    ["ru", "2026"],
    ["fr", "12 mai"]
  ])("none in %s: %s", (language, text) => expect(datesIn(text, TODAY, new Set([language]))).toEqual([]))

  test("the current month is not in the future", () => expect(datesIn("June 2026", TODAY)).toEqual([TODAY]))

  test("a coming month is", () => expect(newestUpTo(datesIn("July 2026", TODAY), TODAY)).toBe(null))

  test("the newest that is not in the future counts", () =>
    expect(newestUpTo(datesIn("2026-07-01 2026-06-14 2026-01-01", TODAY), TODAY)).toBe("2026-06-14"))

  test("days are counted over the change of summer time", () =>
    expect(daysBetween("2026-03-01", "2026-06-15")).toBe(106))

  test("a long text takes no time", () => {
    const started = cpuMs()
    datesIn("may 2".repeat(100_000), TODAY)
    expect(cpuMs() - started).toBeLessThan(500)
  })
})
