import { enumerated, scoreWords } from "../../criterion/Wording.ts"
import type { AuditReport, CriterionResult } from "../Report.ts"

/** A criterion that earns other points than in the audit before. */
export interface PointChange {
  readonly criterion: CriterionResult
  readonly from: number
}

/** What changed since an earlier audit of the same URL. */
export interface ChangeSince {
  readonly before: AuditReport
  readonly after: AuditReport
  /** In the rubric's order, like `worse`. */
  readonly better: ReadonlyArray<PointChange>
  readonly worse: ReadonlyArray<PointChange>
  /** Criteria that only one of the two audits could check. */
  readonly unknown: ReadonlyArray<CriterionResult>
}

/** `null` if the two are not audits of one URL. */
export const changeSince = (before: AuditReport, after: AuditReport): ChangeSince | null => {
  if (before.base_url !== after.base_url) return null
  const earlier = new Map(before.criteria.map((criterion) => [criterion.id, criterion]))
  const known = after.criteria.flatMap((criterion) => {
    const old = earlier.get(criterion.id)
    return old === undefined ? [] : [{ criterion, old }]
  })
  const isChecked = ({ criterion, old }: (typeof known)[number]): boolean =>
    criterion.status !== "inconclusive" && old.status !== "inconclusive"
  const changes = known.filter(isChecked).map(({ criterion, old }): PointChange => ({ criterion, from: old.score }))
  return {
    before,
    after,
    better: changes.filter(({ criterion, from }) => criterion.score > from),
    worse: changes.filter(({ criterion, from }) => criterion.score < from),
    unknown: known
      .filter(({ criterion, old }) => (criterion.status === "inconclusive") !== (old.status === "inconclusive"))
      .map(({ criterion }) => criterion)
  }
}

/** `Since the audit of 2026-05-03: 41 → 45 of 100. Better: A1 (0 → 2 of 2). Worse: none.` `when` is told instead of the date, where more is known of it. */
export const changeText = (
  { after, before, better, unknown, worse }: ChangeSince,
  when = before.audit_date
): string => {
  const score = ({ reliability: { reliable }, total_score: score }: AuditReport): string => scoreWords(score, reliable)
  const points = ({ criterion: { id, max, score }, from }: PointChange): string =>
    `${id} (${from} → ${score} of ${max})`
  const changed = better.length + worse.length
  const list = (label: string, some: ReadonlyArray<PointChange>): ReadonlyArray<string> =>
    some.length === 0 ? [] : [`${label}: ${enumerated(some.map(points))}.`]
  return [
    `Since the audit of ${when}: ${score(before)} → ${score(after)} of ${after.max_score} points.`,
    ...(changed === 0
      ? ["Of the criteria that both audits could check, none changed."]
      : [...list("Better", better), ...list("Worse", worse)]),
    ...(unknown.length === 0 ? [] : [`Only one of the two could check ${enumerated(unknown.map(({ id }) => id))}.`]),
    ...(before.rubric.digest === after.rubric.digest ? [] : ["They were judged by different versions of the rubric."])
  ].join(" ")
}
