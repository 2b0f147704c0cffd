import { describe, expect, it } from "vitest"
import { changeSince, changeText } from "../../../engine/audit/compare/ChangeSince.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { someReport } from "../SomeReport.ts"

const base = someReport()
const [first, second] = base.criteria

const scored = (
  criterion: CriterionResult | undefined,
  score: number,
  status: CriterionResult["status"] = "partial"
): ReadonlyArray<CriterionResult> => (criterion === undefined ? [] : [{ ...criterion, score, status }])

const report = (one: number, other: number, more: Partial<AuditReport> = {}): AuditReport => ({
  ...base,
  criteria: [...scored(first, one), ...scored(second, other)],
  total_score: one + other,
  ...more
})

const text = (before: AuditReport, after: AuditReport): string | null => {
  const change = changeSince(before, after)
  return change === null ? null : changeText(change)
}

describe("the change since an earlier audit", () => {
  const [one, other] = [first?.id ?? "", second?.id ?? ""]
  const head = `Since the audit of ${base.audit_date}:`

  it("names the criteria that earn more, and those that earn less", () => {
    expect(text(report(0, 2, { audit_date: base.audit_date }), report(1, 1))).toContain(
      `${head} ${base.reliability.reliable ? "" : "at least "}2 → ${base.reliability.reliable ? "" : "at least "}2 of ${base.max_score} points. Better: ${one} (0 → 1 of ${first?.max}). Worse: ${other} (2 → 1 of ${second?.max}).`
    )
  })

  it("says that nothing changed", () => {
    expect(text(report(1, 1), report(1, 1))).toContain("Of the criteria that both audits could check, none changed.")
  })

  it("counts what only one of the two could check neither way", () => {
    const unchecked = { ...report(0, 1), criteria: [...scored(first, 0, "inconclusive"), ...scored(second, 1)] }
    expect(text(unchecked, report(1, 1))).toContain(
      `Of the criteria that both audits could check, none changed. Only one of the two could check ${one}.`
    )
  })

  it("says that the rubric changed in between", () => {
    expect(text(report(0, 1, { rubric: { ...base.rubric, digest: "sha256:0" } }), report(1, 1))).toContain(
      `The earlier one was judged by ${base.rubric.id} ${base.rubric.version} (sha256:0), this one by ${base.rubric.id} ${base.rubric.version} (${base.rubric.digest}).`
    )
  })

  describe("under another major version of the rubric", () => {
    const rubric = { ...base.rubric, version: "0.9.0", digest: "sha256:0" }
    const said = `Was 5 under ${base.rubric.id} 0.9.0 (audit of ${base.audit_date}), is 2 of ${base.max_score} under ${base.rubric.id} ${base.rubric.version}.`

    it("is what the score was under the older one, and no criterion is called better or worse", () => {
      expect(text(report(3, 2, { rubric }), report(1, 1))).toBe(
        `${said} The two measure and weigh criteria differently, so the difference may be the rubric's.`
      )
    })

    it("tells what the rubric and what the site makes of the difference where the older facts can be judged again", () => {
      const later = { digest: base.rubric.digest, criteria: [] }
      const change = changeSince(report(3, 2, { rubric }), report(1, 1), later)
      expect(change === null ? null : changeText(change)).toBe(
        `${said} Of the difference, the rubric makes −5 and the site +2.`
      )
    })
  })

  it("is none between audits of two URLs", () => {
    expect(text(report(0, 1, { base_url: "https://docs.example.com/other" }), report(1, 1))).toBeNull()
  })
})
