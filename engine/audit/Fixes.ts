import type { AuditReport, CriterionResult } from "./Report.ts"

/** A criterion with points to gain, and what gaining them takes. */
export interface Fix {
  readonly criterion: CriterionResult
  readonly lost: number
}

const EFFORT = { low: 1, medium: 2, high: 4 } as const

const worth = ({ criterion, lost }: Fix): number => lost / EFFORT[criterion.remedy?.effort ?? "medium"]

/** What to mend, best first: points lost over effort, then points lost, then in the order of the rubric. */
export const nextFixes = (report: AuditReport): ReadonlyArray<Fix> =>
  report.criteria
    .map((criterion): Fix => ({ criterion, lost: criterion.max - criterion.score }))
    .filter(({ lost }) => lost > 0)
    .sort((one, other) => worth(other) - worth(one) || other.lost - one.lost)

/** What was lost, the most points first; of equals, what takes the least effort, then in the order of the rubric. */
export const worstLosses = (report: AuditReport): ReadonlyArray<Fix> =>
  nextFixes(report).toSorted((one, other) => other.lost - one.lost)
