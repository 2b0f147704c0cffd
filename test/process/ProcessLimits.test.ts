import { expect, it } from "vitest"
import { limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { longestAudit, longestFix } from "../../engine/process/ProcessLimits.ts"

const rubric = (pluginSeconds: number | null) => ({ file: "rubric.yaml", content: null, digest: "", pluginSeconds })

it("an audit, and each of the four of a fix, has the time of external plugins besides its own", () => {
  const limits = limitsWith({ gatherMs: 100_000 })
  expect(longestAudit({ limits, rubric: rubric(null) })).toBe(120_000)
  expect(longestAudit({ limits, rubric: rubric(60) })).toBe(180_000)
  expect(longestFix(rubric(null))).toBe(30_000)
  expect(longestFix(rubric(60))).toBe(270_000)
})
