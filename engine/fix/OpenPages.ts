import * as Effect from "effect/Effect"
import type { AuditFailed } from "../audit/AuditError.ts"
import type { AuditOutcome, AuditRequest } from "../audit/AuditRequest.ts"
import { pageKey } from "../evidence/Address.ts"
import { FetchLimits, REQUEST_MILLISECONDS } from "../evidence/FetchLimits.ts"
import type { Transport } from "../evidence/Transport.ts"
import type { Page } from "../page/Page.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import { isGlob } from "../site/sample/NamedPages.ts"
import type { Sample } from "../site/sample/Sample.ts"
import { candidatesOf } from "../site/sample/SampleChoice.ts"
import { spotOutcome } from "../site/sample/SpotCheck.ts"
import { type AuditAndSite, auditAndRead } from "./AuditAndRead.ts"
import { deadLinks, meantByLinks } from "./files/DeadLinks.ts"
import { recordedFirst } from "./overlay/RecordedHops.ts"
import type { PublishedSite } from "./site/PublishedSite.ts"
import { type FixOptions, gapIn } from "./write/Wish.ts"

/** Which pages are opened beside the sample, and how. */
export interface OpenRequest {
  readonly audit: Omit<AuditRequest, "inspect">
  readonly options: Omit<FixOptions, "folder">
  /** Whether what the first audit did not ask for can be fetched: not from an archive. */
  readonly isLive: boolean
  /** The most pages to open; `null`: those of the sample. */
  readonly pages: number | null
  /** Told how many pages are opened beside the sample, before they are. */
  readonly beforeOpening?: (pages: number) => Effect.Effect<void>
}

/** What is known of the Markdown versions of pages. */
export type Versions = PublishedSite["markdownVersions"]["pages"]

/** Pages that were opened beside the sample, what they have of Markdown versions, and the evidence. */
export interface Opened {
  readonly journal: AuditOutcome["journal"]
  readonly pages: ReadonlyArray<Page>
  readonly versions: Versions
  /** URLs that were asked for and gave no page. */
  readonly unanswered: ReadonlyArray<string>
  /** Links of llms.txt that lead nowhere. */
  readonly dead: ReadonlySet<string>
}

/** Opens more pages of the site: those that it names, and then, if all are wanted, those that the opened ones link to. */
export const openMore = Effect.fnUntraced(function* (
  request: OpenRequest,
  first: AuditAndSite,
  network: Transport["Service"]["send"]
): Effect.fn.Return<Opened, AuditFailed, ParserPool> {
  let opened = yield* openNamed(request, first, network)
  if (!request.isLive || request.pages === null) return opened
  const { base, sample } = first.site
  const opening = new Set(
    [
      ...sample.visits.flatMap(({ candidate, exchange }) => [candidate.url, exchange.url]),
      ...opened.pages.flatMap(({ answer, url }) => [answer.asked.url, url]),
      ...opened.unanswered
    ].map(pageKey)
  )
  for (let round = 0; round < LINK_ROUNDS; round++) {
    const pages = [...sample.pages, ...opened.pages]
    const room = request.pages - new Set(pages.map(({ url }) => pageKey(url))).size
    const fresh = linkedFrom(base, sample, pages)
      .filter((url) => !opening.has(pageKey(url)) && !isGlob(url))
      .slice(0, Math.max(0, room))
    if (fresh.length === 0) break
    for (const url of fresh) opening.add(pageKey(url))
    const more = yield* openPages(request, fresh, opened.journal, network)
    opened = {
      journal: [...opened.journal, ...more.journal],
      pages: [...opened.pages, ...more.site.sample.pages],
      versions: [...opened.versions, ...versionsOf(more)],
      unanswered: [],
      dead: opened.dead
    }
  }
  return opened
})

/** Rounds of following links: a page that is further from those that the site names is hardly found by a reader either. */
const LINK_ROUNDS = 4

/** The site's own pages that pages link to. */
const linkedFrom = (base: PublishedSite["base"], sample: Sample, pages: ReadonlyArray<Page>): ReadonlyArray<string> =>
  candidatesOf(base, [
    ...sample.candidates.map(({ url }) => ({ url, source: "crawl" as const })),
    ...pages.flatMap(({ links }) =>
      links.filter(({ rel }) => !rel.includes("nofollow")).map(({ url }) => ({ url, source: "crawl" as const }))
    )
  ]).list.map(({ url }) => url)

/** Opens pages by their URLs, as an audit does whose configuration names them. */
const openPages = Effect.fnUntraced(function* (
  { audit, beforeOpening }: OpenRequest,
  urls: ReadonlyArray<string>,
  journal: AuditOutcome["journal"],
  network: Transport["Service"]["send"]
): Effect.fn.Return<AuditAndSite, AuditFailed, ParserPool> {
  if (beforeOpening !== undefined) yield* beforeOpening(urls.length)
  // The first place of a sample is the base page's.
  return yield* auditAndRead(
    { ...audit, sampleSize: urls.length + 1, namedPages: urls },
    recordedFirst(journal, network)
  ).pipe(Effect.provideService(FetchLimits, widened(yield* FetchLimits, urls.length)))
})

const widened = (limits: FetchLimits, pages: number): FetchLimits =>
  Object.assign({}, limits, {
    requests: limits.requests + 2 * pages,
    gatherMs: limits.gatherMs + pages * REQUEST_MILLISECONDS
  })

const versionsOf = ({ site }: AuditAndSite): Versions =>
  site.markdownVersions.pages.filter(({ version }) => version !== null)

/** As many pages as are wanted of those that the site names, or those that dead links of llms.txt mean. */
const openNamed = Effect.fnUntraced(function* (
  { audit, beforeOpening, isLive, options, pages }: OpenRequest,
  first: AuditAndSite,
  network: Transport["Service"]["send"]
): Effect.fn.Return<Opened, AuditFailed, ParserPool> {
  const size = Math.min(pages ?? 0, first.site.sample.candidates.length)
  const isLarger = size > audit.sampleSize
  const dead = deadLinks(first.report)
  const named = isLarger || !gapIn(first.report.criteria, options)("a1-llms-txt") ? [] : meantByLinks(first.site, dead)
  const count = isLarger ? size - first.site.sample.visits.length : named.length
  if (!isLive || count === 0) return { journal: first.journal, pages: [], versions: [], unanswered: [], dead }
  if (beforeOpening !== undefined) yield* beforeOpening(count)
  // The first place of a sample is the base page's.
  const wider = isLarger
    ? { ...audit, sampleSize: size }
    : { ...audit, sampleSize: named.length + 1, namedPages: named }
  const all = yield* Effect.provideService(
    auditAndRead(wider, recordedFirst(first.journal, network)),
    FetchLimits,
    widened(yield* FetchLimits, count)
  )
  return {
    journal: [...first.journal, ...all.journal],
    pages: all.site.sample.pages,
    versions: versionsOf(all),
    unanswered: all.site.sample.visits.flatMap(({ candidate, page }) => (page === null ? [candidate.url] : [])),
    dead: new Set([
      ...dead,
      ...all.site.sample.visits.flatMap(({ candidate, exchange }) =>
        spotOutcome(all.site.notFoundProbe, exchange) === "error" ? [candidate.url] : []
      )
    ])
  }
})
