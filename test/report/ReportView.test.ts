import { describe, expect, it } from "vitest"
import {
  citedIn,
  coverageText,
  findingsOf,
  missedFindings,
  placeOn,
  reportView,
  scoreInFull,
  verdictText
} from "../../engine/report/ReportView.ts"
import { BASE, someCriterion, someReport } from "../audit/SomeReport.ts"

const UNRELIABLE = someReport({ reliability: { reliable: false, coverage: 0.57, flags: [], skipped: [] } })

describe("the view of a report", () => {
  it("has each criterion once: in its category, and as a fix, with one, or in a sentence beside the fixes", () => {
    const report = someReport()
    const { besides, categories, fixes } = reportView(report)
    expect(categories.flatMap(({ criteria }) => criteria)).toEqual(report.criteria)
    expect(fixes.flatMap(({ criterion, includes }) => [criterion, ...includes]).map(({ id }) => id)).toEqual([
      "B1",
      "A2"
    ])
    expect(besides).toEqual(["Could not be checked: B2.", "Full points: A1."])
  })

  it("names a signal of an older report by its id", () => {
    const signals = [{ id: "llms_full", seen: true, url: `${BASE}/llms-full.txt` }]
    expect(reportView(someReport({ signals })).signals).toMatchObject([{ name: "llms full", about: "" }])
  })
})

describe("the words of a report", () => {
  it("give a score that is not reliable as a lower bound, without its verdict", () => {
    expect(scoreInFull(someReport())).toBe("6 of 12, Gaps")
    expect(scoreInFull(UNRELIABLE)).toBe("at least 6 of 12, not reliable")
    expect(verdictText(UNRELIABLE)).toBe("not reliable")
  })

  it("say how much could be checked, unless all could", () => {
    expect(coverageText(someReport())).toBe("")
    expect(coverageText(UNRELIABLE)).toBe("We could check only 57 of 100 points.")
  })

  it("shorten a URL to its path on the audited origin alone", () => {
    expect(placeOn(BASE, `${BASE}/a?b`)).toBe("/a?b")
    expect(placeOn(BASE, `${BASE}.evil.example/a`)).toBe(`${BASE}.evil.example/a`)
  })
})

it("What could not be checked, and what has full points, is not told as missed", () => {
  const report = someReport()
  expect(missedFindings(report, report.criteria).map(({ criterion }) => criterion.id)).toEqual(["A2", "B1"])
})

it("A criterion without findings, of an older report, is shown by its evidence", () => {
  const criterion = someCriterion({
    id: "A1",
    evidence: [{ url: BASE, status: 200, note: "Seen.", exchange: 3 }]
  })
  expect(findingsOf(criterion)).toEqual(criterion.evidence)
  expect([...citedIn(criterion)]).toEqual([3])
})
