import type * as Deferred from "effect/Deferred"
import type * as Effect from "effect/Effect"
import type { Budget, Spender } from "../../evidence/AuditBudget.ts"
import type { Ask, Collector } from "../../evidence/Collector.ts"
import type { Exchange, Redirect } from "../../evidence/Exchange.ts"
import type { FetchLimits } from "../../evidence/FetchLimits.ts"
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

/** What is known when the base page has arrived and is still to be read. */
interface Arrival {
  readonly base: BaseAddress
  readonly robots: Exchange
  readonly limits: FetchLimits
}

/** Something that several criteria need of a site, gathered once for all of them, on first use. */
export interface Derivation<Value, Needs> extends Spender {
  /**
   * What it requests on every site, whatever the first page says: sent while that page is being read. `gather` makes the
   * same requests again and finds the answers in the collector.
   */
  readonly early?: (arrival: Arrival) => ReadonlyArray<Ask | string>
  /** `uses`: other derivations of the site. */
  readonly gather: (context: GatherContext, uses: Needs) => Effect.Effect<Value>
}

/** Other derivations, by their names on the site. */
export type Using<Values> = { readonly [Name in keyof Values]: Effect.Effect<Values[Name]> }

export type ValueOf<D> = D extends {
  readonly gather: (context: GatherContext, uses: never) => Effect.Effect<infer Value>
}
  ? Value
  : never

/** Declares a derivation; a line in `Site.ts` puts it on the site. */
export const derivation = <Value, Needs = object>({
  name,
  ...rest
}: Omit<Derivation<Value, Needs>, "collector"> & {
  /** As reports show it, after `site/`. */
  readonly name: string
  readonly budget: Budget | ((sampleSize: number) => Budget)
}): Derivation<Value, Needs> => ({ collector: `site/${name}`, ...rest })

/** The derivations named, which are all that `Values` has, each by its own effect. */
export const usingEach = <Values>(
  names: ReadonlyArray<keyof Values & string>,
  effectOf: <Name extends keyof Values & string>(name: Name) => Effect.Effect<Values[Name]>
): Using<Values> => Object.fromEntries(names.map((name) => [name, effectOf(name)])) as Using<Values>
