import * as Schema from "effect/Schema"

const count = (description: string) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description })
const points = (description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description })
const instant = (description: string) => Schema.String.annotate({ description, format: "date-time" })

/** What browsing tells of a site. */
export const SiteSummary = Schema.Struct({
  base_url: Schema.String.annotate({ description: "Host form of the site.", examples: ["docs.example.com"] }),
  canonical_url: Schema.String.annotate({ description: "The address that was audited last.", format: "uri" }),
  run_count: count("Finished audits."),
  latest_run_at: instant("When the last finished audit was accepted."),
  first_run_at: instant("When the first finished audit was accepted."),
  best_score: points("The best score."),
  worst_score: points("The worst score."),
  avg_score: points("The mean score, rounded half up.")
}).annotate({ identifier: "SiteSummary", description: "A site, over all its finished audits." })
export type SiteSummary = typeof SiteSummary.Type

/** The body of GET …/browse/summary. */
export const CorpusSummary = Schema.Struct({
  sites: count("Audited sites."),
  runs: count("Finished audits."),
  avg_score: points("The mean of the sites' newest scores, rounded half up."),
  latest_run_at: Schema.NullOr(Schema.String).annotate({ description: "When the last audit was accepted; `null` before the first.", format: "date-time" })
}).annotate({ identifier: "CorpusSummary", description: "All audited sites in four figures." })
export type CorpusSummary = typeof CorpusSummary.Type

export const TopWindow = Schema.Literals(["7d", "30d", "all"])
export const TopOrder = Schema.Literals(["best", "worst"])

/** The body of GET …/browse/top. */
export const TopSites = Schema.Struct({
  window: TopWindow.annotate({ description: "The window that was asked for." }),
  order: TopOrder.annotate({ description: "The order that was asked for." }),
  sites: Schema.Array(SiteSummary).annotate({ description: "By newest score within the window." })
}).annotate({ identifier: "TopSites", description: "The sites with the best or worst scores." })
export type TopSites = typeof TopSites.Type

/** The body of GET …/browse/stats. */
export const CorpusStats = Schema.Struct({
  scores: Schema.Array(Schema.Struct({
    from: points("Lowest score of the band."),
    to: points("Highest score of the band."),
    count: count("Sites whose newest score lies in it.")
  })).annotate({ description: "Sites by newest score, in bands of ten." }),
  tlds: Schema.Array(Schema.Struct({
    tld: Schema.String.annotate({ description: "Top-level domain.", examples: ["com"] }),
    count: count("Sites.")
  })).annotate({ description: "Most frequent first, at most 50." }),
  organisations: Schema.Array(Schema.Struct({
    organisation: Schema.String.annotate({ description: "Registrable domain.", examples: ["example.com"] }),
    count: count("Sites.")
  })).annotate({ description: "Most sites first, at most 50." })
}).annotate({ identifier: "CorpusStats", description: "How scores, top-level domains and organisations are distributed." })
export type CorpusStats = typeof CorpusStats.Type

/** The body of GET …/browse/search. */
export const BrowseSearch = Schema.Struct({
  query: Schema.String.annotate({ description: "Echo of `q`; empty where it was left out." }),
  hits: Schema.Array(SiteSummary).annotate({ description: "Most recently audited first." })
}).annotate({ identifier: "BrowseSearch", description: "Sites whose address contains the text." })
export type BrowseSearch = typeof BrowseSearch.Type
