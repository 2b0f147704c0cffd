import * as Effect from "effect/Effect"
import { haveOneMajor } from "../../engine/audit/compare/RubricShift.ts"
import type { CriterionOutcome } from "../../engine/store/corpus/OutcomeCounts.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import type { JudgedRun } from "../../engine/store/runs/RunHistory.ts"
import { ReleasedRubrics, RubricInForce } from "../config/RubricInForce.ts"

/** A criterion that earns more or less than in the audit before. */
export interface EarnedChange {
  readonly from: CriterionOutcome
  readonly to: CriterionOutcome
}

/** What changed since the audit before of the same site. */
export interface RunChanges {
  /** That audit, if one major version of the rubric judged both; else nothing is compared. */
  readonly before: JudgedRun | null
  /** By how many points the score changed; `null` unless both scores can be relied on. */
  readonly delta: number | null
  readonly lost: ReadonlyArray<EarnedChange>
  readonly gained: ReadonlyArray<EarnedChange>
}

/** Says of two runs whether their scores compare. */
export type Compares = (one: Run, other: Run) => boolean

/** A part that could not be checked, in either audit, is neither a fall nor a loss. */
export const changesSince = (now: JudgedRun, before: JudgedRun | undefined, compares: Compares): RunChanges => {
  if (before === undefined || !compares(before.run, now.run)) return { before: null, delta: null, lost: [], gained: [] }
  const isReliable = now.run.reliable === true && before.run.reliable === true
  const changes = changedCriteria(now.outcomes, before.outcomes)
  return {
    before,
    delta: isReliable ? (now.run.totalScore ?? 0) - (before.run.totalScore ?? 0) : null,
    lost: changes.filter(({ from, to }) => to.score < from.score),
    gained: changes.filter(({ from, to }) => to.score > from.score)
  }
}

/** Of criteria that both audits could check. */
const changedCriteria = (
  now: ReadonlyArray<CriterionOutcome>,
  before: ReadonlyArray<CriterionOutcome>
): ReadonlyArray<EarnedChange> => {
  const known = new Map(before.map((outcome) => [outcome.id, outcome]))
  return now.flatMap((to): ReadonlyArray<EarnedChange> => {
    const from = known.get(to.id)
    return from === undefined || from.state === "inconclusive" || to.state === "inconclusive" ? [] : [{ from, to }]
  })
}

/** How runs are compared, by the rubric in force and all released ones; and the titles of criteria by their ids. */
export const runComparison = Effect.gen(function* () {
  const { releases } = yield* ReleasedRubrics
  const { digest, rubric } = yield* RubricInForce
  const compares = Effect.map(releases, (all): Compares => {
    const versions = new Map([
      ...all.map((each) => [each.digest, each.rubric.version] as const),
      [digest, rubric.version] as const
    ])
    return (one, other) => haveOneMajor(one, other, versions)
  })
  const titles: ReadonlyMap<string, string> = new Map(
    rubric.categories.flatMap(({ criteria }) => criteria.map(({ id, title }) => [id, title] as const))
  )
  return { compares, titles }
})
