import * as Effect from "effect/Effect"
import { cutShort, type Exchange, isUnobtainable } from "../evidence/Exchange.ts"
import type { Page } from "../page/Page.ts"
import { cutAmong, missingAmong, type Sample } from "../site/sample/Sample.ts"
import type { Site } from "../site/Site.ts"
import { type Measurement, Unobtainable } from "./Criterion.ts"
import type { UncertainFacts } from "./Fact.ts"
import { addressShown, type Forms, someOf } from "./Wording.ts"

/** The pages that shares are taken over. */
interface SampledPages {
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
  const message = `We could not read ${addressShown(exchange.asked.url, site.base.url)}, which may name other pages than those that we looked at.`
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

/** The values that a criterion's facts may have, given the number of missing sampled or reference pages; other texts may be missing too. */
type Ranges<Facts> = (facts: Facts, missingPages: number) => UncertainFacts<Facts>

/**
 * The measurement of a criterion that reads all texts of the site, with its facts uncertain if one of those texts is missing. Fails
 * if the sample is not known.
 */
export const withMissingText =
  <Facts>(ranges: Ranges<Facts>) =>
  (
    measured: Effect.Effect<Measurement<Facts>, Unobtainable>,
    site: Site
  ): Effect.Effect<Measurement<Facts>, Unobtainable> =>
    Effect.gen(function* () {
      const { pages: sampled, visits } = yield* knownSample(site)
      const measurement = yield* measured
      const { missing: reference } = yield* site.referenceSearch
      const pages = [...missingAmong(visits), ...reference, ...cutAmong([...sampled, ...(yield* site.referencePages)])]
      const missing = [...pages, ...(yield* missingBeside(site)), ...(measurement.unanswered ?? [])]
      return missing.length === 0
        ? measurement
        : { ...measurement, uncertain: ranges(measurement.facts, pages.length), unanswered: missing }
    })

/** Missing responses to topic pages, full-text files and the API description, and full-text files that were read in part. */
const missingBeside = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<ReadonlyArray<Exchange>> {
  const [topics, fullText, spec] = yield* Effect.all([site.topicSearch, site.fullText, site.spec], {
    concurrency: "unbounded"
  })
  // What was looked for may be in the rest of a full text.
  const unread = fullText.files.flatMap(({ answer, textCut }) => (textCut ? [cutShort(answer)] : []))
  return [
    ...topics.missing,
    ...cutAmong(topics.pages),
    ...fullText.missing,
    ...unread,
    ...(spec.unobtainable === null ? [] : [spec.unobtainable]),
    ...spec.missingFiles
  ]
})
