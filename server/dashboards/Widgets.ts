import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import { formatInstant } from "../../engine/store/database/ColumnValues.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { Bucket, Widget } from "../api/DashboardBody.ts"
import { corpusSummary, siteSummary } from "./CorpusSummary.ts"
import type { DashboardDefinition, WidgetDefinition } from "./DashboardDefinition.ts"
import { biggestMovers, categoryComparison, currentScores, scoredOf, staleSites } from "./SiteWidgets.ts"

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
