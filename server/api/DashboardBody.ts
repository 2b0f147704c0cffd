import * as Schema from "effect/Schema"
import { CorpusSummaryBody, SiteSummaryBody } from "./Corpus.ts"

export const Bucket = Schema.Literals(["30d", "90d", "12m"])
export type Bucket = typeof Bucket.Type

const title = Schema.String.annotate({ description: "Heading of the widget.", examples: ["Our documentation"] })

const scored = {
  run_id: Schema.String.annotate({ description: "The run.", format: "uuid" }),
  at: Schema.String.annotate({ description: "When the run was accepted.", format: "date-time" }),
  score: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
    description: "The score of the run."
  }),
  reliable: Schema.Boolean.annotate({ description: "Whether the score can be relied on." })
}

const siteName = Schema.String.annotate({ description: "Host form of the site.", examples: ["docs.example.com"] })

const latestRunAt = Schema.NullOr(Schema.String).annotate({
  description: "When the last finished audit was accepted; `null`: never.",
  format: "date-time"
})

/** A widget: its kind and heading, then its figures. */
const widget = <const Kind extends string, const Figures extends Schema.Struct.Fields>(
  kind: Kind,
  identifier: string,
  description: string,
  figures: Figures
) =>
  Schema.Struct({ kind: Schema.Literal(kind).annotate({ description }), title, ...figures }).annotate({
    identifier,
    description
  })

const SiteTrend = widget("site_trend", "SiteTrendWidget", "The scores of one site over time.", {
  site: siteName,
  points: Schema.Array(Schema.Struct(scored)).annotate({
    description: "Finished runs within the bucket, oldest first, at most 100."
  })
})

const TopSitesWidget = widget("top_sites", "TopSitesWidget", "The sites with the best or worst scores.", {
  order: Schema.Literals(["best", "worst"]).annotate({ description: "Best or worst scores first." }),
  sites: Schema.Array(SiteSummaryBody).annotate({ description: "By newest reliable score." })
})

const CorpusWidget = widget("corpus", "CorpusWidget", "All audited sites in four numbers.", {
  summary: CorpusSummaryBody
})

const ScoredRunBody = Schema.Struct(scored).annotate({
  identifier: "ScoredRun",
  description: "A finished run and its score."
})
export type ScoredRunBody = typeof ScoredRunBody.Type

const CurrentScore = widget(
  "current_score",
  "CurrentScoreWidget",
  "The newest score of each of the dashboard's sites.",
  {
    sites: Schema.Array(Schema.Struct({ base_url: siteName, ...scored })).annotate({
      description:
        "The newest finished run of each site, in the operator's order. Sites without a finished run are left out."
    })
  }
)

const CategoryComparison = widget(
  "category_comparison",
  "CategoryComparisonWidget",
  "The dashboard's sites, category by category.",
  {
    sites: Schema.Array(
      Schema.Struct({
        base_url: siteName,
        ...scored,
        categories: Schema.Array(
          Schema.Struct({
            key: Schema.String.annotate({ description: "The category's key in reports.", examples: ["A_discovery"] }),
            title: Schema.String.annotate({ description: "Name of the category." }),
            score: Schema.Int.annotate({ description: "Points earned." }),
            max: Schema.Int.annotate({ description: "Points available." })
          })
        ).annotate({ description: "In the report's order." })
      })
    ).annotate({
      description:
        "The newest finished run of each site, in the operator's order. Sites without a finished run are left out."
    })
  }
)

const BiggestMovers = widget(
  "biggest_movers",
  "BiggestMoversWidget",
  "The dashboard's sites whose scores changed most within the bucket.",
  {
    sites: Schema.Array(
      Schema.Struct({
        base_url: siteName,
        from: ScoredRunBody.annotate({
          description: "The last reliable run before the bucket begins, or the first within it."
        }),
        to: ScoredRunBody.annotate({ description: "The newest reliable run, within the bucket." }),
        delta: Schema.Int.annotate({ description: "The later score minus the earlier score." })
      })
    ).annotate({ description: "Largest change first, up or down. Sites without a change are left out." })
  }
)

const StaleSites = widget(
  "stale_sites",
  "StaleSitesWidget",
  "The dashboard's sites that have not been audited recently.",
  {
    days: Schema.Int.annotate({ description: "Days without a finished audit after which a site is listed." }),
    sites: Schema.Array(
      Schema.Struct({
        base_url: siteName,
        latest_run_at: latestRunAt
      })
    ).annotate({ description: "Longest without an audit first." })
  }
)

export const Widget = Schema.Union([
  SiteTrend,
  TopSitesWidget,
  CorpusWidget,
  CurrentScore,
  CategoryComparison,
  BiggestMovers,
  StaleSites
]).annotate({
  identifier: "Widget",
  description: "A widget with its figures, told apart by `kind`. Kinds may be added: skip those that you do not know."
})
export type Widget = typeof Widget.Type

const DashboardSite = Schema.Struct({
  base_url: siteName,
  latest_run_at: latestRunAt,
  next_audit_at: Schema.NullOr(Schema.String).annotate({
    description: "When the operator's schedule has the next audit; `null`: none is scheduled.",
    format: "date-time"
  })
}).annotate({ identifier: "DashboardSite", description: "A site of a dashboard, and when it is audited." })
export type DashboardSite = typeof DashboardSite.Type

/** The body of GET /api/public/dashboard. */
export const DashboardBody = Schema.Struct({
  slug: Schema.String.annotate({ description: "The name of the dashboard, as in its URL.", examples: ["acme-docs"] }),
  title: Schema.String.annotate({ description: "Heading of the dashboard." }),
  bucket: Bucket.annotate({ description: "The period that the figures cover." }),
  generated_at: Schema.String.annotate({ description: "When the figures were computed.", format: "date-time" }),
  widgets: Schema.Array(Widget).annotate({ description: "In the operator's order." }),
  sites: Schema.optionalKey(
    Schema.Array(DashboardSite).annotate({
      description: "The dashboard's sites, in the operator's order, those without an audit among them."
    })
  )
}).annotate({ identifier: "Dashboard", description: "A dashboard with the figures of its widgets." })
export type DashboardBody = typeof DashboardBody.Type

/** The body while the figures are being computed. */
export const DashboardWarming = Schema.Struct({
  status: Schema.Literal("warming").annotate({ description: "Ask again after `Retry-After` seconds." })
}).annotate({
  identifier: "DashboardWarming",
  description: "The figures are being computed: ask again after `Retry-After` seconds."
})
