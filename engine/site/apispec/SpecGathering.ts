import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { derivation, type Using } from "../base/Derivation.ts"
import * as Fiber from "effect/Fiber"
import { onSite } from "../../evidence/Address.ts"
import { asDocument, type Collector } from "../../evidence/Collector.ts"
import {
  type Answer,
  cutShort,
  type Exchange,
  isAnswer,
  isMissing,
  isOk,
  isUnobtainable
} from "../../evidence/Exchange.ts"
import type { FoundSpec, ParsedSpec, SpecCandidate, SpecSearch, UnparsedReason } from "../../apispec/ApiSpec.ts"
import { equalsProbe, isMissingFile } from "../wellknown/FileVerdict.ts"
import type { NotFoundProbe } from "../wellknown/NotFoundProbe.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import { missingAmong, type Sample } from "../sample/Sample.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import { catalogMentions } from "./SpecCatalog.ts"
import { type CandidateUrl, candidateUrls } from "./SpecCandidates.ts"
import { isFound, isInPlainSight, placeholderOf, ranked } from "./SpecRanking.ts"
import { type DescriptionReader, fileOf, isMarkup, makeDescriptionReader } from "./SpecReading.ts"
import { llmsMentions, pageMentions, type SpecMention } from "./SpecMentions.ts"
import { catalogAsk, wellKnownUrls } from "./SpecWellKnown.ts"
import { initializerUrl, initializerMentions } from "./SwaggerInitializer.ts"

/** Announced descriptions that are fetched: a site with one for each of its endpoints is judged by the first few. */
const FETCHED = 5
/** Descriptions inside pages that are read. */
const INLINE = 3

/** What the search goes on from, beside the base page. */
export interface SpecClues {
  readonly llmsTxt: LlmsTxt
  /** The sample's pages, `B` first. */
  readonly pages: ReadonlyArray<Page>
  /** Missing responses to such pages, to llms.txt, and to what else may name pages. */
  readonly missing: ReadonlyArray<Exchange>
}

/** What came of a URL. */
interface Visit {
  readonly url: string
  readonly exchange: Exchange
  readonly spec: ParsedSpec | null
}

/**
 * Looks for the site's API description: first where the site says that there is one; at well-known URLs only where
 * that gives no OpenAPI document that is announced, so that a site which announces its own is asked two or three times.
 * What the base page announces is fetched and read while the clues are on their way.
 */
export const gatherSpec = Effect.fn("SpecGathering")(function* (
  given: GatherContext,
  notFoundProbe: NotFoundProbe,
  onItsWay: Effect.Effect<SpecClues>
): Effect.fn.Return<SpecSearch> {
  const { base } = given
  const collector = noting(given.collector)
  const context = { ...given, collector }
  const wellKnown = wellKnownUrls(base)
  const fetchable = (mentions: ReadonlyArray<SpecMention>) =>
    candidateUrls(mentions, wellKnown, base.site)
      .filter(({ url }) => onSite(url, base.site))
      .slice(0, FETCHED)
      .map(({ url }) => url)
  const read = makeDescriptionReader(context)
  const readings = makeReadings(read, notFoundProbe)
  const first = base.page === null ? [] : fetchable(pageMentions([base.page], base.site))
  if (first.length > 0) yield* context.parsing.expectSpec
  const early = yield* Effect.forkChild(visitAll(context, readings, first), { startImmediately: true })
  const clues = yield* onItsWay
  const script = initializerUrl(context, clues.pages)
  const said = [...pageMentions(clues.pages, base.site), ...llmsMentions(context, clues.llmsTxt)]

  // One wave for all that is known to be asked; what follows finds these answers at hand.
  const likely = fetchable(said)
  if (likely.length > 0 || script !== null) yield* context.parsing.expectSpec
  const [catalog] = yield* collector.getAll([
    catalogAsk(base),
    ...(script === null ? [] : [script]),
    ...(likely.length > 0 ? likely : wellKnown).map(asDocument)
  ])
  const shown = script === null ? [] : initializerMentions(context, yield* collector.get(script))
  const listed = catalog === undefined ? [] : catalogMentions(context, catalog)
  const mentions = [...said, ...listed, ...shown]
  const announcedUrls = candidateUrls(mentions, wellKnown, base.site)

  // First to the end: what was asked, and what is read within the limit for all of them, must not depend on timing.
  yield* Fiber.join(early)
  const visits = yield* visitAll(context, readings, fetchable(mentions))
  const announced = [
    ...announcedUrls.map((announced) => candidateOf(announced, visits)),
    ...(yield* inlineCandidates(read, clues.pages))
  ].map((candidate) => judged(candidate, context, clues.pages))
  const guesses = announced.some(isSettled) ? [] : wellKnown.filter((url) => !visits.some((visit) => visit.url === url))
  const guessed = yield* visitAll(context, readings, guesses)
  const unannounced = guessed
    .filter(({ spec }) => spec !== null)
    .map((visit) =>
      judged(candidateOf({ url: visit.url, sources: ["well_known"], by: null }, guessed), context, clues.pages)
    )

  const tried = [...visits, ...guessed].map(({ exchange }) => exchange).concat(catalog ?? [])
  const missingClues = [
    ...clues.missing,
    ...(catalog === undefined ? [] : [catalog]),
    ...(script === null ? [] : [yield* collector.get(script)])
  ].filter(isMissing)
  const missingGuess = tried.find((exchange) => isMissingFile(notFoundProbe, exchange)) ?? missingClues[0] ?? null
  const search = searchOf(ranked([...announced, ...unannounced]), tried, missingGuess)
  return {
    ...search,
    missingClues,
    missingFiles:
      search.best === null ? [] : search.best.spec.missingFiles.flatMap((url) => collector.missing.get(url) ?? [])
  }
})

export const spec = derivation({
  name: "spec",
  budget: { requests: 12, redirects: 1, megabytes: 22 },
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (
    context: GatherContext,
    uses: Using<{ notFoundProbe: NotFoundProbe; llmsTxt: LlmsTxt; sample: Sample }>
  ) {
    const sources = Effect.map(
      Effect.all([uses.llmsTxt, uses.sample], { concurrency: "unbounded" }),
      ([llmsTxt, { missing, pages, visits }]): SpecClues => ({
        llmsTxt,
        pages,
        missing: [...missing, ...missingAmong(visits)]
      })
    )
    return yield* gatherSpec(context, yield* uses.notFoundProbe, sources)
  })
})

/** Reads an answer, unless that has been done or is being done: one that leads where another led is read once. */
type Readings = (answer: Answer) => Effect.Effect<ParsedSpec | null>

const makeReadings = (read: DescriptionReader, notFoundProbe: NotFoundProbe): Readings => {
  const known = new Map<string, Effect.Effect<ParsedSpec | null>>()
  return Effect.fnUntraced(function* (answer) {
    const reading = known.get(answer.url) ?? (yield* Effect.cached(readAnswer(read, notFoundProbe, answer)))
    known.set(answer.url, reading)
    return yield* reading
  })
}

/** All fetched at once, then read one by one. */
const visitAll = Effect.fnUntraced(function* (
  { collector }: GatherContext,
  readings: Readings,
  urls: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Visit>> {
  const exchanges = yield* collector.getAll(urls.map(asDocument))
  const specs = yield* Effect.forEach(exchanges, (exchange) =>
    isOk(exchange) ? readings(exchange) : Effect.succeed(null)
  )
  return exchanges.flatMap((exchange, index) => {
    const url = urls[index]
    return url === undefined ? [] : [{ url, exchange, spec: specs[index] ?? null }]
  })
})

const readAnswer = (
  read: DescriptionReader,
  notFoundProbe: NotFoundProbe,
  answer: Answer
): Effect.Effect<ParsedSpec | null> => {
  if (isMarkup(answer))
    return Effect.succeed({ _tag: "Unparsed", url: answer.url, reason: "html", message: "it is a web page" })
  // Where everything is answered, an answer proves nothing.
  return notFoundProbe.catchAll && equalsProbe(notFoundProbe, answer) ? Effect.succeed(null) : read(fileOf(answer))
}

const candidateOf = (announced: CandidateUrl, visits: ReadonlyArray<Visit>): SpecCandidate => {
  const visit = visits.find(({ url }) => url === announced.url)
  const exchange = visit?.exchange ?? null
  return {
    url: announced.url,
    sources: announced.sources,
    announcedBy: announced.by,
    offSite: false,
    exchange,
    spec: visit?.spec ?? null,
    placeholder: null
  }
}

/** What depends on the site: whether the URL is on it, and whether the description is about it. */
const judged = (candidate: SpecCandidate, { base }: GatherContext, pages: ReadonlyArray<Page>): SpecCandidate => {
  const { exchange, spec, url } = candidate
  const ledAway = exchange !== null && !isAnswer(exchange) && exchange.kind === "off_site"
  return {
    ...candidate,
    offSite: ledAway || !onSite(url, base.site),
    placeholder: spec?._tag === "ApiDescription" ? placeholderOf(spec, base.url, pages) : null
  }
}

/** Descriptions that pages carry for their viewers, each once. */
const inlineCandidates = Effect.fnUntraced(function* (
  read: DescriptionReader,
  pages: ReadonlyArray<Page>
): Effect.fn.Return<ReadonlyArray<SpecCandidate>> {
  const carried = new Map<string, Page>()
  for (const page of pages) {
    for (const { inline } of page.viewers) {
      if (inline !== null && !carried.has(inline) && carried.size < INLINE) carried.set(inline, page)
    }
  }
  return yield* Effect.forEach(carried, ([text, page]) =>
    Effect.map(
      read({ url: page.url, mediaType: "", bytes: new TextEncoder().encode(text), cut: false }),
      (spec): SpecCandidate => ({
        url: page.url,
        sources: ["inline"],
        announcedBy: page.answer,
        offSite: false,
        exchange: page.answer,
        spec,
        placeholder: null
      })
    )
  )
})

/** Nothing better can be found by guessing: an OpenAPI document that the site announces or has where one looks first. */
const isSettled = (candidate: SpecCandidate): boolean =>
  isFound(candidate) &&
  candidate.spec.format === "openapi" &&
  candidate.placeholder === null &&
  isInPlainSight(candidate)

const searchOf = (
  candidates: ReadonlyArray<SpecCandidate>,
  tried: ReadonlyArray<Exchange>,
  missingGuess: Exchange | null
): Omit<SpecSearch, "missingClues" | "missingFiles"> => {
  const found = candidates.filter(isFound)
  const best = found.find(({ placeholder }) => placeholder === null) ?? null
  // A stub that declares itself not an API does not count as a placeholder.
  const placeholder =
    found.find((candidate) => candidate.placeholder !== null && candidate.placeholder !== "no_api") ?? null
  return { candidates, best, placeholder, tried, unobtainable: missed(candidates, best, tried, missingGuess) }
}

/** Our own limits, not the document's faults. */
const BEYOND_US: ReadonlySet<UnparsedReason> = new Set([
  "truncated",
  "too_large",
  "out_of_memory",
  "timed_out",
  "crashed",
  "not_read"
])

/**
 * What may be a description, or a better one than `best`, and could not be fetched. A description that settles the search
 * stands, unless another one that is announced is missing.
 */
const missed = (
  candidates: ReadonlyArray<SpecCandidate>,
  best: FoundSpec | null,
  tried: ReadonlyArray<Exchange>,
  missingGuess: Exchange | null
): Exchange | null => {
  const isOut = best === null ? isUnobtainable : isMissing
  const settled = best !== null && isSettled(best)
  const isBeyondUs = ({ announcedBy, spec }: SpecCandidate): boolean =>
    spec?._tag === "Unparsed" &&
    (best === null ? BEYOND_US.has(spec.reason) : spec.reason === "not_read" && (announcedBy !== null || !settled))
  for (const candidate of candidates) {
    const { exchange } = candidate
    if (exchange === null) continue
    if (isOut(exchange)) return exchange
    if (isBeyondUs(candidate)) return isAnswer(exchange) ? cutShort(exchange) : exchange
  }
  if (settled) return null
  return missingGuess ?? (best === null && tried.every(isUnobtainable) ? (tried[0] ?? null) : null)
}

/** A collector that keeps the missing responses, by the URL that was asked for. */
const noting = (collector: Collector): Collector & { readonly missing: ReadonlyMap<string, Exchange> } => {
  const missing = new Map<string, Exchange>()
  const note = (exchange: Exchange): void => {
    if (isMissing(exchange)) missing.set(exchange.asked.url, exchange)
  }
  return {
    name: collector.name,
    missing,
    get: (ask) => Effect.tap(collector.get(ask), (exchange) => Effect.sync(() => note(exchange))),
    getAll: (asks) => Effect.tap(collector.getAll(asks), (exchanges) => Effect.sync(() => exchanges.forEach(note)))
  }
}
