import * as Schema from "effect/Schema"

const title = Schema.String.check(Schema.isMaxLength(200)).annotate({ description: "Heading of the widget." })

const site = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
  description: "Host form of a site, as in `base_url_norm`."
})

const limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))

/** A widget's definition. Widgets without a site show the dashboard's sites, or the corpus. */
export const WidgetDefinition = Schema.Union([
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
export type WidgetDefinition = typeof WidgetDefinition.Type

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
