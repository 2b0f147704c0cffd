import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { normalise } from "../evidence/Address.ts"
import { type Ask, type Collector, Evidence } from "../evidence/Evidence.ts"
import type { Answer, Exchange } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { type Aggregates, gatherAggregates } from "./Aggregates.ts"
import type { SpecSearch } from "./ApiSpec.ts"
import { type Canary, gatherCanary } from "./Canary.ts"
import type { Base, Gathering } from "./Gathering.ts"
import { gatherLlmsTxt, type LlmsTxt } from "./LlmsTxt.ts"
import { gatherNegotiation, type Negotiation } from "./Negotiation.ts"
import { type Once, onceIn } from "./OnceIn.ts"
import type { Page } from "./Page.ts"
import { Parsing } from "./Parsing.ts"
import { gatherRobots, type Robots } from "./Robots.ts"
import { gatherSample, type Sample } from "./Sample.ts"
import { gatherSitemaps, type Sitemaps } from "./Sitemap.ts"
import { gatherSpec } from "./SpecGathering.ts"
import { gatherSubjects } from "./Subjects.ts"
import { gatherTwins, type Twins } from "./Twins.ts"

/** What several criteria need of a site, each derived once, on first use. */
interface Derivations {
  readonly canary: Effect.Effect<Canary>
  readonly robots: Effect.Effect<Robots>
  readonly llmsTxt: Effect.Effect<LlmsTxt>
  readonly aggregates: Effect.Effect<Aggregates>
  readonly sitemaps: Effect.Effect<Sitemaps>
  /** The sample `S`: which pages were picked, from which candidates, and what came of fetching each. */
  readonly sample: Effect.Effect<Sample>
  /** The first pages of `S`, at most `OPENING_PAGES`, as soon as they have been read: the others may still be on their way. */
  readonly opening: Effect.Effect<ReadonlyArray<Page>>
  /** ≤ 10 more pages whose address or title names a subject of category D. */
  readonly subjects: Effect.Effect<ReadonlyArray<Page>>
  readonly twins: Effect.Effect<Twins>
  /** What the first pages of `S` answer to `Accept: text/markdown`. */
  readonly negotiation: Effect.Effect<Negotiation>
  readonly spec: Effect.Effect<SpecSearch>
}

/**
 * The audited site as a plugin sees it. What several criteria need is shared; what one alone needs it fetches with
 * `get` and `getAll`, charged to a reservation of its own.
 */
export interface Site extends Derivations {
  readonly base: Base
  /** The run's date, `YYYY-MM-DD`: the only "today" there is. */
  readonly date: string
  readonly get: (ask: Ask | string) => Effect.Effect<Exchange>
  readonly getAll: (asks: ReadonlyArray<Ask | string>) => Effect.Effect<ReadonlyArray<Exchange>>
  /** Reads an answer that `get` brought, as the pages of the sample are read. */
  readonly read: (answer: Answer) => Effect.Effect<Page>
  /** As `Gathering.resolve`. */
  readonly resolve: (href: string, from: string) => string | null
}

/** A site under audit: a view of it for each criterion, and a record of which criterion leant on what. */
export interface SiteUnderAudit {
  readonly for: (criterion: string) => Site
  /** The criteria that asked for what this collector fetched, by way of whatever derivations; sorted. */
  readonly askersOf: (collector: string) => ReadonlyArray<string>
}

type Name = keyof Derivations

/** Derivations in whose name others fetch: `site/llms-txt` for `llmsTxt`. */
export const collectorOf = (name: Name): string => `site/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

export interface SiteOptions {
  readonly base: Base
  readonly date: string
  readonly sampleSize: number
}

export const makeSite = Effect.fnUntraced(function*(
  options: SiteOptions
): Effect.fn.Return<SiteUnderAudit, never, Evidence | Parsing | Scope.Scope> {
  const { base, date } = options
  const scope = yield* Effect.scope
  const evidence = yield* Evidence
  const parsing = yield* Parsing
  const limits = yield* FetchLimits
  const users = new Map<string, Set<string>>()
  const resolve = (href: string, from: string) => normalise(href, from)

  const note = (collector: string, user: string) => {
    const known = users.get(collector) ?? new Set()
    users.set(collector, known.add(user))
  }
  const gathering = (name: Name): Gathering => ({
    base, parsing, limits, date, resolve, collector: evidence.collector(collectorOf(name))
  })
  /** The derivations as `user` sees them: using one is noted; `before` comes before going on from one that had to be waited for. */
  const seenBy = (user: string, before: Effect.Effect<void> = Effect.void): Derivations => {
    const use = <A>(name: Name, one: () => Once<A>): Effect.Effect<A> =>
      Effect.suspend(() => {
        note(collectorOf(name), user)
        const { isDone, result } = one()
        return isDone() ? result : Effect.tap(result, before)
      })
    return {
      canary: use("canary", () => derived.canary),
      robots: use("robots", () => derived.robots),
      llmsTxt: use("llmsTxt", () => derived.llmsTxt),
      aggregates: use("aggregates", () => derived.aggregates),
      sitemaps: use("sitemaps", () => derived.sitemaps),
      sample: use("sample", () => derived.sample),
      opening: use("opening", () => derived.opening),
      subjects: use("subjects", () => derived.subjects),
      twins: use("twins", () => derived.twins),
      negotiation: use("negotiation", () => derived.negotiation),
      spec: use("spec", () => derived.spec)
    }
  }
  const once = <A>(name: Name, body: (gathering: Gathering, uses: Derivations) => Effect.Effect<A>): Once<A> =>
    onceIn(scope, Effect.suspend(() => body(gathering(name), seenBy(collectorOf(name)))))

  const opened = Deferred.makeUnsafe<ReadonlyArray<Page>>()
  const sample = once("sample", Effect.fnUntraced(function*(g, uses) {
    const [llmsTxt, sitemaps] = yield* Effect.all([uses.llmsTxt, uses.sitemaps], { concurrency: "unbounded" })
    const open = (pages: ReadonlyArray<Page>) => Deferred.doneUnsafe(opened, Effect.succeed(pages))
    return yield* gatherSample(g, { llmsTxt, sitemaps, size: options.sampleSize }, open)
  }, Effect.onError((cause) => Deferred.failCause(opened, cause))))

  const derived: { readonly [N in Name]: Once<Effect.Success<Derivations[N]>> } = {
    robots: once("robots", (g) => gatherRobots(g)),
    canary: once("canary", (g) => gatherCanary(g)),
    llmsTxt: once("llmsTxt", (g, uses) => gatherLlmsTxt(g, uses.canary)),
    aggregates: once("aggregates", (g, uses) => gatherAggregates(g, uses.canary, uses.llmsTxt)),
    sitemaps: once("sitemaps", (g, uses) => gatherSitemaps(g, uses.canary, uses.robots)),
    sample,
    opening: once("opening", () => {
      note(collectorOf("sample"), collectorOf("opening"))
      return Effect.andThen(sample.begin, Deferred.await(opened))
    }),
    subjects: once("subjects", Effect.fnUntraced(function*(g, uses) {
      const [llmsTxt, sitemaps, sample] = yield* Effect.all([uses.llmsTxt, uses.sitemaps, uses.sample], { concurrency: "unbounded" })
      return yield* gatherSubjects(g, { llmsTxt, sitemaps, sample })
    })),
    twins: once("twins", Effect.fnUntraced(function*(g, uses) {
      const [canary, llmsTxt, sample] = yield* Effect.all([uses.canary, uses.llmsTxt, uses.sample], { concurrency: "unbounded" })
      return yield* gatherTwins(g, sample, llmsTxt, canary)
    })),
    negotiation: once("negotiation", (g, uses) =>
      together(uses.canary, uses.opening, (canary, pages) => gatherNegotiation(g, pages, canary))),
    spec: once("spec", Effect.fnUntraced(function*(g, uses) {
      const clues = together(uses.llmsTxt, uses.sample, (llmsTxt, { pages }) => Effect.succeed({ llmsTxt, pages }))
      return yield* gatherSpec(g, yield* uses.canary, clues)
    }))
  }

  // One criterion after the other goes on from what it waited for, each after what came in meanwhile, so that thirty at
  // once do not keep the next requests waiting.
  const oneByOne = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
  const siteFor = (criterion: string): Site => {
    const collector: Collector = evidence.collector(criterion)
    note(criterion, criterion)
    const read = (answer: Answer) => parsing.page({ answer })
    return { base, date, resolve, read, get: collector.get, getAll: collector.getAll, ...seenBy(criterion, oneByOne) }
  }
  const askersOf = (collector: string): ReadonlyArray<string> => {
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
  return { for: siteFor, askersOf }
})

const together = <A, B, C>(
  one: Effect.Effect<A>,
  other: Effect.Effect<B>,
  body: (a: A, b: B) => Effect.Effect<C>
): Effect.Effect<C> =>
  Effect.flatMap(Effect.all([one, other], { concurrency: "unbounded" }), ([a, b]) => body(a, b))
