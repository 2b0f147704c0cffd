import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { RANK } from "../../evidence/AuditBudget.ts"
import { derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { onSite } from "../../evidence/Address.ts"
import { asDocument, type Collector } from "../../evidence/Collector.ts"
import { type Answer, cutShort, type Exchange, isAnswer, isMissing, isOk, isOurLimit } from "../../evidence/Exchange.ts"
import type { FoundSpec, ParsedSpec, SpecCandidate, SpecSearch, UnparsedReason } from "../../apispec/ApiSpec.ts"
import { equalsProbe, isMissingFile, isWithheld, type NotFoundProbe } from "../wellknown/FileVerdict.ts"
import { cutAmong, missingAmong, type Sample } from "../sample/Sample.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import {
  catalogAsk,
  catalogMentions,
  llmsMentions,
  type Owner,
  pageMentions,
  type SpecMention,
  viewerMentions,
  wellKnownUrls
} from "./SpecMentions.ts"
import {
  type CandidateUrl,
  candidateUrls,
  type DescriptionReader,
  fileOf,
  isMarkup,
  makeDescriptionReader
} from "./SpecCandidates.ts"
import { isFound, isInPlainSight, placeholderOf, ranked } from "./SpecRanking.ts"
import { linkedViewers, openViewer, readViewerFiles, viewerFileUrls, type ViewerSource } from "./ViewerFiles.ts"
import { type PageSearch, readPages } from "../topics/PageSearch.ts"
import { productNames } from "../topics/ProductName.ts"

/** Announced descriptions that are fetched: a site with one for each of its endpoints is judged by the first few. */
const FETCHED = 5
/** Descriptions inside pages that are read. */
const INLINE = 3
/** The catalog, well-known URLs, announced descriptions, viewers, their files, and a few files that a description refers to. */
const REQUESTS = 20

/** What the search goes on from, beside the base page. */
interface SpecClues {
  readonly llmsTxt: LlmsTxt
  /** Every page that the audit has read: the sample's, `B` first, then those of topics and of the reference. */
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
 * Looks for the site's API description: first where the site says that there is one, then in viewers that pages link to, and at
 * well-known URLs only where that gives no OpenAPI document that is announced, so that a site which announces its own is asked two
 * or three times. What the base page announces is fetched and read while the clues are on their way.
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
  const fetchable = (mentions: ReadonlyArray<SpecMention>, owner: Owner) =>
    candidateUrls(mentions, wellKnown, owner)
      .filter(({ url }) => onSite(url, base.site))
      .slice(0, FETCHED)
      .map(({ url }) => url)
  const { filesOf, read } = makeDescriptionReader(context)
  const readings = makeReadings(read, notFoundProbe)
  const unnamed: Owner = { site: base.site, names: new Set<string>() }
  const first = base.page === null ? [] : fetchable(pageMentions([base.page], unnamed), unnamed)
  if (first.length > 0) yield* context.parsing.expectSpec
  const early = yield* Effect.forkChild(visitAll(context, readings, first), { startImmediately: true })
  const clues = yield* onItsWay
  const owner = { site: base.site, names: productNames(base, clues.pages, clues.llmsTxt) }
  const said = [...pageMentions(clues.pages, owner), ...llmsMentions(context, clues.llmsTxt)]
  const judge = (candidate: SpecCandidate) => judged(candidate, context, clues.pages)

  // One wave for all that is known to be asked; what follows finds these answers at hand.
  const likely = fetchable(said, owner)
  const files = viewerFileUrls(context, clues.pages)
  if (likely.length > 0 || files.length > 0) yield* context.parsing.expectSpec
  const [catalog] = yield* collector.getAll([
    catalogAsk(base),
    ...files,
    ...(likely.length > 0 ? likely : wellKnown).map(asDocument)
  ])
  const listed = catalog === undefined ? [] : catalogMentions(context, catalog)

  // First to the end: what was asked, and what is read within the limit for all of them, must not depend on timing.
  yield* Fiber.join(early)
  const before = [...said, ...listed]
  const visited = yield* visitAll(context, readings, fetchable(before, owner))
  const isKnown = candidateUrls(before, wellKnown, owner).some((url) => isSettled(judge(candidateOf(url, visited))))
  const opened = isKnown ? NO_PAGES : yield* readPages(context, linkedViewers(context, clues.pages))
  const pages = [...clues.pages, ...opened.pages]
  const viewerFiles = yield* readViewerFiles(context, pages)
  const mentions = [
    ...before,
    ...pageMentions(opened.pages, owner),
    ...viewerFiles.files.flatMap((file) => viewerMentions(file, owner))
  ]
  const announcedUrls = candidateUrls(mentions, wellKnown, owner)
  const visits = yield* visitAll(context, readings, fetchable(mentions, owner))
  const announced = [
    ...announcedUrls.map((announced) => candidateOf(announced, visits)),
    ...(yield* inlineCandidates(read, [...pages, ...viewerFiles.files]))
  ].map(judge)
  const guesses = announced.some(isSettled) ? [] : wellKnown.filter((url) => !visits.some((visit) => visit.url === url))
  const guessed = yield* visitAll(context, readings, guesses)
  const unannounced = guessed
    .filter(({ spec }) => spec !== null)
    .map((visit) => judge(candidateOf({ url: visit.url, sources: ["well_known"], by: null }, guessed)))

  const tried = [...visits, ...guessed].map(({ exchange }) => exchange).concat(catalog ?? [])
  const missingClues = [
    ...clues.missing,
    ...(catalog === undefined ? [] : [catalog]),
    ...opened.missing,
    ...viewerFiles.asked
  ].filter((exchange) => isMissing(exchange) || isOurLimit(exchange))
  const missingGuess = tried.find((exchange) => isMissingFile(notFoundProbe, exchange)) ?? missingClues[0] ?? null
  const isWithheldHere = (exchange: Exchange): boolean => isWithheld(notFoundProbe, exchange)
  const search = searchOf(ranked([...announced, ...unannounced]), tried, missingGuess, isWithheldHere)
  const unread = announcedUrls.filter(({ url }) => onSite(url, base.site) && !visits.some((visit) => visit.url === url))
  const open = search.best === null ? openViewer(context, pages, viewerFiles.files) : null
  return {
    ...search,
    unobtainable:
      search.unobtainable ??
      (search.best === null ? (cutList(unread) ?? (open === null ? null : cutShort(open))) : null),
    open,
    unread: unread.length,
    missingClues,
    files: search.best === null ? null : filesOf(search.best.spec),
    missingFiles:
      search.best === null ? [] : search.best.spec.missingFiles.flatMap((url) => collector.missing.get(url) ?? [])
  }
})

/** Where descriptions are named that were not read: what is there beyond our limit. */
const cutList = ([first]: ReadonlyArray<CandidateUrl>): Exchange | null =>
  first === undefined || first.by === null ? null : isAnswer(first.by) ? cutShort(first.by) : first.by

const NO_PAGES: PageSearch = { pages: [], missing: [] }

export const spec = derivation({
  name: "spec",
  budget: { requests: REQUESTS, megabytes: 21 },
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (
    context: GatherContext,
    uses: Using<{
      notFoundProbe: NotFoundProbe
      llmsTxt: LlmsTxt
      sample: Sample
      topicSearch: PageSearch
      referenceSearch: PageSearch
    }>
  ) {
    const sources = Effect.map(
      Effect.all([uses.llmsTxt, uses.sample, uses.topicSearch, uses.referenceSearch], { concurrency: "unbounded" }),
      ([llmsTxt, { missing, pages, visits }, topics, reference]): SpecClues => ({
        llmsTxt,
        pages: [...pages, ...topics.pages, ...reference.pages],
        missing: [
          ...missing,
          ...missingAmong(visits),
          ...cutAmong([...pages, ...topics.pages, ...reference.pages]),
          ...topics.missing,
          ...reference.missing
        ]
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

/** Descriptions that pages, and scripts beside them, carry for their viewers, each once. */
const inlineCandidates = Effect.fnUntraced(function* (
  read: DescriptionReader,
  carriers: ReadonlyArray<ViewerSource>
): Effect.fn.Return<ReadonlyArray<SpecCandidate>> {
  const carried = new Map<string, Answer>()
  for (const { answer, viewers } of carriers) {
    for (const { inline } of viewers) {
      if (inline !== null && !carried.has(inline) && carried.size < INLINE) carried.set(inline, answer)
    }
  }
  return yield* Effect.forEach(carried, ([text, answer]) =>
    Effect.map(
      read({ url: answer.url, mediaType: "", bytes: new TextEncoder().encode(text), cut: false }),
      (spec): SpecCandidate => ({
        url: answer.url,
        sources: ["inline"],
        announcedBy: answer,
        offSite: false,
        exchange: answer,
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
  missingGuess: Exchange | null,
  isWithheldHere: (exchange: Exchange) => boolean
): Omit<SpecSearch, "files" | "missingClues" | "missingFiles" | "open" | "unread"> => {
  const found = candidates.filter(isFound)
  const best = found.find(({ placeholder }) => placeholder === null) ?? null
  // A stub that declares itself not an API does not count as a placeholder.
  const placeholder =
    found.find((candidate) => candidate.placeholder !== null && candidate.placeholder !== "no_api") ?? null
  return {
    candidates,
    best,
    placeholder,
    tried,
    unobtainable: missed(candidates, best, tried, missingGuess, isWithheldHere)
  }
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
  missingGuess: Exchange | null,
  isWithheldHere: (exchange: Exchange) => boolean
): Exchange | null => {
  const isOut = best === null ? isWithheldHere : isMissing
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
  return missingGuess ?? (best === null && tried.every(isWithheldHere) ? (tried[0] ?? null) : null)
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
