import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { FactRecord } from "../../plugin/Fact.ts"
import type { BoundCriterion } from "../../plugin/Registry.ts"
import type { LoadedCriterion, LoadedRubric, UnboundRubric } from "../../rubric/RubricFile.ts"
import type { ParserPool } from "../../parse/ParserPool.ts"
import {
  type CriterionChange,
  decidingConditions,
  factsNamed,
  type JudgedLevels,
  scaledTotal
} from "./CriterionChange.ts"
import { judgedDifferently, type NotRejudged, notRejudgedText, rejudge, type Rejudgement } from "./RubricShift.ts"
import { type ReplayedRun, replayRun, type StoredReport, type StoredRun } from "../StoredRun.ts"
import { allCriteria, type CriterionResult, type CriterionStatus } from "../Report.ts"
import { type Judgement, sum, verdictOf } from "../Score.ts"
import { type TrialOutcome, trialOutcome } from "./TrialTally.ts"
import { firstNamed } from "../../plugin/Wording.ts"
import { rubricOfReport } from "../Assemble.ts"

/** A rubric by which runs may have been judged. */
export interface EarlierRubric {
  readonly rubric: UnboundRubric
  /** Bound to the plugins of this program; `null` where it was written for others. */
  readonly loaded: LoadedRubric<BoundCriterion> | null
}

export interface RescoreOptions {
  /** By which to judge; `promoted` may have given points to criteria on trial. */
  readonly rubric: LoadedRubric<BoundCriterion>
  /** By digest: to name the conditions of before, and to judge archives that have no report. */
  readonly earlier: ReadonlyMap<string, EarlierRubric>
  /** The rubric to compare with where a run is of a file of facts, whatever judged it when it was recorded; `null`: that one. */
  readonly before?: LoadedRubric<BoundCriterion> | null
}

/** A run judged again. */
export interface RescoredRun {
  readonly _tag: "Rescored"
  readonly name: string
  readonly site: string
  readonly date: string
  readonly before: { readonly rubric: StoredReport["rubric"]; readonly score: number; readonly verdict: string }
  readonly after: { readonly score: number; readonly verdict: string }
  /** Whether the scores can be relied on: neither the stored report nor the replay says otherwise. */
  readonly reliable: boolean
  /** Whether the archive was replayed. */
  readonly replayed: boolean
  /** In the order of the rubric; what the rubric no longer has comes last. */
  readonly moves: ReadonlyArray<CriterionChange>
  /** Of every criterion of the rubric, in its order, whether it moves or not. */
  readonly statuses: ReadonlyArray<CriterionStatuses>
  /** Of every criterion on trial, in the order of the rubric. */
  readonly trials: ReadonlyArray<TrialOutcome>
  /**
   * Whether the change of the rubric touches this run: its score changes, or a criterion that the two rubrics judge differently
   * earns points here by one of them. `null`: the rubric of the run is not at hand.
   */
  readonly concerned: boolean | null
  /** Whether the site was made up for tests. */
  readonly synthetic: boolean
}

export interface CriterionStatuses {
  readonly id: string
  readonly title: string
  /** `null`: the run's rubric did not have it. */
  readonly before: CriterionStatus | null
  readonly after: CriterionStatus
}

/** A run that cannot be judged again without guessing. */
export interface NotComparable {
  readonly _tag: "NotComparable"
  readonly name: string
  /** `null` where not even that is known. */
  readonly site: string | null
  /** Why, in one plain clause. */
  readonly reason: string
}

export type RescoreOutcome = RescoredRun | NotComparable

/**
 * Judges a stored run by another rubric, without the network: from its facts where they are what the rubric's plugins
 * would measure, else from its archive. A run that has neither is not comparable.
 */
export const rescoreRun = Effect.fn("Rescore.run")(function* (
  run: StoredRun,
  options: RescoreOptions
): Effect.fn.Return<RescoreOutcome, never, ParserPool> {
  const { name } = run
  const incomparable =
    (site: string | null) =>
    (reason: string): NotComparable => ({ _tag: "NotComparable", name, site, reason })
  const report = run.report === null ? yield* Effect.result(reportFrom(run, options)) : Result.succeed(run.report)
  if (Result.isFailure(report)) return incomparable(null)(report.failure)
  const { before = null } = options
  const judged = run.facts === true && before !== null ? judgedBy(report.success, before) : null
  return yield* Effect.match(judgeAgain(judged ?? report.success, run, options), {
    onFailure: incomparable(report.success.base_url),
    onSuccess: (again): RescoreOutcome => ({ _tag: "Rescored", name, ...again })
  })
})

/** What the run's own rubric makes of its archive. */
const reportFrom = Effect.fnUntraced(function* (
  run: StoredRun,
  { earlier }: RescoreOptions
): Effect.fn.Return<StoredReport, string, ParserPool> {
  if (run.archive === null) return yield* Effect.fail("there is neither a report nor an archive")
  const archive = yield* run.archive
  if (archive.run === null) return yield* Effect.fail("its archive does not say what was audited, and how")
  const { digest, id, version } = archive.run.rubric
  const known = earlier.get(digest)
  if (known === undefined)
    return yield* Effect.fail(
      `it has no report, and the rubric that judged it, ${id} ${version} (${digest.slice(0, 15)}…), is not at hand`
    )
  if (known.loaded === null)
    return yield* Effect.fail(`it has no report, and ${id} ${version}, which judged it, was written for other plugins`)
  const { cut, report } = yield* replayRun(archive, known.loaded)
  return cut.length === 0 ? report : yield* Effect.fail(`it has no report, and ${cutText(cut)}`)
})

/** Criteria that a reason names at most. */
const NAMED = 5

const cutText = (criteria: ReadonlyArray<string>): string =>
  `its archive was cut to its size limit: it lacks part of what ${firstNamed(criteria, NAMED)} ${criteria.length === 1 ? "reads" : "read"}`

/** Why stored facts don't do: the criteria of each reason together. */
const reasonsOf = (wanting: ReadonlyArray<Wanting>): string =>
  [...Map.groupBy(wanting, ({ verdict }) => verdict)]
    .map(([verdict, group]) => {
      const text = notRejudgedText[verdict]
      return `${firstNamed(
        group.map(({ criterion }) => criterion.definition.id),
        NAMED
      )} ${group.length === 1 ? text : text.replace(/^was /, "were ")}`
    })
    .join(", ")

const judgeAgain = Effect.fnUntraced(function* (
  report: StoredReport,
  run: StoredRun,
  { earlier, rubric }: RescoreOptions
): Effect.fn.Return<Omit<RescoredRun, "_tag" | "name">, string, ParserPool> {
  const known = earlier.get(report.rubric.digest)?.rubric ?? null
  const stored = new Map(allCriteria(report).map((result) => [result.id, result]))
  const tried = (criterion: LoadedCriterion<BoundCriterion>): Tried => {
    const measured = stored.get(criterion.definition.id)?.measured
    return { criterion, verdict: rejudge(criterion, measured), facts: measured?.facts ?? null }
  }
  const first = rubric.criteria.map(tried)
  const onTrial = rubric.experimental.map(tried)
  const wanting = first.flatMap(wantingOf)
  const replayed =
    wanting.length === 0
      ? yield* replayForTrials(onTrial.flatMap(wantingOf), run, rubric, report)
      : yield* replayFor(wanting, run, rubric, report)
  const again = new Map(replayed?.report.criteria.map((result) => [result.id, result]))
  const verdicts = first.map(({ verdict, ...tried }): Verdict =>
    typeof verdict === "string"
      ? fresh({ ...tried, verdict }, again.get(tried.criterion.definition.id))
      : { ...tried, verdict, remeasured: null }
  )
  const score = scaledTotal(
    sum(verdicts.map(({ verdict }) => verdict.earns)),
    rubric.criteria.map(({ definition }) => definition)
  )
  return {
    site: report.base_url,
    date: report.audit_date,
    before: { rubric: report.rubric, score: report.total_score, verdict: report.verdict },
    after: { score, verdict: verdictOf(rubric.rubric.verdicts, score) },
    reliable: report.reliability?.reliable !== false && replayed?.report.reliability.reliable !== false,
    replayed: replayed !== null,
    statuses: verdicts.map(
      ({
        criterion: {
          definition: { id, title }
        },
        verdict
      }) => ({ id, title, before: stored.get(id)?.status ?? null, after: verdict.status })
    ),
    moves: movesOf(report, verdicts, known),
    trials: onTrial.map(({ criterion, verdict }) =>
      trialOutcome(criterion, verdict, stored.get(criterion.definition.id), replayed)
    ),
    concerned: known === null ? null : score !== report.total_score || earnsDifferently(report, verdicts, known),
    synthetic: run.synthetic === true
  }
})

const wantingOf = ({ verdict, ...tried }: Tried): ReadonlyArray<Wanting> =>
  typeof verdict === "string" ? [{ ...tried, verdict }] : []

/** Whether a criterion that the two rubrics judge differently earns points by one of them. */
const earnsDifferently = (report: StoredReport, verdicts: ReadonlyArray<Verdict>, earlier: UnboundRubric): boolean => {
  const before = new Map(report.criteria.map(({ id, score }) => [id, score]))
  const after = new Map(verdicts.map(({ criterion, verdict }) => [criterion.definition.id, verdict.earns]))
  return judgedDifferently(
    earlier.criteria.map(({ definition }) => definition),
    verdicts.map(({ criterion }) => criterion.definition)
  ).some((id) => (before.get(id) ?? 0) > 0 || (after.get(id) ?? 0) > 0)
}

/** A criterion, and what its stored facts come to. */
interface Tried {
  readonly criterion: LoadedCriterion<BoundCriterion>
  readonly verdict: Rejudgement
  readonly facts: FactRecord | null
}

interface Wanting extends Tried {
  readonly verdict: NotRejudged
}

/** What a criterion comes to now, and by which facts. */
interface Verdict extends Tried {
  readonly verdict: Judgement
  /** Why its facts were measured again; `null` if the stored ones were used. */
  readonly remeasured: NotRejudged | null
}

const fresh = ({ criterion, verdict }: Wanting, result: CriterionResult | undefined): Verdict => ({
  criterion,
  verdict: { status: result?.status ?? "inconclusive", earns: result?.score ?? 0 },
  facts: result?.measured.facts ?? null,
  remeasured: verdict
})

/** Replays the archive for criteria on trial alone. They earn nothing, so a run without a usable archive is judged without them. */
const replayForTrials = (
  wanting: ReadonlyArray<Wanting>,
  run: StoredRun,
  rubric: LoadedRubric<BoundCriterion>,
  report: StoredReport
): Effect.Effect<ReplayedRun | null, never, ParserPool> =>
  wanting.length === 0
    ? Effect.succeed(null)
    : Effect.orElseSucceed(replayFor(wanting, run, rubric, report), () => null)

/** Replays the archive for criteria whose facts do not do; fails where it does not have all that they lean on. */
const replayFor = Effect.fnUntraced(function* (
  wanting: ReadonlyArray<Wanting>,
  run: StoredRun,
  rubric: LoadedRubric<BoundCriterion>,
  report: StoredReport
): Effect.fn.Return<ReplayedRun, string, ParserPool> {
  const reasons = reasonsOf(wanting)
  if (run.archive === null) return yield* Effect.fail(`${reasons}, and there is no archive`)
  const archive = yield* Effect.mapError(run.archive, (reason) => `${reasons}, and ${reason}`)
  if (archive.run !== null && (archive.run.audited !== report.base_url || archive.run.date !== report.audit_date)) {
    return yield* Effect.fail(`${reasons}, and the archive is of another run`)
  }
  const replayed = yield* replayRun(archive, rubric)
  const cut = wanting.map(({ criterion }) => criterion.definition.id).filter((id) => replayed.cut.includes(id))
  if (cut.length > 0) return yield* Effect.fail(`${reasons}, and ${cutText(cut)}`)
  const lacking = wanting.map(({ criterion }) => criterion.definition.id).filter((id) => replayed.lacking.has(id))
  if (lacking.length > 0)
    return yield* Effect.fail(
      `${reasons}, and the archive lacks what ${firstNamed(lacking, NAMED)} now ${lacking.length === 1 ? "asks" : "ask"} for`
    )
  return replayed
})

const movesOf = (
  report: StoredReport,
  verdicts: ReadonlyArray<Verdict>,
  earlier: UnboundRubric | null
): ReadonlyArray<CriterionChange> => {
  const before = new Map(report.criteria.map((result) => [result.id, result]))
  const levelsBefore = new Map(earlier?.criteria.map(({ definition }) => [definition.id, definition.levels]))
  const sideBefore = (id: string): JudgedLevels | null => {
    const [levels, result] = [levelsBefore.get(id), before.get(id)]
    return levels === undefined || result === undefined || result.status === "inconclusive"
      ? null
      : { levels, score: result.score }
  }
  const now = verdicts.flatMap(
    ({ criterion: { definition }, facts, remeasured, verdict }): ReadonlyArray<CriterionChange> => {
      const { id, levels, points, title } = definition
      const old = before.get(id)
      if (old !== undefined && old.score === verdict.earns) return []
      const sides = decidingConditions(
        sideBefore(id),
        verdict.status === "inconclusive" ? null : { levels, score: verdict.earns }
      )
      return [
        {
          id,
          title,
          before: old === undefined ? null : { status: old.status, score: old.score, max: old.max },
          after: { status: verdict.status, score: verdict.earns, max: points },
          conditionBefore: sides.before,
          conditionAfter: sides.after,
          facts: factsNamed([sides.before, sides.after], facts),
          remeasured:
            remeasured === null || old === undefined
              ? null
              : {
                  reason: notRejudgedText[remeasured],
                  facts: factsNamed([sides.before, sides.after], old.measured.facts)
                }
        }
      ]
    }
  )
  const kept = new Set(verdicts.map(({ criterion }) => criterion.definition.id))
  const gone = report.criteria.filter(({ id, score }) => score > 0 && !kept.has(id))
  return [
    ...now,
    ...gone.map(({ id, max, measured, score, status, title }): CriterionChange => {
      const { before: conditionBefore } = decidingConditions(sideBefore(id), null)
      const facts = factsNamed([conditionBefore], measured.facts)
      return {
        id,
        title,
        before: { status, score, max },
        after: null,
        conditionBefore,
        conditionAfter: null,
        facts,
        remeasured: null
      }
    })
  ]
}

/**
 * A report as another rubric would have given it, by its facts alone; `null` where these do not do for all criteria. Criteria on
 * trial are left out where they do not.
 */
export const judgedBy = (report: StoredReport, rubric: LoadedRubric<unknown>): StoredReport | null => {
  const stored = new Map(allCriteria(report).map((result) => [result.id, result]))
  const results = (criteria: ReadonlyArray<LoadedCriterion<unknown>>): StoredReport["criteria"] =>
    criteria.flatMap((criterion) => {
      const { id, points, title } = criterion.definition
      const old = stored.get(id)
      const verdict = rejudge(criterion, old?.measured)
      return old === undefined || typeof verdict === "string"
        ? []
        : [{ ...old, title, max: points, status: verdict.status, score: verdict.earns }]
    })
  const criteria = results(rubric.criteria)
  if (criteria.length < rubric.criteria.length) return null
  const total = sum(criteria.map(({ score }) => score))
  return {
    ...report,
    rubric: rubricOfReport(rubric),
    total_score: total,
    verdict: verdictOf(rubric.rubric.verdicts, total),
    criteria,
    experimental: results(rubric.experimental)
  }
}
