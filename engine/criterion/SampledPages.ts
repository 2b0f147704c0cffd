import * as Effect from "effect/Effect"
import { type Exchange, isUnobtainable } from "../evidence/Exchange.ts"
import type { Page } from "../site/Page.ts"
import type { Site } from "../site/Site.ts"
import { Unobtainable } from "./Criterion.ts"
import { counted } from "./Wording.ts"

/** The pages that shares are taken over. */
export interface SampledPages {
  /** Pages of the sample that were fetched, in its order. */
  readonly pages: ReadonlyArray<Page>
  /** What is cited where no page says more: the first page's exchange, or what came of asking for the base. */
  readonly first: Exchange
}

/**
 * The pages of the sample. Where there is none because the site could not be had, or bot challenges stand in place of
 * all of them, there is nothing to measure; where the site says itself that there is none, the list is empty.
 */
export const sampledPages = Effect.fn("SampledPages")(function*(site: Site): Effect.fn.Return<SampledPages, Unobtainable> {
  const { pages, visits } = yield* site.sample
  const first = pages[0]?.answer ?? visits[0]?.exchange ?? site.base.exchange
  if (pages.length === 0 && (isUnobtainable(first) || isUnobtainable(site.base.exchange))) {
    return yield* new Unobtainable({ message: "No page of the documentation could be had.", exchange: first })
  }
  if (pages.length > 0 && pages.every(({ challenge }) => challenge !== null)) {
    return yield* new Unobtainable({ message: "A bot challenge stands in place of every page.", exchange: first })
  }
  return { pages, first }
})

/** The same, and something else that is begun at once: it may have requests to send before the last page is there. */
export const withSampledPages = <A>(site: Site, other: Effect.Effect<A>): Effect.Effect<readonly [SampledPages, A], Unobtainable> =>
  Effect.all([sampledPages(site), other], { concurrency: "unbounded" })

/** The page's own content stands there: no error text, login or challenge in its place. */
export const isItself = (page: Page): boolean => !page.saysNotFound && !page.loginWall && page.challenge === null

/** "3 of 20 sampled pages", "none of 20 sampled pages", "all 20 sampled pages", "the one sampled page": to follow a preposition. */
export const ofPages = (part: number, pages: ReadonlyArray<Page>): string => {
  const whole = counted(pages.length, "sampled page")
  if (pages.length === 0) return "no page, since none could be fetched"
  if (pages.length === 1) return part === 1 ? "the one sampled page" : "no page (one was sampled)"
  if (part === 0) return `none of ${whole}`
  return part === pages.length && part > 1 ? `all ${whole}` : `${part} of ${whole}`
}
