import { allCriteria } from "../Report.ts"
import { revisionParts } from "../../plugin/Registry.ts"
import type { CriterionDefinition } from "../../rubric/definition/Rubric.ts"
import type { LoadedCriterion, LoadedRubric } from "../../rubric/RubricFile.ts"
import { isDeepStrictEqual } from "node:util"
import { rubricOfReport } from "../Assemble.ts"
import { sum, verdictOf } from "../Score.ts"
import type { StoredReport } from "../StoredRun.ts"
import { rejudge } from "./RubricShift.ts"

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
