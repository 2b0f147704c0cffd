import { rejudge } from "../../../engine/audit/compare/Rejudge.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { sum, verdictOf } from "../../../engine/audit/Score.ts"
import type { CriterionDefinition } from "../../../engine/rubric/definition/Rubric.ts"
import type { LoadedRubric } from "../../../engine/rubric/RubricFile.ts"

/** What a criterion is given: the points of one of its levels, or `null` where none is chosen. */
export type Chosen = ReadonlyMap<string, number | null>

/** A total of chosen levels. */
export interface Calculation {
  readonly total: number
  readonly verdict: string
  /** Criteria without a level: they add nothing. */
  readonly open: ReadonlyArray<CriterionDefinition>
}

type Rubric = Pick<LoadedRubric<unknown>, "criteria" | "rubric">

export const calculated = ({ criteria, rubric }: Rubric, chosen: Chosen): Calculation => {
  const definitions = criteria.map(({ definition }) => definition)
  const total = sum(definitions.map(({ id }) => chosen.get(id) ?? 0))
  return {
    total,
    verdict: verdictOf(rubric.verdicts, total),
    open: definitions.filter(({ id }) => (chosen.get(id) ?? null) === null)
  }
}

/** The levels that a query chooses; what is no level of the criterion is none. */
export const chosenIn = ({ criteria }: Rubric, query: URLSearchParams): Chosen =>
  new Map(
    criteria.map(({ definition: { id, levels } }) => {
      const given = query.get(id)
      return [id, levels.find(({ earns }) => String(earns) === given)?.earns ?? null]
    })
  )

/** The levels that a run reaches by this rubric: as it was judged by it, or by its facts where these still say something. */
export const chosenFor = (
  { criteria, digest }: Pick<LoadedRubric<unknown>, "criteria" | "digest">,
  report: AuditReport
): Chosen => {
  const results = new Map([...report.criteria, ...report.experimental].map((result) => [result.id, result]))
  return new Map(
    criteria.map((criterion) => {
      const { id } = criterion.definition
      const result = results.get(id)
      const verdict = rejudge(criterion, result?.measured)
      if (report.rubric.digest === digest && result !== undefined)
        return [id, result.status === "inconclusive" ? null : result.score]
      return [id, typeof verdict === "string" || verdict.status === "inconclusive" ? null : verdict.earns]
    })
  )
}
