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

/* Apart from what opens pages, so that a reader of plans does not load it. */

/** A site that is known to have fewer pages is opened whole on the command line. */
export const WHOLE_SITE = 300

/** As many pages as are opened at most, if all are wanted. */
export const MOST_PAGES = 2_000
