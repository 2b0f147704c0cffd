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
import { isLeftOut, isUnknown } from "./Coverage.ts"
import { type OpeningCost, openingCost } from "./OpeningCost.ts"

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
