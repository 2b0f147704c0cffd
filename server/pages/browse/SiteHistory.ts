import * as Effect from "effect/Effect"
import { haveOneMajor } from "../../../engine/audit/compare/RubricShift.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { JudgedRun, RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { JUDGED_RUNS } from "./CriterionHistory.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"

/** A run in the list of a site's runs. */
export interface ListedRun {
  readonly run: Run
  /** The finished run before it, if known. */
  readonly before: Run | null
  /** Whether the scores of the two compare: `false` if other major versions of the rubric judged them, or if that is not known. */
  readonly compares: boolean
}

/** A site and its runs. */
export interface SiteHistory {
  readonly site: string
  /** Its newest finished run; `null` without one. */
  readonly newest: Run | null
  /** The newest finished runs that were read, oldest first. */
  readonly scored: ReadonlyArray<Run>
  /** Of those, the reliable ones whose scores compare with that of the newest run. */
  readonly alike: ReadonlyArray<Run>
  /** Whether there are runs older than those. */
  readonly more: boolean
  /** The newest finished runs with their outcomes by criterion, newest first; empty on later pages. */
  readonly judged: ReadonlyArray<JudgedRun>
  /** The requested page of runs, newest first. */
  readonly listed: ReadonlyArray<ListedRun>
  /** Whether the page is not the first one. */
  readonly isLater: boolean
  /** The cursor of the next page (RFC 3339); `null`: no further pages. */
  readonly next: string | null
}

/** Runs per page. */
const PAGE_RUNS = 25

/** Runs in the chart and the figures. */
const CHART_RUNS = 100

/** Additional runs to read, to find the finished run before the page's last. */
const LOOK_AHEAD = 25

/**
 * A site's runs: the newest for its chart, and the page of those older than `before`. `null` if the site has none. `versions`: the
 * known versions of rubrics, by digest.
 */
export const readSiteHistory = Effect.fnUntraced(function* (
  history: RunHistory["Service"],
  versions: ReadonlyMap<string, string>,
  site: string,
  before: string | null
): Effect.fn.Return<SiteHistory | null, StoreUnavailable> {
  const chart = yield* history.page(site, null, CHART_RUNS)
  if (chart.runs.length === 0) return null
  const older = before === null ? chart : yield* history.page(site, before, PAGE_RUNS + LOOK_AHEAD)
  const page = older.runs.slice(0, PAGE_RUNS)
  const scored = chart.runs.filter(({ status }) => status === "done")
  const newest = scored[0] ?? (yield* history.newest(site))
  return {
    site,
    newest,
    scored: scored.toReversed(),
    alike: scored.filter((run) => run.reliable === true && newest !== null && haveOneMajor(run, newest, versions)),
    more: chart.next !== null,
    judged: before === null ? yield* history.judged(site, JUDGED_RUNS) : [],
    listed: page.map((run, index) => {
      const before = older.runs.slice(index + 1).find(({ status }) => status === "done") ?? null
      return { run, before, compares: before !== null && haveOneMajor(before, run, versions) }
    }),
    isLater: before !== null,
    next: older.runs.length > PAGE_RUNS || older.next !== null ? (page.at(-1)?.startedAt ?? null) : null
  }
})
