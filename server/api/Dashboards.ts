import * as Schema from "effect/Schema"
import { CorpusSummary, SiteSummary } from "./Corpus.ts"

export const Bucket = Schema.Literals(["30d", "90d", "12m"])
export type Bucket = typeof Bucket.Type

const title = Schema.String.annotate({ description: "Heading of the widget.", examples: ["Our documentation"] })

const SiteTrend = Schema.Struct({
  kind: Schema.Literal("site_trend").annotate({ description: "The scores of one site over time." }),
  title,
  site: Schema.String.annotate({ description: "Host form of the site.", examples: ["docs.example.com"] }),
  points: Schema.Array(Schema.Struct({
    run_id: Schema.String.annotate({ description: "The run.", format: "uuid" }),
    at: Schema.String.annotate({ description: "When it was accepted.", format: "date-time" }),
    score: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description: "Its score." })
  })).annotate({ description: "Finished runs within the bucket, oldest first, at most 100." })
}).annotate({ identifier: "SiteTrendWidget", description: "The scores of one site over time." })

const TopSitesWidget = Schema.Struct({
  kind: Schema.Literal("top_sites").annotate({ description: "The sites with the best or worst scores." }),
  title,
  order: Schema.Literals(["best", "worst"]).annotate({ description: "Which end of the scale." }),
  sites: Schema.Array(SiteSummary).annotate({ description: "By newest score." })
}).annotate({ identifier: "TopSitesWidget", description: "The sites with the best or worst scores." })

const CorpusWidget = Schema.Struct({
  kind: Schema.Literal("corpus").annotate({ description: "All audited sites in four figures." }),
  title,
  summary: CorpusSummary
}).annotate({ identifier: "CorpusWidget", description: "All audited sites in four figures." })

/** A widget with its figures. */
export const Widget = Schema.Union([SiteTrend, TopSitesWidget, CorpusWidget]).annotate({
  identifier: "Widget",
  description: "A widget with its figures, told apart by `kind`. Kinds may be added: pass over those that are unknown."
})
export type Widget = typeof Widget.Type

/** The body of GET /api/public/dashboard. */
export const Dashboard = Schema.Struct({
  slug: Schema.String.annotate({ description: "The name of the dashboard in its address.", examples: ["acme-docs"] }),
  title: Schema.String.annotate({ description: "Its heading." }),
  bucket: Bucket.annotate({ description: "The span that the figures cover." }),
  generated_at: Schema.String.annotate({ description: "When the figures were put together.", format: "date-time" }),
  widgets: Schema.Array(Widget).annotate({ description: "In the operator's order." })
}).annotate({ identifier: "Dashboard", description: "A dashboard with the figures of its widgets." })
export type Dashboard = typeof Dashboard.Type

/** The body while the figures are put together. */
export const DashboardWarming = Schema.Struct({
  status: Schema.Literal("warming").annotate({ description: "Ask again after `Retry-After` seconds." })
}).annotate({ identifier: "DashboardWarming", description: "The figures are being put together: ask again after `Retry-After` seconds." })
