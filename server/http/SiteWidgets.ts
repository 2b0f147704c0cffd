import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Run } from "../../engine/store/Run.ts"
import type { RunStore, StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { ScoredRun, Widget } from "../api/Dashboards.ts"

/*
 * What dashboards tell of their sites. Each answer asks the store a few times for each site, one after another: nobody
 * waits for it.
 */

type Store = RunStore["Service"]
type SiteKind = "current_score" | "category_comparison" | "stale_sites"
type Figures<Kind extends SiteKind> = Effect.Effect<Extract<Widget, { readonly kind: Kind }>["sites"], StoreUnavailable>

/** Later than any run. */
export const FAR_FUTURE = "9999-12-31T23:59:59.999999Z"

/** The newest finished run of each site, in the given order; sites without one are left out. */
export const currentScores = (store: Store, sites: ReadonlyArray<string>): Figures<"current_score"> =>
  Effect.map(newestRuns(store, sites), (runs) => runs.map((run) => ({ base_url: run.site, ...scoredOf(run) })))

/** The same with the points of their categories. */
export const categoryComparison = (store: Store, sites: ReadonlyArray<string>): Figures<"category_comparison"> =>
  Effect.flatMap(newestRuns(store, sites), (runs) =>
    Effect.forEach(runs, (run) => Effect.map(store.report(run.id), (stored) => ({
      base_url: run.site,
      ...scoredOf(run),
      categories: stored === null ? [] : categoriesOf(stored.encoded)
    }))))

/**
 * The sites whose scores moved most since `since` (RFC 3339), at most `limit`: from what stood then, or from the first
 * score after it where there was none, to the newest one.
 */
export const biggestMovers = Effect.fnUntraced(function*(store: Store, sites: ReadonlyArray<string>, since: string, limit: number) {
  const moved = yield* Effect.forEach(sites, Effect.fnUntraced(function*(site) {
    const to = yield* store.previousDone(site, FAR_FUTURE)
    if (to === null || to.startedAt < since) return []
    const from = (yield* store.previousDone(site, since)) ?? (yield* firstSince(store, site, since))
    if (from === null || from.totalScore === to.totalScore) return []
    const [before, after] = [scoredOf(from), scoredOf(to)]
    return [{ base_url: site, from: before, to: after, delta: after.score - before.score }]
  }))
  return moved.flat().toSorted((one, other) => Math.abs(other.delta) - Math.abs(one.delta)).slice(0, limit)
})

/** The sites without a finished run since `since` (RFC 3339), longest first. */
export const staleSites = (store: Store, sites: ReadonlyArray<string>, since: string): Figures<"stale_sites"> =>
  Effect.map(
    Effect.forEach(sites, (site) => Effect.map(store.previousDone(site, FAR_FUTURE), (run) => ({ base_url: site, latest_run_at: run?.startedAt ?? null }))),
    (all) => all
      .filter(({ latest_run_at }) => latest_run_at === null || latest_run_at < since)
      .toSorted((one, other) => (one.latest_run_at ?? "").localeCompare(other.latest_run_at ?? ""))
  )

const newestRuns = (store: Store, sites: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Run>, StoreUnavailable> =>
  Effect.map(Effect.forEach(sites, (site) => store.previousDone(site, FAR_FUTURE)), (runs) => runs.filter((run) => run !== null))

const scoredOf = ({ id, startedAt, totalScore }: Run): ScoredRun => ({ run_id: id, at: startedAt, score: totalScore ?? 0 })

/** Runs of one read. */
const PAGE = 200

/** The first finished run at or after `since`. */
const firstSince = Effect.fnUntraced(function*(store: Store, site: string, since: string) {
  let first: Run | null = null
  let before: string | null = FAR_FUTURE
  while (before !== null && before > since) {
    const { next, runs }: Effect.Success<ReturnType<Store["history"]>> = yield* store.history(site, before, PAGE)
    first = runs.findLast(({ startedAt, status }) => status === "done" && startedAt >= since) ?? first
    before = next
  }
  return first
})

/** What of a report is compared. */
const Compared = Schema.Struct({
  categories: Schema.Record(Schema.String, Schema.Struct({ title: Schema.String, score: Schema.Int, max: Schema.Int }))
})

const read = Schema.decodeUnknownOption(Schema.fromJsonString(Compared))

/** None of a report of another shape: it must not take the other sites with it. */
const categoriesOf = (encoded: string) =>
  Option.match(read(encoded), {
    onNone: () => [],
    onSome: ({ categories }) => Object.entries(categories).map(([key, points]) => ({ key, ...points }))
  })
