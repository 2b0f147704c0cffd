import type { LoadedCriterion, LoadedRubric } from "../../rubric/RubricFile.ts"
import { rubricOfReport } from "../Assemble.ts"
import { sum, verdictOf } from "../Score.ts"
import type { StoredReport } from "../StoredRun.ts"
import { rejudge } from "./Rejudge.ts"

/**
 * A report as another rubric would have given it, by its facts alone; `null` where these do not do for all criteria. Criteria on
 * trial are left out where they do not.
 */
export const judgedBy = (report: StoredReport, rubric: LoadedRubric<unknown>): StoredReport | null => {
  const stored = new Map([...report.criteria, ...report.experimental].map((result) => [result.id, result]))
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
