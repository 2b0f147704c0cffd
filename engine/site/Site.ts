import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { NO_PLACES, type PlaceQuery, type SpecPlaces } from "../apispec/text/Documents.ts"
import { placeSteps } from "../apispec/text/Json.ts"
import { normalise } from "../evidence/Address.ts"
import type { Ask } from "../evidence/Collector.ts"
import { Evidence } from "../evidence/Evidence.ts"
import type { Answer, Exchange } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { Page } from "../page/Page.ts"
import { type ElementSelection, readSelector } from "../page/select/Selector.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import { type Base, type GatherContext, usingEach } from "./base/Derivation.ts"
import { type DerivationName, derivationNames, derivations, type Derived, type DerivedValues } from "./Derivations.ts"

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
