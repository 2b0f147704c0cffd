import * as Effect from "effect/Effect"
import { type Exchange, isUnobtainable } from "../evidence/Exchange.ts"
import type { Page } from "../page/Page.ts"
import { missingAmong, type Sample } from "../site/sample/Sample.ts"
import type { Site } from "../site/Site.ts"
import { Unobtainable } from "./Criterion.ts"
import { type Forms, pathShown, someOf } from "./Wording.ts"

/** The pages that shares are taken over. */
export interface SampledPages {
  /** Pages of the sample that were fetched, in its order, without bot challenges. */
  readonly pages: ReadonlyArray<Page>
  /** Missing responses to further pages of the sample. */
  readonly missing: ReadonlyArray<Exchange>
  /** The proof to cite where no page is a better one: the first page's exchange, else the base's. */
  readonly first: Exchange
}

/**
 * The sample. Fails if a response is missing that may have named other pages: llms.txt, a sitemap, the base page, and, if
 * there are few pages, any of them.
 */
export const knownSample = Effect.fn("KnownSample")(function* (site: Site): Effect.fn.Return<Sample, Unobtainable> {
  const sample = yield* site.sample
  const [exchange] = sample.missing
  if (exchange === undefined) return sample
  const message = `We could not read ${pathShown(exchange.asked.url)}, which may name other pages than those that we looked at.`
  return yield* new Unobtainable({ message, exchange })
})

/**
 * The pages of the sample. Fails if it is not known (see `knownSample`), and if no page could be read (faults, or a bot
 * challenge in place of every page); the list is empty if the site itself answers that it has none.
 */
export const sampledPages = Effect.fn("SampledPages")(function* (
  site: Site
): Effect.fn.Return<SampledPages, Unobtainable> {
  const { pages: fetched, visits } = yield* knownSample(site)
  const pages = fetched.filter(({ challenge }) => challenge === null)
  const first = pages[0]?.answer ?? visits[0]?.exchange ?? site.base.exchange
  if (pages.length === 0 && (isUnobtainable(first) || isUnobtainable(site.base.exchange))) {
    return yield* new Unobtainable({ message: "No documentation page could be fetched.", exchange: first })
  }
  if (fetched.length > 0 && pages.length === 0) {
    return yield* new Unobtainable({ message: "Every page answered with a bot challenge.", exchange: first })
  }
  return { pages, first, missing: missingAmong(visits) }
})

/**
 * The same, concurrently with `other`, which may have requests to send before the last page has arrived. `other` runs to its end
 * even if the sample is not known: how far it gets before that would depend on timing.
 */
export const withSampledPages = <A>(
  site: Site,
  other: Effect.Effect<A>
): Effect.Effect<readonly [SampledPages, A], Unobtainable> =>
  Effect.gen(function* () {
    const [sampled, result] = yield* Effect.all([Effect.result(sampledPages(site)), other], {
      concurrency: "unbounded"
    })
    return [yield* Effect.fromResult(sampled), result] as const
  })

/** The page shows its own content: no error text, login or bot challenge in its place. */
export const isItself = (page: Page): boolean => !page.saysNotFound && !page.loginWall && page.challenge === null

/** The beginning of a sentence about the sample: `3 of 20 sampled pages have`; `verb` as for `someOf`. */
export const someSampled = (part: number, pages: ReadonlyArray<Page>, verb: Forms): string =>
  pages.length === 0
    ? `No page could be fetched, so none ${verb[0]}`
    : someOf(part, pages.length, ["sampled page", "sampled pages"], verb)
