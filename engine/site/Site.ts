import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { NO_PLACES, type PlaceQuery, type SpecPlaces } from "../apispec/read/SpecPlaces.ts"
import { placeSteps } from "../apispec/text/Json.ts"
import { normalise } from "../evidence/Address.ts"
import type { Ask } from "../evidence/Collector.ts"
import { Evidence } from "../evidence/Evidence.ts"
import type { Answer, Exchange } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { Page } from "../page/Page.ts"
import { type ElementSelection, readSelector } from "../page/select/Selector.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import {
  type Base,
  type Derivation,
  type GatherContext,
  type Using,
  usingEach,
  type ValueOf
} from "./base/Derivation.ts"
import * as Struct from "effect/Struct"
import type { Spender } from "../evidence/AuditBudget.ts"
import { spec } from "./apispec/SpecGathering.ts"
import { baseSpender, placeAt } from "./base/Base.ts"
import { drift } from "./drift/SiteDrift.ts"
import { markdownVersions } from "./markdown/MarkdownVersions.ts"
import { negotiation } from "./markdown/Negotiation.ts"
import { opening, sample } from "./sample/Sample.ts"
import { referencePages, referenceSearch } from "./topics/PageSearch.ts"
import { topicPages, topicSearch } from "./topics/TopicPages.ts"
import { aiCatalog } from "./wellknown/AiCatalog.ts"
import { fullText } from "./wellknown/FullText.ts"
import { llmsTxt } from "./wellknown/LlmsTxt.ts"
import { notFoundProbe } from "./wellknown/FileVerdict.ts"
import { robots } from "./wellknown/Robots.ts"
import { sitemaps } from "./wellknown/Sitemap.ts"

/**
 * Everything that is derived of a site, by its name there. The order is that in which early requests are sent and, within a
 * rank, a small budget is handed out.
 */
const declared = {
  robots,
  llmsTxt,
  sitemaps,
  notFoundProbe,
  sample,
  opening,
  markdownVersions,
  spec,
  fullText,
  negotiation,
  topicSearch,
  topicPages,
  referenceSearch,
  referencePages,
  aiCatalog,
  drift
}

/** What each derivation gives. */
export type DerivedValues = { readonly [Name in keyof typeof declared]: ValueOf<(typeof declared)[Name]> }

/** What several criteria need of a site, each derived once, on first use. */
type Derived = Using<DerivedValues>

export type DerivationName = keyof Derived

/** By name; each uses no other derivations than these. */
export const derivations: { readonly [Name in DerivationName]: Derivation<DerivedValues[Name], Derived> } = declared

const { robots: _, ...others } = declared

/** What everything that is gathered of a site may fetch, in the order in which a small budget is handed out. */
export const siteSpenders: ReadonlyArray<Spender> = [robots, baseSpender, ...Object.values(others)]

export const derivationNames: ReadonlyArray<DerivationName> = Struct.keys(declared)

/**
 * Makes the early requests of all derivations while the base page is being read. None where that page may redirect: the
 * requests would be for another base.
 */
export const requestEarly = Effect.fn("Site.requestEarly")(function* (
  evidence: Evidence["Service"],
  { answer, audited, robots }: { readonly audited: string; readonly answer: Answer; readonly robots: Exchange }
) {
  if (mayRedirect(answer)) return
  const arrival = { base: placeAt(audited, answer.url), robots, limits: yield* FetchLimits }
  const requests = Object.values(derivations).flatMap(({ collector, early }) =>
    early === undefined ? [] : [evidence.collector(collector).getAll(early(arrival))]
  )
  yield* Effect.all(requests, { concurrency: "unbounded", discard: true })
})

/** Pages whose script does nothing but redirect are short. */
const SHORT_BYTES = 5_000

/** Judged by the bytes, without parsing the page: a meta refresh, or a short page with a script that may redirect. */
const mayRedirect = ({ body }: Answer): boolean => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return (
    /http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(text) || (body.byteLength < SHORT_BYTES && text.includes("location"))
  )
}

/**
 * The audited site as a plugin sees it. What several criteria need is shared; what only one needs it fetches with `get`
 * and `getAll`, charged to its own budget.
 */
export interface Site extends Derived {
  readonly base: Base
  /** The run's date, `YYYY-MM-DD`: the only "today" that plugins know. */
  readonly date: string
  readonly get: (ask: Ask | string) => Effect.Effect<Exchange>
  readonly getAll: (asks: ReadonlyArray<Ask | string>) => Effect.Effect<ReadonlyArray<Exchange>>
  /** Reads an answer that `get` returned, as the pages of the sample are read. */
  readonly read: (answer: Answer) => Effect.Effect<Page>
  /**
   * The elements of a page's answer that a selector selects, with their attributes and text. The selector is of a part of CSS: tags,
   * `*`, `#id`, `.class`, `[name]`, `[name=value]` (also `~=`, `^=`, `$=`, `*=`), ` `, `>` and `,`. Another one is a mistake of the plugin.
   */
  readonly select: (answer: Answer, selector: string) => Effect.Effect<ElementSelection>
  /** Places of the best API description (`spec`), references followed; none if there is no description. */
  readonly specPlaces: (query: PlaceQuery) => Effect.Effect<SpecPlaces>
  /** As `GatherContext.resolve`. */
  readonly resolve: (href: string, from: string) => string | null
}

/** A site under audit: a view of it for each criterion, and a record of which criterion used what. */
export interface SiteUnderAudit {
  readonly for: (criterion: string) => Site
  /** The criteria that use what this collector fetched, directly or through derivations; sorted. */
  readonly callersOf: (collector: string) => ReadonlyArray<string>
}

interface SiteOptions {
  readonly base: Base
  readonly date: string
  readonly sampleSize: number
  /** Paths and globs of pages that are always in the sample; none if missing. */
  readonly namedPages?: ReadonlyArray<string>
}

export const makeSite = Effect.fnUntraced(function* (
  options: SiteOptions
): Effect.fn.Return<SiteUnderAudit, never, Evidence | ParserPool | Scope.Scope> {
  const { base, date, namedPages = [], sampleSize } = options
  const scope = yield* Effect.scope
  const evidence = yield* Evidence
  const parsing = yield* ParserPool
  const limits = yield* FetchLimits
  const opening = Deferred.makeUnsafe<ReadonlyArray<Page>>()
  const users = new Map<string, Set<string>>()
  const resolve = (href: string, from: string) => normalise(href, from)

  const note = (collector: string, user: string) => {
    const known = users.get(collector) ?? new Set()
    users.set(collector, known.add(user))
  }
  const contextFor = (collector: string): GatherContext => ({
    base,
    parsing,
    limits,
    date,
    sampleSize,
    namedPages,
    opening,
    resolve,
    collector: evidence.collector(collector)
  })

  const fibers = new Map<DerivationName, Fiber.Fiber<unknown>>()
  // In the scope, not in the fiber that asks first, so that an interrupted criterion does not take the value from the others.
  const start = <Name extends DerivationName>(name: Name) => {
    const { collector, gather } = derivations[name]
    const gathered = Effect.suspend(() => gather(contextFor(collector), seenBy(collector)))
    return Effect.tap(Effect.forkIn(gathered, scope, { startImmediately: true }), (fiber) =>
      Effect.sync(() => fibers.set(name, fiber))
    )
  }
  const derived: Derived = usingEach<DerivedValues>(derivationNames, (name) =>
    Effect.flatMap(Effect.runSync(Effect.cached(start(name))), Fiber.join)
  )
  /** The derivations as `user` sees them. Each use is noted; `resumed` runs before a waiting user continues. */
  const seenBy = (user: string, resumed: Effect.Effect<void> = Effect.void): Derived =>
    usingEach<DerivedValues>(derivationNames, (name) =>
      Effect.suspend(() => {
        note(derivations[name].collector, user)
        const isDone = fibers.get(name)?.pollUnsafe() !== undefined
        return isDone ? derived[name] : Effect.tap(derived[name], resumed)
      })
    )

  // Criteria that waited continue one after the other, each after what arrived meanwhile: thirty at once would delay the
  // next requests.
  const oneByOne = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
  const siteFor = (criterion: string): Site => {
    const { get, getAll } = evidence.collector(criterion)
    note(criterion, criterion)
    const read = (answer: Answer) => parsing.page({ answer })
    const seen = seenBy(criterion, oneByOne)
    const select = (answer: Answer, selector: string) =>
      Result.match(readSelector(selector), {
        onFailure: (message) => Effect.die(new Error(message)),
        onSuccess: (selector) => parsing.select({ answer }, selector)
      })
    const specPlaces = (query: PlaceQuery) =>
      placeSteps(query.at) === null
        ? Effect.die(new Error(`"${query.at}" is neither a JSON pointer, such as /info, nor "operations"`))
        : Effect.flatMap(seen.spec, ({ files }) =>
            files === null ? Effect.succeed(NO_PLACES) : parsing.places({ ...files, query })
          )
    return { base, date, resolve, read, select, specPlaces, get, getAll, ...seen }
  }
  const callersOf = (collector: string): ReadonlyArray<string> => {
    const criteria = new Set<string>()
    const seen = new Set<string>()
    const walk = (name: string) => {
      if (seen.has(name)) return
      seen.add(name)
      if (!name.startsWith("site/")) criteria.add(name)
      for (const user of users.get(name) ?? []) walk(user)
    }
    walk(collector)
    return [...criteria].sort()
  }
  return { for: siteFor, callersOf }
})
