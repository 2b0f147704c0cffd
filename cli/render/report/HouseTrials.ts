import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { publishedTrials } from "../../../engine/rubric/extends/BaseRubric.ts"

/**
 * A report's criteria on trial that are not those of the published rubric: house rules. The published ones are measured for
 * everybody, and what they find is nothing to do for a team that did not ask for it.
 */
export const houseTrials = ({ experimental }: AuditReport): ReadonlyArray<CriterionResult> => {
  if (experimental.length === 0) return []
  const published = publishedTrials()
  return experimental.filter(({ id }) => !published.has(id))
}
