import { enumerated, scoreWords, signed } from "../../plugin/Wording.ts"
import { type AuditReport, type CriterionResult, namesOfBoth } from "../Report.ts"
import { differInMajor, type Rejudging, rubricShift, type Shift } from "./RubricShift.ts"

/** A criterion that earns other points than in the audit before. */
interface PointChange {
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
  /** What the rubric and the site make of the difference, where another major version judged the earlier audit and its facts tell. */
  readonly shift: Shift | null
}

interface LaterRubric {
  readonly digest: string
  readonly criteria: ReadonlyArray<Rejudging>
}

/** `null` if the two are not audits of one URL. `rubric`: by which the earlier facts are judged again, if it judged the later report. */
export const changeSince = (
  before: AuditReport,
  after: AuditReport,
  rubric: LaterRubric | null = null
): ChangeSince | null => {
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
      .map(({ criterion }) => criterion),
    shift: rubric !== null && differInMajor(before, after) ? (rubricShift(before, after, rubric)?.total ?? null) : null
  }
}

/** `Since the audit of 2026-05-03: 41 → 45 of 100. Better: A1 (0 → 2 of 2). Worse: none.` `when` is told instead of the date, where more is known of it. */
export const changeText = (change: ChangeSince, when = change.before.audit_date): string => {
  const { after, before, better, unknown, worse } = change
  if (differInMajor(before, after)) return acrossMajors(change, when)
  const [from, to] = namesOfBoth(before.rubric, after.rubric)
  const points = ({ criterion: { id, max, score }, from }: PointChange): string =>
    `${id} (${from} → ${score} of ${max})`
  const changed = better.length + worse.length
  const list = (label: string, some: ReadonlyArray<PointChange>): ReadonlyArray<string> =>
    some.length === 0 ? [] : [`${label}: ${enumerated(some.map(points))}.`]
  return [
    `Since the audit of ${when}: ${scoreOf(before)} → ${scoreOf(after)} of ${after.max_score} points.`,
    ...(changed === 0
      ? ["Of the criteria that both audits could check, none changed."]
      : [...list("Better", better), ...list("Worse", worse)]),
    ...(unknown.length === 0 ? [] : [`Only one of the two could check ${enumerated(unknown.map(({ id }) => id))}.`]),
    ...(before.rubric.digest === after.rubric.digest
      ? []
      : [`The earlier one was judged by ${from}, this one by ${to}.`])
  ].join(" ")
}

const scoreOf = ({ reliability: { reliable }, total_score: score }: AuditReport): string => scoreWords(score, reliable)

/** Points of different major versions do not compare, so criteria are not listed as better or worse. */
const acrossMajors = ({ after, before, shift }: ChangeSince, when: string): string => {
  const [from, to] = namesOfBoth(before.rubric, after.rubric)
  const head = `Was ${scoreOf(before)} under ${from} (audit of ${when}), is ${scoreOf(after)} of ${after.max_score} under ${to}.`
  return shift === null || shift.byRubric === null || shift.bySite === null
    ? `${head} The two measure and weigh criteria differently, so the difference may be the rubric's.`
    : `${head} Of the difference, the rubric makes ${signed(shift.byRubric)} and the site ${signed(shift.bySite)}.`
}
