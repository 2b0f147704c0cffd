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

const scored = {
  run_id: Schema.String.annotate({ description: "The run.", format: "uuid" }),
  at: Schema.String.annotate({ description: "When it was accepted.", format: "date-time" }),
  score: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description: "Its score." })
}

const ScoredRun = Schema.Struct(scored).annotate({ identifier: "ScoredRun", description: "A finished run and its score." })
export type ScoredRun = typeof ScoredRun.Type

const siteName = Schema.String.annotate({ description: "Host form of the site.", examples: ["docs.example.com"] })

const CurrentScore = Schema.Struct({
  kind: Schema.Literal("current_score").annotate({ description: "The newest score of each of the dashboard's sites." }),
  title,
  sites: Schema.Array(Schema.Struct({ base_url: siteName, ...scored })).annotate({ description: "Their newest finished runs, in the operator's order. Sites without one are left out." })
}).annotate({ identifier: "CurrentScoreWidget", description: "The newest score of each of the dashboard's sites." })

const CategoryComparison = Schema.Struct({
  kind: Schema.Literal("category_comparison").annotate({ description: "The dashboard's sites, category by category." }),
  title,
  sites: Schema.Array(Schema.Struct({
    base_url: siteName,
    ...scored,
    categories: Schema.Array(Schema.Struct({
      key: Schema.String.annotate({ description: "The category's key in reports.", examples: ["A_discovery"] }),
      title: Schema.String.annotate({ description: "What the category is called." }),
      score: Schema.Int.annotate({ description: "Points earned." }),
      max: Schema.Int.annotate({ description: "Points that could be earned." })
    })).annotate({ description: "In the report's order." })
  })).annotate({ description: "Their newest finished runs, in the operator's order. Sites without one are left out." })
}).annotate({ identifier: "CategoryComparisonWidget", description: "The dashboard's sites, category by category." })

const BiggestMovers = Schema.Struct({
  kind: Schema.Literal("biggest_movers").annotate({ description: "The dashboard's sites whose scores moved most within the bucket." }),
  title,
  sites: Schema.Array(Schema.Struct({
    base_url: siteName,
    from: ScoredRun.annotate({ description: "The last finished run before the bucket begins, or the first within it." }),
    to: ScoredRun.annotate({ description: "The newest finished run, within the bucket." }),
    delta: Schema.Int.annotate({ description: "The later score less the earlier one." })
  })).annotate({ description: "Largest movement first, up or down. Sites that did not move are left out." })
}).annotate({ identifier: "BiggestMoversWidget", description: "The dashboard's sites whose scores moved most within the bucket." })

const StaleSites = Schema.Struct({
  kind: Schema.Literal("stale_sites").annotate({ description: "The dashboard's sites that were not audited for long." }),
  title,
  days: Schema.Int.annotate({ description: "How many days without a finished audit are long." }),
  sites: Schema.Array(Schema.Struct({
    base_url: siteName,
    latest_run_at: Schema.NullOr(Schema.String).annotate({ description: "When the last finished audit was accepted; `null` where there was none.", format: "date-time" })
  })).annotate({ description: "Longest without an audit first." })
}).annotate({ identifier: "StaleSitesWidget", description: "The dashboard's sites that were not audited for long." })

/** A widget with its figures. */
export const Widget = Schema.Union([SiteTrend, TopSitesWidget, CorpusWidget, CurrentScore, CategoryComparison, BiggestMovers, StaleSites]).annotate({
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
