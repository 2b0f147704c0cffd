/** Where the URL of a page was found; the first of several in this order. */
export type CandidateSource = "base" | "llms.txt" | "sitemap" | "base page" | "crawl" | "configuration"

/** A page that could be in the sample. */
export interface Candidate {
  readonly url: string
  /** Every place that named it, in the order of `CandidateSource`. */
  readonly sources: ReadonlyArray<CandidateSource>
}

/** Why a URL that was found is no candidate, or no page of the sample. */
export const EXCLUSIONS = [
  "off_host",
  "outside_prefix",
  "not_a_page",
  "error_page",
  "search",
  "login",
  "print",
  "listing",
  "other_locale",
  "other_version"
] as const

export type Exclusion = (typeof EXCLUSIONS)[number]
