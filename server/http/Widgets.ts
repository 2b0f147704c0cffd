import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { formatInstant } from "../../engine/store/Instant.ts"
import type { Run } from "../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { Bucket, Widget } from "../api/Dashboards.ts"
import { siteOf, summaryOf } from "./BrowseHandlers.ts"

const title = Schema.String.check(Schema.isMaxLength(200)).annotate({ description: "Heading of the widget." })

/** A widget as an operator asks for it. */
export const WidgetDefinition = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("site_trend"), title, site: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("top_sites"),
    title,
    order: Schema.Literals(["best", "worst"]),
    limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))
  }),
  Schema.Struct({ kind: Schema.Literal("corpus"), title })
])
export type WidgetDefinition = typeof WidgetDefinition.Type

/** What the store keeps as a dashboard's definition. */
export const DashboardDefinition = Schema.Struct({
  widgets: Schema.Array(WidgetDefinition).check(Schema.isMaxLength(20))
}).annotate({ identifier: "DashboardDefinition" })
export type DashboardDefinition = typeof DashboardDefinition.Type

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

      const resolveOne = Effect.fnUntraced(function*(widget: WidgetDefinition, bucket: Bucket, since: string): Effect.fn.Return<Widget, StoreUnavailable> {
        switch (widget.kind) {
          case "site_trend":
            return { ...widget, points: (yield* trendOf(widget.site, since)).map(({ id, startedAt, totalScore }) => ({ run_id: id, at: startedAt, score: totalScore ?? 0 })) }
          case "top_sites": {
            const { kind, limit, order, title } = widget
            return { kind, title, order, sites: (yield* store.top(bucket === "30d" ? "30d" : "all", order, limit)).map(siteOf) }
          }
          case "corpus":
            return { ...widget, summary: summaryOf(yield* store.summary) }
        }
      })

      return {
        resolve: Effect.fn("Widgets.resolve")(function*({ widgets }, bucket) {
          const since = formatInstant(((yield* Clock.currentTimeMillis) - SPAN_MS[bucket]) * 1_000)
          return yield* Effect.forEach(widgets, (widget) => resolveOne(widget, bucket, since))
        })
      }
    })
  )
}

const POINTS = 100

const FAR_FUTURE = "9999-12-31T23:59:59.999999Z"

const DAY_MS = 86_400_000

const SPAN_MS: Readonly<Record<Bucket, number>> = { "30d": 30 * DAY_MS, "90d": 90 * DAY_MS, "12m": 365 * DAY_MS }
