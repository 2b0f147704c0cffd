import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AuditRequest } from "../../audit/AuditRequest.ts"
import type { AuditReport } from "../../audit/Report.ts"
import { pageKey } from "../../evidence/Address.ts"
import { FetchLimits } from "../../evidence/FetchLimits.ts"
import type { Transport } from "../../evidence/Transport.ts"
import type { Conversion } from "../../page/conversion/Conversion.ts"
import type { Page } from "../../page/Page.ts"
import type { ParserPool } from "../../parse/ParserPool.ts"
import { evenStride } from "../../site/base/EvenStride.ts"
import { type Candidate, candidatesOf, type CandidateSource } from "../../site/sample/SampleChoice.ts"
import { isGlob } from "../../site/sample/NamedPages.ts"
import type { Visit } from "../../site/sample/Sample.ts"
import { deadLinks, meantByLinks } from "../files/Links.ts"
import type { RecordedHops } from "../overlay/OverlayTransport.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { asPlaceIsAsked } from "../there/Places.ts"
import { type FixOptions, gapIn } from "../write/Wish.ts"
import { type Batch, BATCH_PAGES, openBatch, sharedLinks, type Versions } from "./OpenBatch.ts"
import { MOST_PAGES, type OpeningCost, openingCost, WHOLE_SITE } from "./OpeningCost.ts"
import { isMissing, isOurLimit } from "../../evidence/Exchange.ts"
import type { Base } from "../../site/base/Derivation.ts"
import { isContentPage } from "../site/SitePages.ts"

/** Which pages are opened beside the sample, and how. */
export interface OpenRequest {
  readonly audit: Omit<AuditRequest, "inspect">
  readonly options: Omit<FixOptions, "folder">
  /** Whether the site itself answers: not an archive or a folder. */
  readonly isLive: boolean
  /** The most pages to open; `null`: those of the sample. Of an archive all pages are opened that it has. */
  readonly pages: number | null
  /** Whether a site that is known to have as many pages or more has none opened beside the sample. */
  readonly onlyWhole?: boolean
  /** Whether the pages are converted, too; left out: they are. */
  readonly converts?: boolean
  /** Told what opening pages takes, before they are: of a site that answers itself. */
  readonly beforeOpening?: (cost: OpeningCost) => Effect.Effect<void>
}

/** Pages that were opened beside the sample, and what they have of Markdown versions. */
interface Opened extends Pick<Batch, "conversions" | "pages" | "versions" | "visits"> {
  /** Every page that the site names, or that an opened page links to. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Links of llms.txt that lead nowhere. */
  readonly dead: ReadonlySet<string>
}

/**
 * Opens more pages of the site: those that it names, and those that the opened ones link to, as long as there are any. What is fetched is
 * added to `recorded`.
 */
export const openMore = Effect.fn("Fix.openMore")(function* (
  request: OpenRequest,
  first: { readonly report: AuditReport; readonly site: PublishedSite },
  recorded: RecordedHops,
  network: Transport["Service"]["send"]
): Effect.fn.Return<Opened, never, ParserPool> {
  const { sample } = first.site
  const limits = yield* FetchLimits
  const dead = deadLinks(first.report)
  const links = makeLinks(first.site)
  const isArchive = !request.isLive && request.audit.folder !== true
  const most = isArchive ? Number.POSITIVE_INFINITY : wantedOf(request, sample.candidates.length)
  const asked = new Set(
    sample.visits
      .filter((visit) => !isLeftOut(visit))
      .flatMap(({ candidate, exchange }) => [candidate.url, exchange.url])
      .map(pageKey)
  )
  const opened = nothingOpened()
  const shared = sharedLinks()
  const open = Effect.fnUntraced(function* (urls: ReadonlyArray<string>): Effect.fn.Return<void, never, ParserPool> {
    const cost = openingCost(urls.length, limits)
    if (request.isLive && request.beforeOpening !== undefined) yield* request.beforeOpening(cost)
    const end = (yield* Clock.currentTimeMillis) + 1_000 * cost.seconds
    let rest = urls
    while (rest.length > 0) {
      const batch = yield* openBatch(rest.slice(0, BATCH_PAGES), {
        audit: request.audit,
        converts: request.converts ?? true,
        site: first.site,
        before: [...sample.visits, ...opened.visits],
        recorded,
        shared,
        network,
        leftMs: Math.max(0, end - (yield* Clock.currentTimeMillis))
      })
      add(opened, batch)
      if (batch.visits.length === 0) break
      rest = [...batch.unread, ...rest.slice(BATCH_PAGES)]
    }
  })
  if (most <= sample.pages.length) {
    const meant = gapIn(first.report.criteria, request.options)("a1-llms-txt") ? meantByLinks(first.site, dead) : []
    if (meant.length > 0 && !isArchive) yield* open(meant)
  } else {
    links.add(sample.pages)
    for (;;) {
      const fresh = links
        .candidates()
        .map(({ url }) => url)
        .filter((url) => !asked.has(pageKey(url)) && !isGlob(url) && (!isArchive || recorded.has(asPlaceIsAsked(url))))
      const next = evenStride(fresh, Math.max(0, most - sample.pages.length - opened.pages.length))
      if (next.length === 0) break
      for (const url of next) asked.add(pageKey(url))
      const count = opened.pages.length
      yield* open(next)
      for (const { exchange } of opened.visits) asked.add(pageKey(exchange.url))
      links.add(opened.pages.slice(count))
      // Our time is over, or the bytes that we take of one site.
      if (opened.visits.some(isLeftOut)) break
    }
  }
  return {
    ...opened,
    candidates: links.candidates(),
    dead: new Set([...dead, ...opened.dead])
  }
})

/** The site with what was asked for beside its sample: it is known what that leads to. */
export const withOpened = (
  site: PublishedSite,
  { candidates, visits }: Pick<Opened, "candidates" | "visits">
): PublishedSite => ({
  ...site,
  sample: {
    ...site.sample,
    candidates,
    visits: [...site.sample.visits, ...visits.filter((visit) => !isUnknown(visit))]
  }
})

/** How many pages are to be opened, those of the sample among them; 0: these alone. */
const wantedOf = ({ onlyWhole = false, pages }: OpenRequest, known: number): number =>
  pages === null || (onlyWhole && known >= pages) ? 0 : pages

interface Opening {
  readonly dead: Array<string>
  readonly conversions: Map<string, Conversion>
  readonly pages: Array<Page>
  readonly versions: Array<Versions[number]>
  readonly visits: Array<Visit>
}

const nothingOpened = (): Opening => ({ dead: [], conversions: new Map(), pages: [], versions: [], visits: [] })

const add = (opened: Opening, { conversions, dead, pages, versions, visits }: Batch): void => {
  for (const [url, conversion] of conversions) opened.conversions.set(url, conversion)
  opened.dead.push(...dead)
  opened.pages.push(...pages)
  opened.versions.push(...versions)
  opened.visits.push(...visits)
}

/** Gathers the site's own pages that pages link to, beside those that it names. */
const makeLinks = ({ base, sample }: PublishedSite) => {
  const urls = new Map<string, CandidateSource>(
    sample.candidates.map(({ sources: [source = "crawl"], url }) => [url, source] as const)
  )
  let candidates = sample.candidates
  return {
    add: (pages: ReadonlyArray<Page>): void => {
      for (const { links } of pages)
        for (const { rel, url } of links) if (!rel.includes("nofollow") && !urls.has(url)) urls.set(url, "crawl")
      candidates = candidatesOf(
        base,
        [...urls].map(([url, source]) => ({ url, source }))
      ).list
    },
    candidates: () => candidates
  }
}

/** How much of a site was opened, and what the rest would take. */
export interface Coverage {
  /** Pages that were opened, and those of `unopened`. */
  readonly known: number
  /** Pages that the site names, or that an opened page links to, and that were not opened. */
  readonly unopened: number
  /** Of these, the ones that a limit of ours left out: of time, requests or bytes. */
  readonly limited: number
  /** What opening those that were not opened would take, as far as one run opens them; `null`: none is left. */
  readonly all: OpeningCost | null
  /** The largest part of a large site that is opened whole, by its URL; `null`: the site is not large, or has none. */
  readonly section: (OpeningCost & { readonly url: string }) | null
}

/** Whether it is not known what a URL leads to: it did not answer, or we did not ask. */
const isUnknown = ({ exchange }: Visit): boolean => isMissing(exchange)

/** Whether a limit of ours left it out. */
const isLeftOut = ({ exchange }: Visit): boolean => exchange._tag === "Fault" && isOurLimit(exchange)

/** `visits`: all URLs that were asked for; `more`: pages that were opened beside the sample; `asks`: whether opening takes requests. */
export const siteCoverage = (
  base: Base,
  candidates: ReadonlyArray<Candidate>,
  visits: ReadonlyArray<Visit>,
  pages: ReadonlyArray<Page>,
  asks: FetchLimits | null
): Coverage => {
  const opened = new Set(pages.filter(isContentPage).map(({ url }) => pageKey(url)))
  const asked = new Set(
    [
      ...pages.flatMap(({ answer, url }) => [answer.asked.url, url]),
      ...visits.filter((visit) => !isUnknown(visit)).flatMap(({ candidate, exchange }) => [candidate.url, exchange.url])
    ].map(pageKey)
  )
  const limited = new Set(visits.filter(isLeftOut).map(({ candidate }) => candidate.url))
  const unopened = candidates.map(({ url }) => url).filter((url) => !asked.has(pageKey(url)))
  const known = opened.size + unopened.length
  const cost = (count: number): OpeningCost =>
    asks === null ? { pages: count, requests: 0, seconds: 0 } : openingCost(count, asks)
  const section = known < WHOLE_SITE ? null : largestSection(base, candidates)
  return {
    known,
    unopened: unopened.length,
    limited: unopened.filter((url) => limited.has(url)).length,
    all: unopened.length === 0 ? null : cost(Math.min(unopened.length, Math.max(0, MOST_PAGES - opened.size))),
    section: section === null ? null : { url: section.url, ...cost(section.pages) }
  }
}

/** Fewer pages are no section. */
const LEAST_IN_SECTION = 5

interface Section {
  readonly url: string
  readonly pages: number
}

/** The page whose folder has the most known pages, but fewer than are opened whole. */
const largestSection = ({ folder, url: start }: Base, candidates: ReadonlyArray<Candidate>): Section | null => {
  const counts = new Map<string, number>()
  for (const { url } of candidates) {
    const path = url.startsWith(folder) ? url.slice(folder.length).split("/") : []
    for (let depth = 1; depth < path.length; depth++) {
      const key = `${folder}${path.slice(0, depth).join("/")}/`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const sections = candidates.flatMap(({ url }): ReadonlyArray<Section> => {
    const pages = counts.get(url.endsWith("/") ? url : `${url}/`) ?? 0
    return url === start || pages < LEAST_IN_SECTION || pages >= WHOLE_SITE ? [] : [{ url, pages }]
  })
  return sections.reduce<Section | null>(
    (best, section) => (best === null || section.pages > best.pages ? section : best),
    null
  )
}
