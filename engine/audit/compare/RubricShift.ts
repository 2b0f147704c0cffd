import { isBelow } from "../../rubric/source/VersionBump.ts"
import type { StoredReport } from "../StoredRun.ts"
import { revisionParts } from "../../plugin/Registry.ts"
import type { CriterionDefinition } from "../../rubric/definition/Rubric.ts"
import type { LoadedCriterion } from "../../rubric/RubricFile.ts"
import { isDeepStrictEqual } from "node:util"
import type { Measured } from "../Report.ts"
import { judge, type Judgement } from "../Score.ts"

/** What can be judged again: a criterion of a rubric, whatever plugin it is bound to. */
export type Rejudging = Pick<LoadedCriterion<unknown>, "definition" | "levels">

/** Why stored facts say nothing about a criterion as it is now. */
export type NotRejudged =
  | "not_measured"
  /** Another plugin, or another major revision of it: the same site could give other facts. */
  | "plugin"
  /** The plugin was told other params. */
  | "params"
  /** A condition reads a fact that the plugin did not have yet. */
  | "facts"

/** A judgement of facts that were measured earlier, or the reason why there is none. */
export type Rejudgement = Judgement | NotRejudged

/**
 * Judges facts that an earlier run measured by a criterion of another rubric. Only facts that the criterion's own plugin, at its
 * revision, with its params would have measured are judged; missing evidence stays `inconclusive`. A revision that only added facts
 * needs no trace in a report: the facts that a report has tell whether the conditions can be judged.
 */
export const rejudge = ({ definition, levels }: Rejudging, measured: Measured | undefined): Rejudgement => {
  if (measured === undefined) return "not_measured"
  if (measured.plugin !== definition.plugin || measured.revision !== revisionParts(definition.revision).major)
    return "plugin"
  if (!isDeepStrictEqual(measured.params, definition.params)) return "params"
  const { facts } = measured
  if (facts !== null && levels.some(({ condition }) => condition?.reads.some((name) => !Object.hasOwn(facts, name))))
    return "facts"
  return judge(levels, facts, measured.uncertain)
}

/** The reason in words, to follow the criterion's id. */
export const notRejudgedText: Readonly<Record<NotRejudged, string>> = {
  not_measured: "was not measured",
  plugin: "was measured by another plugin or revision",
  params: "was measured with other params",
  facts: "was measured by an earlier revision, which lacks a fact that is judged now"
}

/** A difference of points, told apart by where it comes from; `null` where that cannot be known. */
export interface Shift {
  readonly before: number
  /** What the newer rubric gives for the older facts. */
  readonly rejudged: number | null
  readonly after: number
  /** `rejudged` less `before`. */
  readonly byRubric: number | null
  /** `after` less `rejudged`. */
  readonly bySite: number | null
}

export interface ShiftedCriterion extends Shift {
  readonly id: string
  readonly title: string
  /** Why the older facts cannot be judged by the newer rubric, to follow the id; `null` where they can. */
  readonly reason: string | null
}

/** Two reports of one site under different rubrics: what the site changed, and what the rubric changed. */
export interface RubricShift {
  readonly from: StoredReport["rubric"]
  readonly to: StoredReport["rubric"]
  readonly total: Shift
  /** In the order of the newer rubric; what it no longer has comes last. */
  readonly criteria: ReadonlyArray<ShiftedCriterion>
}

/** Of two reports the older and the newer one: by date, then by the rubric's version; else in the order given. */
export const inOrderOfTime = <Report extends Pick<StoredReport, "audit_date" | "rubric">>(
  one: Report,
  other: Report
): readonly [older: Report, newer: Report] => {
  const swapped =
    one.audit_date === other.audit_date
      ? isBelow(other.rubric.version, one.rubric.version)
      : other.audit_date < one.audit_date
  return swapped ? [other, one] : [one, other]
}

/** Whether two reports were judged by different rubrics. */
export const differInRubric = (one: Pick<StoredReport, "rubric">, other: Pick<StoredReport, "rubric">): boolean =>
  one.rubric.digest !== other.rubric.digest

/** Whether the scores of two reports do not compare: their rubrics have other names, or other major versions. */
export const differInMajor = (one: Pick<StoredReport, "rubric">, other: Pick<StoredReport, "rubric">): boolean =>
  one.rubric.id !== other.rubric.id || majorOf(one.rubric.version) !== majorOf(other.rubric.version)

/** Whether one major version of the rubric judged two runs, so that their scores compare; `versions` are the known ones, by digest. */
export const haveOneMajor = (
  one: { readonly rubricDigest: string },
  other: { readonly rubricDigest: string },
  versions: ReadonlyMap<string, string>
): boolean => {
  if (one.rubricDigest === other.rubricDigest) return true
  const [from, to] = [versions.get(one.rubricDigest), versions.get(other.rubricDigest)]
  return from !== undefined && to !== undefined && majorOf(from) === majorOf(to)
}

const majorOf = (version: string): string => version.split(".")[0] ?? ""

/**
 * Tells apart what the site changed from what the rubric changed between two reports, by judging the older facts by the
 * newer report's rubric, which `rubric` must be. Where `rejudge` cannot judge the older facts, the shift of that criterion, and of
 * the total, is not known.
 */
export const rubricShift = (
  older: StoredReport,
  newer: StoredReport,
  rubric: { readonly digest: string; readonly criteria: ReadonlyArray<Rejudging> }
): RubricShift | null => {
  if (newer.rubric.digest !== rubric.digest) return null
  const [before, after] = [byId(older), byId(newer)]
  const same = !differInRubric(older, newer)
  const present = rubric.criteria.map((criterion): ShiftedCriterion => {
    const { id, title } = criterion.definition
    const old = before.get(id)
    const again = same && old !== undefined ? old.score : rejudgedScore(criterion, old)
    const shift = shiftOf(old?.score ?? 0, typeof again === "string" ? null : again, after.get(id)?.score ?? 0)
    return { id, title, ...shift, reason: typeof again === "string" ? again : null }
  })
  const kept = new Set(present.map(({ id }) => id))
  const gone = older.criteria
    .filter(({ id }) => !kept.has(id))
    .map(({ id, score, title }): ShiftedCriterion => ({ id, title, ...shiftOf(score, 0, 0), reason: null }))
  const criteria = [...present, ...gone]
  const rejudged = criteria.reduce<number | null>(
    (sum, shift) => (sum === null || shift.rejudged === null ? null : sum + shift.rejudged),
    0
  )
  return {
    from: older.rubric,
    to: newer.rubric,
    total: shiftOf(older.total_score, rejudged, newer.total_score),
    criteria
  }
}

const byId = (report: StoredReport) => new Map(report.criteria.map((result) => [result.id, result]))

const rejudgedScore = (criterion: Rejudging, old: StoredReport["criteria"][number] | undefined): number | string => {
  const verdict = rejudge(criterion, old?.measured)
  return typeof verdict === "string" ? notRejudgedText[verdict] : verdict.earns
}

const shiftOf = (before: number, rejudged: number | null, after: number): Shift => ({
  before,
  rejudged,
  after,
  byRubric: rejudged === null ? null : rejudged - before,
  bySite: rejudged === null ? null : after - rejudged
})

/** What decides the points of a criterion. */
type Judging = Pick<CriterionDefinition, "id" | "levels" | "params" | "plugin" | "revision">

/** The ids of the criteria that two rubrics judge or measure differently, or that only one of them has. */
export const judgedDifferently = (
  earlier: ReadonlyArray<Judging>,
  later: ReadonlyArray<Judging>
): ReadonlyArray<string> => {
  const before = new Map(earlier.map((criterion) => [criterion.id, criterion]))
  const kept = new Set(later.map(({ id }) => id))
  const changed = later.filter((criterion) => {
    const old = before.get(criterion.id)
    return old === undefined || !isDeepStrictEqual(judging(old), judging(criterion))
  })
  return [...changed.map(({ id }) => id), ...earlier.filter(({ id }) => !kept.has(id)).map(({ id }) => id)]
}

const judging = ({ levels, params, plugin, revision }: Judging) => ({
  plugin,
  revision: revisionParts(revision).major,
  params,
  levels: levels.map(({ earns, status, when }) => ({ earns, status, when: when ?? null }))
})
