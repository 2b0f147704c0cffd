import { expect, it } from "vitest"
import { limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { longestAudit, longestFix, slowFix } from "../../engine/process/ProcessLimits.ts"

const rubric = (pluginSeconds: number | null) => ({ file: "rubric.yaml", content: null, digest: "", pluginSeconds })

it("an audit, and each of the four of a fix, has the time of external plugins besides its own", () => {
  const limits = limitsWith({ gatherMs: 100_000 })
  expect(longestAudit({ limits, rubric: rubric(null) })).toBe(120_000)
  expect(longestAudit({ limits, rubric: rubric(60) })).toBe(180_000)
  expect(longestFix({ rubric: rubric(null), isSlow: false })).toBe(60_000)
  expect(longestFix({ rubric: rubric(60), isSlow: false })).toBe(300_000)
})

it("a fix is slow beyond a third of its time, and those after it have half", () => {
  expect([slowFix(rubric(null)), longestFix({ rubric: rubric(null), isSlow: true })]).toEqual([20_000, 30_000])
  expect([slowFix(rubric(60)), longestFix({ rubric: rubric(60), isSlow: true })]).toEqual([100_000, 150_000])
})
