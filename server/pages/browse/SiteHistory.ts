import * as Effect from "effect/Effect"
import type { Run } from "../../../engine/store/Run.ts"
import type { RunStore, StoreUnavailable } from "../../../engine/store/RunStore.ts"
import { FAR_FUTURE } from "../../http/SiteWidgets.ts"

/** A run in the list of its site's runs. */
export interface ListedRun {
  readonly run: Run
  /** The finished run before it, where one is known. */
  readonly before: Run | null
}

/** A site and its runs. */
export interface SiteHistory {
  readonly site: string
  /** Its newest finished run; `null` where there is none. */
  readonly newest: Run | null
  /** The newest finished runs of those that were read, oldest first. */
  readonly scored: ReadonlyArray<Run>
  /** Whether there are runs older than those. */
  readonly more: boolean
  /** The page of runs that was asked for, newest first. */
  readonly listed: ReadonlyArray<ListedRun>
  /** Whether the page is not the first one. */
  readonly isLater: boolean
  /** From where the next page goes on (RFC 3339); `null`: no further pages. */
  readonly next: string | null
}

/** Runs of a page of the list. */
export const PAGE_RUNS = 25

/** Runs that the chart and the figures are made of. */
const CHART_RUNS = 100

/** Runs that are read beyond a page, to find the finished one before its last. */
const LOOK_AHEAD = 25

/** A site's runs: the newest for its chart, and the page of those older than `before`. `null` where there are none at all. */
export const readSiteHistory = Effect.fnUntraced(function*(
  store: RunStore["Service"],
  site: string,
  before: string | null
): Effect.fn.Return<SiteHistory | null, StoreUnavailable> {
  const chart = yield* store.history(site, FAR_FUTURE, CHART_RUNS)
  if (chart.runs.length === 0) return null
  const older = before === null ? chart : yield* store.history(site, before, PAGE_RUNS + LOOK_AHEAD)
  const page = older.runs.slice(0, PAGE_RUNS)
  const scored = chart.runs.filter(({ status }) => status === "done")
  return {
    site,
    newest: scored[0] ?? (yield* store.previousDone(site, FAR_FUTURE)),
    scored: scored.toReversed(),
    more: chart.next !== null,
    listed: page.map((run, index) => ({ run, before: older.runs.slice(index + 1).find(({ status }) => status === "done") ?? null })),
    isLater: before !== null,
    next: older.runs.length > PAGE_RUNS || older.next !== null ? page.at(-1)?.startedAt ?? null : null
  }
})
