import { RETRIEVALS_PER_PAGE } from "../../evidence/AuditBudget.ts"
import { type FetchLimits, REQUEST_MILLISECONDS } from "../../evidence/FetchLimits.ts"

/** What opening pages takes at most. */
export interface OpeningCost {
  readonly pages: number
  /** Each page, and what may be its Markdown version. */
  readonly requests: number
  readonly seconds: number
}

/** What opening a number of pages takes at most: no request is sent after these seconds. */
export const openingCost = (pages: number, { gatherMs }: Pick<FetchLimits, "gatherMs">): OpeningCost => ({
  pages,
  requests: RETRIEVALS_PER_PAGE * pages,
  seconds: Math.ceil((gatherMs + pages * REQUEST_MILLISECONDS) / 1_000)
})
