import * as Schema from "effect/Schema"

/** What the steps of a remedy take. Rubrics before 3.0.0 say `low` (hours), `medium` (days) or `high` (weeks). */
export const Effort = Schema.Literals(["minutes", "hours", "days", "low", "medium", "high"])
export type Effort = typeof Effort.Type

export const EFFORT_MEANING =
  "What the steps take: `minutes`, `hours` or `days`. Rubrics before 3.0.0 say `low` (hours), `medium` (days) or `high` (weeks)."

/** What stands in for the effort of a criterion that has no remedy. */
export const USUAL_EFFORT: Effort = "hours"

const LASTS = { minutes: "minutes", hours: "hours", days: "days", low: "hours", medium: "days", high: "weeks" } as const

/** `takes hours`. */
export const effortText = (effort: Effort): string => `takes ${LASTS[effort]}`

/** Efforts beside each other, in hours of somebody who knows the site; only their order of size counts. */
const HOURS = { minutes: 1, hours: 3, days: 16, weeks: 80 } as const

export const hoursOf = (effort: Effort): number => HOURS[LASTS[effort]]
