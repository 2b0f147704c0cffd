import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { formatInstant } from "../../engine/store/Instant.ts"
import type { Run } from "../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { Bucket, Widget } from "../api/Dashboards.ts"
import { siteOf, summaryOf } from "./BrowseHandlers.ts"
import type { DashboardDefinition, WidgetDefinition } from "./DashboardDefinition.ts"
import { biggestMovers, categoryComparison, currentScores, FAR_FUTURE, staleSites } from "./SiteWidgets.ts"

/** Puts figures into widgets. */
export class Widgets extends Context.Service<Widgets, {
  readonly resolve: (definition: DashboardDefinition, bucket: Bucket) => Effect.Effect<ReadonlyArray<Widget>, StoreUnavailable>
}>()("docgauge/server/Widgets") {
  static readonly layer: Layer.Layer<Widgets, never, RunStore> = Layer.effect(
    Widgets,
    Effect.map(RunStore, (store) => {
      const trendOf = Effect.fnUntraced(function*(site: string, since: string): Effect.fn.Return<ReadonlyArray<Run>, StoreUnavailable> {
        const { runs } = yield* store.history(site, FAR_FUTURE, POINTS)
        return runs.filter(({ startedAt, status }) => status === "done" && startedAt >= since).reverse()
      })

      const resolveOne = Effect.fnUntraced(function*(widget: WidgetDefinition, { bucket, now, sites }: Scope): Effect.fn.Return<Widget, StoreUnavailable> {
        const since = daysBefore(now, DAYS[bucket])
        switch (widget.kind) {
          case "current_score":
            return { ...widget, sites: yield* currentScores(store, sites) }
          case "site_trend":
            return { ...widget, points: (yield* trendOf(widget.site, since)).map(({ id, startedAt, totalScore }) => ({ run_id: id, at: startedAt, score: totalScore ?? 0 })) }
          case "category_comparison":
            return { ...widget, sites: yield* categoryComparison(store, sites) }
          case "biggest_movers": {
            const { kind, limit, title } = widget
            return { kind, title, sites: yield* biggestMovers(store, sites, since, limit) }
          }
          case "stale_sites":
            return { ...widget, sites: yield* staleSites(store, sites, daysBefore(now, widget.days)) }
          case "top_sites": {
            const { kind, limit, order, title } = widget
            return { kind, title, order, sites: (yield* store.top(bucket === "30d" ? "30d" : "all", order, limit)).map(siteOf) }
          }
          case "corpus":
            return { ...widget, summary: summaryOf(yield* store.summary) }
        }
      })

      return {
        resolve: Effect.fn("Widgets.resolve")(function*({ sites = [], widgets }, bucket) {
          const now = yield* Clock.currentTimeMillis
          return yield* Effect.forEach(widgets, (widget) => resolveOne(widget, { sites, bucket, now }))
        })
      }
    })
  )
}

/** What the widgets of a dashboard have in common. */
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
