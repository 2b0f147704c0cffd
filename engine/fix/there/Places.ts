import * as Effect from "effect/Effect"
import type { CriterionResult } from "../../audit/Report.ts"
import { Evidence } from "../../evidence/Evidence.ts"
import { type Answer, type Exchange, isOk } from "../../evidence/Exchange.ts"
import { FetchLimits, REQUEST_MILLISECONDS } from "../../evidence/FetchLimits.ts"
import type { JournalEntry } from "../../evidence/Journal.ts"
import { Transport } from "../../evidence/Transport.ts"
import type { Page } from "../../page/Page.ts"
import { judgeMarkdown } from "../../site/markdown/Negotiation.ts"
import { fileVerdict } from "../../site/wellknown/FileVerdict.ts"
import { lets } from "../../site/wellknown/Robots.ts"
import { recordedFirst, type RecordedHops } from "../overlay/OverlayTransport.ts"
import { markdownUrlOf } from "../site/MarkdownForms.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { type FixOptions, wishOf } from "../write/Wish.ts"

type Send = Transport["Service"]["send"]

/** What a site has at a URL that a file would be written to. `unknown`: it could not be asked, or did not say. */
export type PlaceState =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "There"; readonly answer: Answer }

export const isThere = (place: PlaceState): place is Extract<PlaceState, { readonly _tag: "There" }> =>
  place._tag === "There"

/** What the site has at URLs, and the evidence for it. */
interface AskedPlaces {
  readonly places: ReadonlyMap<string, PlaceState>
  readonly journal: ReadonlyArray<JournalEntry>
}

/** How URLs are asked for. */
interface Asking {
  readonly site: PublishedSite
  readonly canonicalOrigin: string | null
  /** What was asked before: it is not asked again. */
  readonly recorded: RecordedHops
  readonly send: Send
  /** Whether a site answers, not an archive or a folder: then it is asked with HEAD first. */
  readonly isLive: boolean
}

const NAME = "fix/places"

/** Redirects and the two methods of one URL. */
const PER_URL = 3

/**
 * Asks what the site has at URLs before files are written for them: what the audit asked is known, the rest is asked with HEAD, and with
 * GET unless that says that nothing is there and can tell, which the base page shows. What answers with a 2xx and is no soft 404 is there.
 */
export const askPlaces = Effect.fn("Fix.askPlaces")(function* (
  urls: ReadonlyArray<string>,
  { canonicalOrigin, isLive, recorded, send, site }: Asking
): Effect.fn.Return<AskedPlaces> {
  const limits = yield* FetchLimits
  const wider: FetchLimits = Object.assign({}, limits, {
    requests: limits.requests + PER_URL * urls.length,
    gatherMs: limits.gatherMs + urls.length * REQUEST_MILLISECONDS
  })
  const { base, notFoundProbe, robots } = site
  const isOpen = lets(robots.exchange)
  const head = (url: string) => send({ asked: asPlaceIsAsked(url), limitBytes: 0, headOnly: true })
  const isAskable = (url: string): boolean => isLive && !recorded.has(asPlaceIsAsked(url)) && isOpen(url)
  // A server that has no page for HEAD may say 404 to it everywhere.
  const ofBase = urls.some(isAskable) ? yield* head(base.url) : null
  const tells = ofBase?._tag === "HopAnswer" && ofBase.status < 400
  const isGone = (url: string): Effect.Effect<boolean> =>
    tells && isAskable(url)
      ? Effect.map(head(url), (hop) => hop._tag === "HopAnswer" && (hop.status === 404 || hop.status === 410))
      : Effect.succeed(false)
  const evidence = Evidence.layer({
    site: base.site,
    canonicalOrigin: canonicalOrigin === null ? null : { origin: canonicalOrigin, as: base.origin },
    allowanceOf: () => ({ requests: urls.length, bytes: limits.auditBytes }),
    readRobots: (exchange) => Effect.succeed(lets(exchange))
  })
  const placeOf = (exchange: Exchange): PlaceState => {
    const verdict = fileVerdict(notFoundProbe, exchange, "any")
    if (verdict === "unobtainable") return UNKNOWN
    // A redirect is a rule and no file.
    return verdict === "found" && isOk(exchange) && exchange.redirects.length === 0
      ? { _tag: "There", answer: exchange }
      : ABSENT
  }
  return yield* Effect.gen(function* () {
    const { collector, journal: entries } = yield* Evidence
    const gone = yield* Effect.forEach(urls, isGone, { concurrency: limits.perHost })
    const asked = urls.filter((_, index) => gone[index] !== true)
    const exchanges = yield* collector(NAME).getAll(asked)
    const places = new Map<string, PlaceState>(urls.map((url) => [url, ABSENT]))
    for (const [index, url] of asked.entries()) {
      const exchange = exchanges[index]
      places.set(url, exchange === undefined ? UNKNOWN : placeOf(exchange))
    }
    return { places, journal: yield* entries }
  }).pipe(
    Effect.provide(evidence),
    Effect.provideService(Transport, { send: recordedFirst(recorded, send) }),
    Effect.provideService(FetchLimits, wider)
  )
})

const ABSENT: PlaceState = { _tag: "Absent" }
const UNKNOWN: PlaceState = { _tag: "Unknown" }

/** The request by which it is found out what is at a URL, where HEAD does not tell. */
export const asPlaceIsAsked = (url: string) => ({ method: "GET", url, accept: "*/*", agent: "docgauge" }) as const

/** The Markdown versions among what the site has where versions would be written: each is its page's, as the audit would judge it. */
export const versionsThere = (
  site: PublishedSite,
  more: ReadonlyArray<Page>,
  criteria: ReadonlyArray<CriterionResult>,
  options: FixOptions,
  places: ReadonlyMap<string, PlaceState>
): PublishedSite["markdownVersions"]["pages"] => {
  const { forms } = wishOf(site, criteria, options)
  return [...site.sample.pages, ...more].flatMap((page) => {
    const url = markdownUrlOf(forms, page.url)
    const place = url === null ? undefined : places.get(url)
    if (url === null || place === undefined || !isThere(place)) return []
    const { document, text } = judgeMarkdown(page, site.notFoundProbe, place.answer)
    return document === null
      ? []
      : [
          {
            page,
            version: { url, how: "declared" as const, answer: place.answer, text, document: () => document },
            attempts: []
          }
        ]
  })
}
