import * as Schema from "effect/Schema"
import { TOP_ORDERS, TOP_WINDOWS } from "../../engine/store/corpus/Corpus.ts"
import { points } from "../../engine/audit/Report.ts"
import { instant, runId } from "./Parameters.ts"

const count = (description: string) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description })

/** A site in the responses of browsing. */
export const SiteSummaryBody = Schema.Struct({
  base_url: Schema.String.annotate({ description: "Host form of the site.", examples: ["docs.example.com"] }),
  canonical_url: Schema.String.annotate({ description: "The URL that was audited last.", format: "uri" }),
  latest_run_id: Schema.optionalKey(
    runId.annotate({
      description:
        "The newest run that is `done`, reliable or not: read its report at `/api/public/audit/{id}`. Missing in figures of dashboards that an earlier version of the service computed."
    })
  ),
  reliable: Schema.Boolean.annotate({
    description:
      "`true`: all other fields but `latest_run_id` are about reliable audits only. `false`: the site has no reliable audit, and they are about all."
  }),
  run_count: count("Counted audits."),
  latest_run_at: instant("When the last counted audit was accepted."),
  first_run_at: instant("When the first counted audit was accepted."),
  latest_score: points("The newest score."),
  best_score: points("The best score."),
  worst_score: points("The worst score."),
  avg_score: points("The mean score, rounded half up.")
}).annotate({
  identifier: "SiteSummary",
  description: "A site, over its reliable finished audits; over all its finished audits if none is reliable."
})
export type SiteSummaryBody = typeof SiteSummaryBody.Type

/** How many sites one request may name. */
export const MOST_SITES = 50

/** The body of GET …/sites with `sites`. */
export const SiteList = Schema.Struct({
  sites: Schema.Array(SiteSummaryBody).annotate({ description: "The audited ones, in the order of the request." }),
  unknown: Schema.Array(Schema.String).annotate({
    description: "What was asked for and has no finished audit here, as it was written."
  })
}).annotate({ identifier: "SiteList", description: "The sites that `sites` names." })
export type SiteList = typeof SiteList.Type

/** The body of GET …/browse/summary. */
export const CorpusSummaryBody = Schema.Struct({
  sites: count("Audited sites."),
  runs: count("Finished audits."),
  avg_score: points("The mean of the sites' newest reliable scores, rounded half up."),
  latest_run_at: Schema.NullOr(Schema.String).annotate({
    description: "When the last audit was accepted; `null` before the first.",
    format: "date-time"
  })
}).annotate({ identifier: "CorpusSummary", description: "All audited sites in four numbers." })
export type CorpusSummaryBody = typeof CorpusSummaryBody.Type

const topWindow = Schema.Literals(TOP_WINDOWS)
const topOrder = Schema.Literals(TOP_ORDERS)

/** The body of GET …/browse/top. */
export const TopSites = Schema.Struct({
  window: topWindow.annotate({ description: "The requested window." }),
  order: topOrder.annotate({ description: "The requested order." }),
  sites: Schema.Array(SiteSummaryBody).annotate({ description: "By newest reliable score within the window." })
}).annotate({ identifier: "TopSites", description: "The sites with the best or worst scores." })
export type TopSites = typeof TopSites.Type

/** How many sites meet a criterion. */
const CriterionCount = Schema.Struct({
  id: Schema.String.annotate({ description: "Category letter and number of the criterion.", examples: ["A1"] }),
  present: count("Sites that meet it."),
  partial: count("Sites that meet it partly."),
  absent: count("Sites that do not meet it."),
  inconclusive: count("Sites where we could not check it."),
  not_applicable: count("Sites that it does not apply to, because they have no HTTP API.")
})

/** The body of GET …/browse/stats. */
export const CorpusStatsBody = Schema.Struct({
  scores: Schema.Array(
    Schema.Struct({
      from: points("Lowest score of the range."),
      to: points("Highest score of the range."),
      count: count("Sites with their newest reliable score in this range.")
    })
  ).annotate({ description: "Sites by newest reliable score, in ranges of ten." }),
  tlds: Schema.Array(
    Schema.Struct({
      tld: Schema.String.annotate({ description: "Top-level domain.", examples: ["com"] }),
      count: count("Sites with a reliable audit.")
    })
  ).annotate({ description: "Most frequent first, at most 50." }),
  organisations: Schema.Array(
    Schema.Struct({
      organisation: Schema.String.annotate({ description: "Registrable domain.", examples: ["example.com"] }),
      count: count("Sites with a reliable audit.")
    })
  ).annotate({ description: "Most sites first, at most 50." }),
  criteria: Schema.optionalKey(
    Schema.Array(CriterionCount).annotate({
      description:
        "Of each criterion, how many sites meet it by their newest reliable audit. Sites whose audits are older than this field are not counted."
    })
  )
}).annotate({
  identifier: "CorpusStats",
  description:
    "How scores, top-level domains and organisations are distributed, and how many sites meet each criterion."
})
export type CorpusStatsBody = typeof CorpusStatsBody.Type

const week = Schema.String.annotate({ description: "ISO 8601 week, in UTC.", examples: ["2026-W48"] })

/** The body of GET …/browse/adoption. */
export const AdoptionSeriesBody = Schema.Struct({
  criterion: Schema.NullOr(Schema.String).annotate({ description: "The requested criterion; `null`: all." }),
  generator: Schema.NullOr(Schema.String).annotate({
    description: "The requested generator; `null`: all sites together."
  }),
  weeks: Schema.Array(
    Schema.Struct({
      week,
      counted_at: instant("When the sites were counted."),
      sites: count("Sites with a reliable audit, each by its newest."),
      criteria: Schema.Array(CriterionCount).annotate({ description: "Those that any of the sites was judged by." })
    })
  ).annotate({ description: "Oldest first, at most the newest 104. A week in which nothing was counted is missing." }),
  generators: Schema.Array(
    Schema.Struct({
      generator: Schema.String.annotate({
        description: "Id for `generator`; `unknown` of sites whose generator is not known.",
        examples: ["docusaurus"]
      }),
      sites: count("Its sites in the newest week.")
    })
  ).annotate({ description: "Those of the newest week, most sites first." })
}).annotate({
  identifier: "AdoptionSeries",
  description: "How many sites meet each criterion, week by week."
})
export type AdoptionSeriesBody = typeof AdoptionSeriesBody.Type

/** The body of GET …/browse/search. */
export const BrowseSearch = Schema.Struct({
  query: Schema.String.annotate({ description: "The value of `q`; empty if it was left out." }),
  hits: Schema.Array(SiteSummaryBody).annotate({ description: "Most recently audited first." })
}).annotate({ identifier: "BrowseSearch", description: "Sites whose URL contains the text." })
export type BrowseSearch = typeof BrowseSearch.Type
