import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import type { HistoryPage, RunHistory } from "../../engine/store/runs/RunHistory.ts"
import type { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { ScoredRunBody, Widget } from "../api/DashboardBody.ts"

/*
 * The site widgets of dashboards. Each one reads the store a few times per site, sequentially, because figures are computed in
 * the background.
 */

type Store = RunStore["Service"]
type History = RunHistory["Service"]
type SiteKind = "current_score" | "category_comparison" | "stale_sites"
type Figures<Kind extends SiteKind> = Effect.Effect<Extract<Widget, { readonly kind: Kind }>["sites"], StoreUnavailable>

/** The newest finished run of each site, in the given order; sites without one are left out. */
export const currentScores = (history: History, sites: ReadonlyArray<string>): Figures<"current_score"> =>
  Effect.map(newestRuns(history, sites), (runs) => runs.map((run) => ({ base_url: run.site, ...scoredOf(run) })))

/** The same, with the points of their categories. */
export const categoryComparison = (
  store: Store,
  history: History,
  sites: ReadonlyArray<string>
): Figures<"category_comparison"> =>
  Effect.flatMap(newestRuns(history, sites), (runs) =>
    Effect.forEach(runs, (run) =>
      Effect.map(store.report(run.id), (stored) => ({
        base_url: run.site,
        ...scoredOf(run),
        categories: stored === null ? [] : categoriesOf(stored.encoded)
      }))
    )
  )

/**
 * The sites whose reliable scores changed most since `since` (RFC 3339), at most `limit`: from the score at that time, or the
 * first one after it, to the newest one.
 */
export const biggestMovers = Effect.fnUntraced(function* (
  history: History,
  sites: ReadonlyArray<string>,
  since: string,
  limit: number
) {
  const moved = yield* Effect.forEach(
    sites,
    Effect.fnUntraced(function* (site) {
      const to = yield* history.newestReliable(site)
      if (to === null || to.startedAt < since) return []
      const from = (yield* history.reliableBefore(site, since)) ?? (yield* firstSince(history, site, since))
      if (from === null || from.totalScore === to.totalScore) return []
      const [before, after] = [scoredOf(from), scoredOf(to)]
      return [{ base_url: site, from: before, to: after, delta: after.score - before.score }]
    })
  )
  return moved
    .flat()
    .toSorted((one, other) => Math.abs(other.delta) - Math.abs(one.delta))
    .slice(0, limit)
})

/** The sites without a finished run since `since` (RFC 3339), longest first. */
export const staleSites = (history: History, sites: ReadonlyArray<string>, since: string): Figures<"stale_sites"> =>
  Effect.map(
    Effect.forEach(sites, (site) =>
      Effect.map(history.newest(site), (run) => ({ base_url: site, latest_run_at: run?.startedAt ?? null }))
    ),
    (all) =>
      all
        .filter(({ latest_run_at }) => latest_run_at === null || latest_run_at < since)
        .toSorted((one, other) => (one.latest_run_at ?? "").localeCompare(other.latest_run_at ?? ""))
  )

const newestRuns = (
  history: History,
  sites: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Run>, StoreUnavailable> =>
  Effect.map(
    Effect.forEach(sites, (site) => history.newest(site)),
    (runs) => runs.filter((run) => run !== null)
  )

export const scoredOf = ({ id, reliable, startedAt, totalScore }: Run): ScoredRunBody => ({
  run_id: id,
  at: startedAt,
  score: totalScore ?? 0,
  reliable: reliable === true
})

/** Runs per read. */
const PAGE = 200

/** The first reliable run at or after `since`. */
const firstSince = Effect.fnUntraced(function* (history: History, site: string, since: string) {
  let first: Run | null = null
  let before: string | null = null
  do {
    const { next, runs }: HistoryPage = yield* history.page(site, before, PAGE)
    first = runs.findLast(({ reliable, startedAt }) => reliable === true && startedAt >= since) ?? first
    before = next
  } while (before !== null && before > since)
  return first
})

/** The fields of a report that are compared. */
const Compared = Schema.Struct({ categories: AuditReport.fields.categories })

const read = Schema.decodeUnknownOption(Schema.fromJsonString(Compared))

/** Empty for a report of another shape, so that it does not fail the other sites. */
const categoriesOf = (encoded: string) =>
  Option.match(read(encoded), {
    onNone: () => [],
    onSome: ({ categories }) => Object.entries(categories).map(([key, points]) => ({ key, ...points }))
  })
