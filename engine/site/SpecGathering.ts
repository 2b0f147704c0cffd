import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { onSite } from "../evidence/Address.ts"
import type { Ask } from "../evidence/Evidence.ts"
import { type Answer, type Exchange, isAnswer, isOk, isUnobtainable } from "../evidence/Exchange.ts"
import type { ParsedSpec, SpecCandidate, SpecSearch, UnparsedReason } from "./ApiSpec.ts"
import { type Canary, equalsCanary } from "./Canary.ts"
import type { Gathering } from "./Gathering.ts"
import type { LlmsTxt } from "./LlmsTxt.ts"
import type { Page } from "./Page.ts"
import { catalogSightings } from "./SpecCatalog.ts"
import { type Lead, leadsOf } from "./SpecLeads.ts"
import { isFound, placeholderOf, ranked } from "./SpecRanking.ts"
import { fileOf, isMarkup, readDescription } from "./SpecReading.ts"
import { llmsSightings, pageSightings, type Sighting } from "./SpecSightings.ts"
import { catalogAsk, wellKnownAddresses } from "./SpecWellKnown.ts"
import { initializerAddress, initializerSightings } from "./SwaggerInitializer.ts"

/** Announced descriptions that are fetched: a site with one for each of its endpoints is judged by the first few. */
const FETCHED = 5
/** Descriptions inside pages that are read. */
const INLINE = 3

/** What the search goes on from, beside the base page. */
export interface SpecClues {
  readonly llmsTxt: LlmsTxt
  /** The sample's pages, `B` first. */
  readonly pages: ReadonlyArray<Page>
}

/** What came of an address. */
interface Visit {
  readonly url: string
  readonly exchange: Exchange
  readonly spec: ParsedSpec | null
}

/**
 * Looks for the site's API description: first where the site says that there is one; at well-known addresses only where
 * that gives no OpenAPI document that is announced, so that a site which announces its own is asked two or three times.
 * What the base page announces is fetched and read while the clues are on their way.
 */
export const gatherSpec = Effect.fn("SpecGathering")(function*(
  gathering: Gathering,
  canary: Canary,
  onItsWay: Effect.Effect<SpecClues>
): Effect.fn.Return<SpecSearch> {
  const { base, collector } = gathering
  const wellKnown = wellKnownAddresses(base)
  const fetchable = (sightings: ReadonlyArray<Sighting>) =>
    leadsOf(sightings, wellKnown, base.site).filter(({ url }) => onSite(url, base.site)).slice(0, FETCHED).map(({ url }) => url)
  const readings = makeReadings(gathering, canary)
  const first = base.page === null ? [] : fetchable(pageSightings([base.page], base.site))
  if (first.length > 0) yield* gathering.parsing.expectSpec
  const early = yield* Effect.forkChild(visitAll(gathering, readings, first), { startImmediately: true })
  const clues = yield* onItsWay
  const script = initializerAddress(gathering, clues.pages)
  const said = [...pageSightings(clues.pages, base.site), ...llmsSightings(gathering, clues.llmsTxt)]

  // One wave for all that is known to be asked; what follows finds these answers at hand.
  const likely = fetchable(said)
  if (likely.length > 0 || script !== null) yield* gathering.parsing.expectSpec
  const [catalog] = yield* collector.getAll([catalogAsk(base), ...(script === null ? [] : [script]), ...(likely.length > 0 ? likely : wellKnown).map(asDocument)])
  const shown = script === null ? [] : initializerSightings(gathering, yield* collector.get(script))
  const listed = catalog === undefined ? [] : catalogSightings(gathering, catalog)
  const sightings = [...said, ...listed, ...shown]
  const leads = leadsOf(sightings, wellKnown, base.site)

  const visits = yield* visitAll(gathering, readings, fetchable(sightings))
  // Where the site announces too many, it is not among these; what was asked must not depend on timing all the same.
  yield* Fiber.join(early)
  const announced = [...leads.map((lead) => candidateOf(lead, visits)), ...(yield* inlineCandidates(gathering, clues.pages))]
    .map((candidate) => judged(candidate, gathering, clues.pages))
  const guesses = announced.some(isSettled) ? [] : wellKnown.filter((url) => !visits.some((visit) => visit.url === url))
  const guessed = yield* visitAll(gathering, readings, guesses)
  const unannounced = guessed
    .filter(({ spec }) => spec !== null)
    .map((visit) => judged(candidateOf({ url: visit.url, sources: ["well_known"], by: null }, guessed), gathering, clues.pages))

  const tried = [...visits, ...guessed].map(({ exchange }) => exchange).concat(catalog ?? [])
  return searchOf(ranked([...announced, ...unannounced]), tried)
})

const asDocument = (url: string): Ask => ({ url, limit: "document" })

/** Reads an answer, unless that has been done or is being done: one that leads where another led is read once. */
type Readings = (answer: Answer) => Effect.Effect<ParsedSpec | null>

const makeReadings = (gathering: Gathering, canary: Canary): Readings => {
  const known = new Map<string, Effect.Effect<ParsedSpec | null>>()
  return Effect.fnUntraced(function*(answer) {
    const reading = known.get(answer.url) ?? (yield* Effect.cached(readAnswer(gathering, canary, answer)))
    known.set(answer.url, reading)
    return yield* reading
  })
}

/** All fetched at once, then read one by one. */
const visitAll = Effect.fnUntraced(function*(
  { collector }: Gathering,
  readings: Readings,
  urls: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Visit>> {
  const exchanges = yield* collector.getAll(urls.map(asDocument))
  const specs = yield* Effect.forEach(exchanges, (exchange) => (isOk(exchange) ? readings(exchange) : Effect.succeed(null)))
  return exchanges.flatMap((exchange, index) => {
    const url = urls[index]
    return url === undefined ? [] : [{ url, exchange, spec: specs[index] ?? null }]
  })
})

const readAnswer = (gathering: Gathering, canary: Canary, answer: Answer): Effect.Effect<ParsedSpec | null> => {
  if (isMarkup(answer)) return Effect.succeed({ _tag: "Unparsed", url: answer.url, reason: "html", message: "it is a web page" })
  // Where everything is answered, an answer proves nothing.
  return canary.catchAll && equalsCanary(canary, answer) ? Effect.succeed(null) : readDescription(gathering, fileOf(answer))
}

const candidateOf = (lead: Lead, visits: ReadonlyArray<Visit>): SpecCandidate => {
  const visit = visits.find(({ url }) => url === lead.url)
  const exchange = visit?.exchange ?? null
  return {
    url: lead.url,
    sources: lead.sources,
    announcedBy: lead.by,
    offSite: false,
    exchange,
    spec: visit?.spec ?? null,
    placeholder: null
  }
}

/** What depends on the site: whether the address is on it, and whether the description is about it. */
const judged = (candidate: SpecCandidate, { base }: Gathering, pages: ReadonlyArray<Page>): SpecCandidate => {
  const { exchange, spec, url } = candidate
  const ledAway = exchange !== null && !isAnswer(exchange) && exchange.kind === "off_site"
  return {
    ...candidate,
    offSite: ledAway || !onSite(url, base.site),
    placeholder: spec?._tag === "ApiDescription" ? placeholderOf(spec, base.url, pages) : null
  }
}

/** Descriptions that pages carry for their viewers, each once. */
const inlineCandidates = Effect.fnUntraced(function*(
  gathering: Gathering,
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
      readDescription(gathering, { url: page.url, mediaType: "", bytes: new TextEncoder().encode(text), cut: false }),
      (spec): SpecCandidate => ({
        url: page.url,
        sources: ["inline"],
        announcedBy: page.answer,
        offSite: false,
        exchange: page.answer,
        spec,
        placeholder: null
      })
    ))
})

/** Nothing better can be found by guessing: an OpenAPI document that the site announces or has where one looks first. */
const isSettled = (candidate: SpecCandidate): boolean =>
  isFound(candidate)
  && candidate.spec.format === "openapi"
  && candidate.placeholder === null
  && candidate.sources.some((source) => source !== "viewer" && source !== "inline")

const searchOf = (candidates: ReadonlyArray<SpecCandidate>, tried: ReadonlyArray<Exchange>): SpecSearch => {
  const found = candidates.filter(isFound)
  const best = found.find(({ placeholder }) => placeholder === null) ?? null
  const placeholder = found.find((candidate) => candidate.placeholder !== null) ?? null
  return { candidates, best, placeholder, tried, unobtainable: found.length > 0 ? null : missed(candidates, tried) }
}

/** Our own limits, not the document's faults. */
const BEYOND_US: ReadonlySet<UnparsedReason> = new Set(["truncated", "too_large", "out_of_memory", "timed_out", "crashed"])

/** What may be a description and could not be had: one that is announced, or everything that was tried. */
const missed = (candidates: ReadonlyArray<SpecCandidate>, tried: ReadonlyArray<Exchange>): Exchange | null => {
  const announced = candidates.find(({ exchange, spec }) =>
    exchange !== null && (isUnobtainable(exchange) || (spec?._tag === "Unparsed" && BEYOND_US.has(spec.reason))))
  return announced?.exchange ?? (tried.every(isUnobtainable) ? tried[0] ?? null : null)
}
