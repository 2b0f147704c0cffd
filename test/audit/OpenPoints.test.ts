import { expect, it } from "vitest"
import { openPoints } from "../../engine/audit/FixFirst.ts"
import { flagTexts } from "../../engine/report/SectionWords.ts"
import { someCriterion, someReport } from "./SomeReport.ts"

const report = someReport({
  criteria: [
    someCriterion({ id: "D5", status: "inconclusive", score: 0, max: 3, reason: "our_limit" }),
    someCriterion({ id: "D7", status: "inconclusive", score: 0, max: 2, reason: "our_limit" }),
    someCriterion({ id: "D4", status: "inconclusive", score: 0, max: 3 })
  ],
  reliability: { reliable: true, coverage: 1, flags: ["timed_out", "truncated"], skipped: [] }
})

it("points that limits of ours leave open are those of criteria with that reason", () => {
  expect(openPoints(report.criteria)).toBe(5)
})

it("a report says once, behind the last flag that tells of a limit, which criteria it leaves open, and with which flag more is read", () => {
  const [timedOut = "", truncated = ""] = flagTexts(report)
  expect(timedOut).toContain("`--timeout`")
  expect(timedOut).not.toContain("D5")
  expect(truncated).toContain("`--sample`")
  expect(truncated).toContain("D5 and D7 (5 points) are open because of it: that says nothing against the site.")
})
