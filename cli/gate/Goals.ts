import type { CriterionStatus } from "../../engine/audit/Report.ts"

/** The statuses that a goal for a criterion can ask for. */
type GoalStatus = Exclude<CriterionStatus, "inconclusive" | "absent">

/** What a report must reach. `null` and empty: no goal. */
export interface Goals {
  /** Minimum score, 0 to 100. */
  readonly score: number | null
  /** Maximum loss of points since the baseline. */
  readonly maxDrop: number | null
  /** Minimum points of a category, by its letter. */
  readonly categories: Readonly<Record<string, number>>
  /** Minimum status of a criterion, by its id. */
  readonly criteria: Readonly<Record<string, GoalStatus>>
  /** How many of the compared examples, calls, table rows and figures may be false. */
  readonly drift: number | null
  /** Whether a report that is not reliable fails: `true` also without any other goal, `false` judges the goals on it. */
  readonly requireReliable: boolean | null
}

export const NO_GOALS: Goals = {
  score: null,
  maxDrop: null,
  categories: {},
  criteria: {},
  drift: null,
  requireReliable: null
}

/** A criterion that the goals do not judge for a while. */
export interface Waiver {
  readonly criterion: string
  readonly reason: string
  /** The last day on which it holds, `YYYY-MM-DD`; `null`: it has no end. */
  readonly until: string | null
}
