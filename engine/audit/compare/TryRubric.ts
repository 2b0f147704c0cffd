import * as Effect from "effect/Effect"
import type { BoundCriterion } from "../../plugin/Registry.ts"
import type { ParserPool } from "../../parse/ParserPool.ts"
import type { LoadedRubric } from "../../rubric/RubricFile.ts"
import { replayRun } from "../ReplayRun.ts"
import { allCriteria, type CriterionResult } from "../Report.ts"
import type { StoredRun, UnreadableRun } from "../StoredRun.ts"

/** What a criterion comes to on one recorded site. */
export interface TriedCriterion {
  readonly id: string
  readonly title: string
  readonly status: CriterionResult["status"]
  readonly earned: number
  readonly points: number
  /** `false`: it does not apply to the site, so its points are not asked for. */
  readonly applicable: boolean
  /** `null` where the evidence is missing. */
  readonly facts: CriterionResult["measured"]["facts"]
  /** What facts may be that missing responses could change. */
  readonly uncertain: CriterionResult["measured"]["uncertain"]
  readonly finding: string
  /** How many URLs it asks for that the archive does not have. */
  readonly notRecorded: number
}

/** A recorded site, and what the criteria come to on it. */
export interface TriedRun {
  readonly name: string
  readonly site: string
  readonly date: string
  readonly criteria: ReadonlyArray<TriedCriterion>
}

/** The rubric with these criteria alone, which are all that is measured. */
export const onlyCriteria = (
  rubric: LoadedRubric<BoundCriterion>,
  wanted: ReadonlySet<string>
): LoadedRubric<BoundCriterion> => ({
  ...rubric,
  criteria: rubric.criteria.filter(({ definition }) => wanted.has(definition.id)),
  experimental: rubric.experimental.filter(({ definition }) => wanted.has(definition.id))
})

/** Measures again what an archive recorded, by the criteria of a rubric. */
export const tryOn = Effect.fn("TryRubric.tryOn")(function* (
  run: StoredRun | UnreadableRun,
  rubric: LoadedRubric<BoundCriterion>
): Effect.fn.Return<TriedRun | UnreadableRun, never, ParserPool> {
  const unreadable = (reason: string): UnreadableRun => ({ name: run.name, unreadable: reason })
  if ("unreadable" in run) return run
  if (run.archive === null) return unreadable("it is a report without an archive, and facts are measured from archives")
  return yield* Effect.match(
    Effect.flatMap(run.archive, (archive) => replayRun(archive, rubric)),
    {
      onFailure: unreadable,
      onSuccess: ({ lacking, report }): TriedRun => ({
        name: run.name,
        site: report.base_url,
        date: report.audit_date,
        criteria: allCriteria(report).map(
          ({ applicable, id, max, measured: { facts, uncertain }, score, status, summary, title }) => ({
            id,
            title,
            status,
            earned: score,
            points: max,
            applicable: applicable ?? true,
            facts,
            uncertain,
            finding: summary,
            notRecorded: lacking.get(id) ?? 0
          })
        )
      })
    }
  )
})
