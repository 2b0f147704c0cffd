import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import {
  Corpus,
  type CorpusSummary as StoredSummary,
  type SiteSummary as StoredSite
} from "../../engine/store/corpus/Corpus.ts"
import { formatInstant } from "../../engine/store/database/ColumnValues.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { type HistoryPage, RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { CorpusSummaryBody, SiteSummaryBody } from "../api/Corpus.ts"
import type { Bucket, ScoredRunBody, Widget } from "../api/DashboardBody.ts"

/** The summary of the corpus in the fields of the contract. */
export const corpusSummary = ({ averageScore, latestRunAt, runs, sites }: StoredSummary): CorpusSummaryBody => ({
  sites,
  runs,
  avg_score: averageScore,
  latest_run_at: latestRunAt
})

/** A site of the corpus in the fields of the contract. */
export const siteSummary = (stored: StoredSite): SiteSummaryBody => ({
  base_url: stored.site,
  ...(stored.latestRunId === null ? {} : { latest_run_id: stored.latestRunId }),
  canonical_url: stored.url,
  reliable: stored.reliable,
  run_count: stored.runCount,
  latest_run_at: stored.latestRunAt,
  first_run_at: stored.firstRunAt,
  latest_score: stored.latestScore,
  best_score: stored.bestScore,
  worst_score: stored.worstScore,
  avg_score: stored.averageScore
})

/*
 * The site widgets of dashboards. Each one reads the store a few times per site, sequentially, because figures are computed in
 * the background.
 */

type Store = RunStore["Service"]
type History = RunHistory["Service"]
type SiteKind = "current_score" | "category_comparison" | "stale_sites"
type Figures<Kind extends SiteKind> = Effect.Effect<Extract<Widget, { readonly kind: Kind }>["sites"], StoreUnavailable>

/** The newest finished run of each site, in the given order; sites without one are left out. */
const currentScores = (history: History, sites: ReadonlyArray<string>): Figures<"current_score"> =>
  Effect.map(newestRuns(history, sites), (runs) => runs.map((run) => ({ base_url: run.site, ...scoredOf(run) })))

/** The same, with the points of their categories. */
const categoryComparison = (
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
const biggestMovers = Effect.fnUntraced(function* (
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
const staleSites = (history: History, sites: ReadonlyArray<string>, since: string): Figures<"stale_sites"> =>
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

const scoredOf = ({ id, reliable, startedAt, totalScore }: Run): ScoredRunBody => ({
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

/** Computes the figures of widgets. */
export class Widgets extends Context.Service<
  Widgets,
  {
    readonly resolve: (
      definition: DashboardDefinition,
      bucket: Bucket
    ) => Effect.Effect<ReadonlyArray<Widget>, StoreUnavailable>
  }
>()("docgauge/server/Widgets") {
  static readonly layer: Layer.Layer<Widgets, never, RunStore | RunHistory | Corpus> = Layer.effect(
    Widgets,
    Effect.gen(function* () {
      const [store, history, corpus] = [yield* RunStore, yield* RunHistory, yield* Corpus]
      const trendOf = Effect.fnUntraced(function* (
        site: string,
        since: string
      ): Effect.fn.Return<ReadonlyArray<Run>, StoreUnavailable> {
        const { runs } = yield* history.page(site, null, POINTS)
        return runs.filter(({ startedAt, status }) => status === "done" && startedAt >= since).reverse()
      })

      const resolveOne = Effect.fnUntraced(function* (
        widget: WidgetDefinition,
        { bucket, now, sites }: Scope
      ): Effect.fn.Return<Widget, StoreUnavailable> {
        const since = daysBefore(now, DAYS[bucket])
        switch (widget.kind) {
          case "current_score":
            return { ...widget, sites: yield* currentScores(history, sites) }
          case "site_trend":
            return { ...widget, points: (yield* trendOf(widget.site, since)).map(scoredOf) }
          case "category_comparison":
            return { ...widget, sites: yield* categoryComparison(store, history, sites) }
          case "biggest_movers": {
            const { kind, limit, title } = widget
            return { kind, title, sites: yield* biggestMovers(history, sites, since, limit) }
          }
          case "stale_sites":
            return { ...widget, sites: yield* staleSites(history, sites, daysBefore(now, widget.days)) }
          case "top_sites": {
            const { kind, limit, order, title } = widget
            return {
              kind,
              title,
              order,
              sites: (yield* corpus.top(bucket === "30d" ? "30d" : "all", order, limit)).map(siteSummary)
            }
          }
          case "corpus":
            return { ...widget, summary: corpusSummary(yield* corpus.summary) }
        }
      })

      return {
        resolve: Effect.fn("Widgets.resolve")(function* ({ sites = [], widgets }, bucket) {
          const now = yield* Clock.currentTimeMillis
          return yield* Effect.forEach(widgets, (widget) => resolveOne(widget, { sites, bucket, now }))
        })
      }
    })
  )
}

/** The options that the widgets of a dashboard share. */
interface Scope {
  readonly sites: ReadonlyArray<string>
  readonly bucket: Bucket
  /** Milliseconds. */
  readonly now: number
}

const POINTS = 100

const DAY_MS = 86_400_000

const daysBefore = (now: number, days: number): string => formatInstant((now - days * DAY_MS) * 1_000)

const DAYS: Readonly<Record<Bucket, number>> = { "30d": 30, "90d": 90, "12m": 365 }

const title = Schema.String.check(Schema.isMaxLength(200)).annotate({ description: "Heading of the widget." })

const site = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
  description: "Host form of a site, as in `base_url_norm`."
})

const limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))

/** A widget's definition. Widgets without a site show the dashboard's sites, or the corpus. */
const WidgetDefinition = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("current_score"), title }),
  Schema.Struct({ kind: Schema.Literal("site_trend"), title, site }),
  Schema.Struct({ kind: Schema.Literal("category_comparison"), title }),
  Schema.Struct({ kind: Schema.Literal("biggest_movers"), title, limit }),
  Schema.Struct({
    kind: Schema.Literal("stale_sites"),
    title,
    days: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 365 }))
  }),
  Schema.Struct({ kind: Schema.Literal("top_sites"), title, order: Schema.Literals(["best", "worst"]), limit }),
  Schema.Struct({ kind: Schema.Literal("corpus"), title })
])
type WidgetDefinition = typeof WidgetDefinition.Type

/** A dashboard's definition as it is stored. */
export const DashboardDefinition = Schema.Struct({
  sites: Schema.optionalKey(
    Schema.Array(site)
      .check(Schema.isMaxLength(50))
      .annotate({ description: "The sites of the dashboard; none by default." })
  ),
  widgets: Schema.Array(WidgetDefinition).check(Schema.isMaxLength(20))
}).annotate({ identifier: "DashboardDefinition" })
export type DashboardDefinition = typeof DashboardDefinition.Type
