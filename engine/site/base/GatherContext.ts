import type * as Deferred from "effect/Deferred"
import type { FetchLimits } from "../../evidence/FetchLimits.ts"
import type { Exchange, Redirect } from "../../evidence/Exchange.ts"
import type { Collector } from "../../evidence/Collector.ts"
import type { Page } from "../../page/Page.ts"
import type { ParserPool } from "../../parse/ParserPool.ts"

/** The base of the audit: the URL that the audited one led to, and what follows from it. */
export interface BaseAddress {
  /** As the client gave it, normalised. */
  readonly audited: string
  /** `B`: the final URL after at most three redirects (HTTP, meta refresh, script) within the site. */
  readonly url: string
  /** `R`: scheme and host of `B`, without a trailing slash. */
  readonly origin: string
  /** `P`: the folder of `B`'s path, ending in a slash: `/docs/`. */
  readonly prefix: string
  /** `B` as a folder address, ending in a slash: what `B/llms.txt` is resolved against. */
  readonly folder: string
  /** The registrable domain. */
  readonly site: string
}

/** The base URL and its page. */
export interface Base extends BaseAddress {
  /** How `B` was reached, in order; `kind` tells HTTP redirects from those in the page. */
  readonly redirects: ReadonlyArray<Redirect & { readonly kind: "http" | "meta" | "script" }>
  /** What fetching `url` came to. It may be a fault or an error: pages may still be found through llms.txt or the sitemap. */
  readonly exchange: Exchange
  /** The page at `url`; `null` where there is none to read. */
  readonly page: Page | null
}

/** What a derivation of the site works with: the base, a collector of its own, the parsing workers, limits, the date. */
export interface GatherContext {
  readonly base: Base
  readonly collector: Collector
  readonly parsing: ParserPool["Service"]
  readonly limits: FetchLimits
  /** Pages to look at, the base included. */
  readonly sampleSize: number
  /** Paths and globs of pages that the configuration wants in the sample. */
  readonly namedPages: ReadonlyArray<string>
  /** The first pages of the sample, as soon as they have been read. */
  readonly opening: Deferred.Deferred<ReadonlyArray<Page>>
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  /**
   * Reads an address that the site wrote as the one to fetch: resolved against `from` and normalised. `null` where it
   * is no http(s) URL.
   */
  readonly resolve: (href: string, from: string) => string | null
}
