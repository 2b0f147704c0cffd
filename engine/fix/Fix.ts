import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../audit/Audit.ts"
import type { AuditOutcome, AuditRequest } from "../audit/AuditRequest.ts"
import type { AuditFailed } from "../audit/AuditError.ts"
import type { AuditReport } from "../audit/Report.ts"
import { pageKey, plainForm } from "../evidence/Address.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { Transport } from "../evidence/Transport.ts"
import { type Conversion, notConverted } from "../page/conversion/Conversion.ts"
import type { Page } from "../page/Page.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import { isGlob } from "../site/sample/NamedPages.ts"
import type { Sample } from "../site/sample/Sample.ts"
import { candidatesOf } from "../site/sample/SampleChoice.ts"
import { spotOutcome } from "../site/sample/SpotCheck.ts"
import { deadLinks, meantByLinks } from "./files/DeadLinks.ts"
import type { MarkdownOf } from "./files/PageMarkdownFile.ts"
import { type Overlay, overlaid } from "./overlay/OverlayTransport.ts"
import { recordedFirst } from "./overlay/RecordedHops.ts"
import { type PublishedSite, publishedSite } from "./site/PublishedSite.ts"
import type { WritablePlugin } from "./site/WritablePlugins.ts"
import { type FixOptions, gapIn } from "./write/Wish.ts"
import { type Fixes, writeFixes } from "./WriteFixes.ts"

/** What to fix, and how. */
export interface FixRequest {
  readonly audit: Omit<AuditRequest, "inspect">
  readonly options: Omit<FixOptions, "folder">
  /** Whether what the first audit did not ask for can be fetched: not from an archive. */
  readonly isLive: boolean
  /** The most pages to open; `null`: those of the sample. */
  readonly pages: number | null
  /** Told how many pages are opened beside the sample, before they are. */
  readonly beforeOpening?: (pages: number) => Effect.Effect<void>
}

/** What was written, and what it is worth. */
export interface FixOutcome {
  readonly before: AuditReport
  /** The report of the site with everything in place; that of before where nothing was written. */
  readonly after: AuditReport
  readonly fixes: Fixes
  /** The plugins for whose criteria files were asked for; `null`: all. */
  readonly only: ReadonlySet<WritablePlugin> | null
  readonly site: PublishedSite
  /** The origin that the site's links name, as in `AuditOutcome`. */
  readonly productionOrigin: string | null
  /** Pages that the site names and that were not opened. */
  readonly unopened: number
  /** Whether the site itself was asked: not an archive or a folder. */
  readonly isLive: boolean
  /** Whether the site could answer all that the second audit asked; else the gain is a lower bound. */
  readonly isWhole: boolean
}

/** The second audit may choose other pages, and these need files, too; a third choice is the second's. Pages that only the last audit chose get none: its score is that of the files. */
const ROUNDS = 3

/**
 * Audits a site, writes what it lacks, and audits it again with that laid over it: over the answers of the first audit, so that both
 * judge the same site.
 */
export const fixSite = Effect.fn("Fix.site")(function* (
  request: FixRequest
): Effect.fn.Return<FixOutcome, AuditFailed, Transport | ParserPool> {
  const { audit, isLive } = request
  const { send: network } = yield* Transport
  const first = yield* auditAndRead(audit, network)
  const opened = yield* openMore(request, first, network)
  const send = isLive ? recordedFirst(opened.journal, network) : network
  const options: FixOptions = { ...request.options, folder: audit.folder === true }
  const more: Array<Page> = [...opened.pages]
  let site = withVersions(first.site, opened.versions)
  const known = new Map<string, Conversion>()
  const markdownOf: MarkdownOf = ({ url }) => known.get(url) ?? notConverted("crashed")
  yield* convertInto(known, site, more)
  let fixes = writeFixes(site, more, first.report, options, markdownOf, opened.dead)
  let after = first
  for (let round = 0; round < ROUNDS; round++) {
    if (isEmpty(fixes)) break
    after = yield* auditAndRead(audit, overlaid(send, overlayOf(first.site, fixes)))
    const seen = new Set([...first.site.sample.pages, ...more].map(({ url }) => plainForm(url)))
    const fresh = after.site.sample.pages.filter(({ url }) => !seen.has(plainForm(url)))
    if (fresh.length === 0 || round === ROUNDS - 1) break
    more.push(...fresh)
    site = withVersions(site, ownVersions(after.site, fresh, fixes))
    yield* convertInto(known, site, fresh)
    fixes = writeFixes(site, more, first.report, options, markdownOf, opened.dead)
  }
  return {
    before: first.report,
    after: after.report,
    fixes,
    only: options.only,
    site: first.site,
    productionOrigin: first.productionOrigin,
    unopened: unopenedIn(first.site, more),
    isLive,
    isWhole: isLive || !after.journal.some(isUnrecorded)
  }
})

type Versions = PublishedSite["markdownVersions"]["pages"]

/** The site with what is known of pages beside its sample: a version of the owner's is kept. */
const withVersions = (site: PublishedSite, versions: Versions): PublishedSite => ({
  ...site,
  markdownVersions: { ...site.markdownVersions, pages: [...site.markdownVersions.pages, ...versions] }
})

/** Versions of pages that a site with our files has, without ours. */
const ownVersions = ({ markdownVersions }: PublishedSite, pages: ReadonlyArray<Page>, { files }: Fixes): Versions => {
  const ours = new Set(files.map(({ url }) => url))
  return markdownVersions.pages.filter(
    ({ page, version }) => pages.includes(page) && version !== null && !ours.has(version.url)
  )
}

/** Converts pages that have no Markdown version, each once, in the parser thread: a page that takes too long gets none. */
const convertInto = Effect.fnUntraced(function* (
  known: Map<string, Conversion>,
  { markdownVersions, sample }: PublishedSite,
  more: ReadonlyArray<Page>
): Effect.fn.Return<void, never, ParserPool> {
  const { markdown } = yield* ParserPool
  const own = new Set(
    markdownVersions.pages.flatMap(({ page, version }) => (version === null ? [] : [pageKey(page.url)]))
  )
  for (const { answer, url } of [...sample.pages, ...more]) {
    if (!known.has(url) && !own.has(pageKey(url))) known.set(url, yield* markdown({ answer }))
  }
})

const unopenedIn = ({ sample }: PublishedSite, more: ReadonlyArray<Page>): number => {
  const opened = new Set(
    [
      ...sample.visits.map(({ candidate }) => candidate.url),
      ...sample.visits.map(({ exchange }) => exchange.url),
      ...more.map(({ url }) => url)
    ].map(pageKey)
  )
  return sample.candidates.filter(({ url }) => !opened.has(pageKey(url))).length
}

/** A report, its evidence, and what was read in it. */
interface Audited extends AuditOutcome {
  readonly site: PublishedSite
}

export const auditAndRead = Effect.fnUntraced(function* (
  audit: FixRequest["audit"],
  send: Transport["Service"]["send"]
): Effect.fn.Return<Audited, AuditFailed, ParserPool> {
  const read: Array<PublishedSite> = []
  const inspect: AuditRequest["inspect"] = (site) => Effect.map(publishedSite(site), (one) => void read.push(one))
  const outcome = yield* Effect.provide(runAudit({ ...audit, inspect }), Layer.succeed(Transport, { send }))
  const [site] = read
  return site === undefined ? yield* Effect.die("an audit with a report has read the site") : { ...outcome, site }
})

/** Pages that were opened beside the sample, what they have of Markdown versions, and the evidence. */
interface Opened {
  readonly journal: AuditOutcome["journal"]
  readonly pages: ReadonlyArray<Page>
  readonly versions: Versions
  /** URLs that were asked for and gave no page. */
  readonly unanswered: ReadonlyArray<string>
  /** Links of llms.txt that lead nowhere. */
  readonly dead: ReadonlySet<string>
}

/** Opens more pages of the site: those that it names, and then, if all are wanted, those that the opened ones link to. */
const openMore = Effect.fnUntraced(function* (
  request: FixRequest,
  first: Audited,
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
  { audit, beforeOpening }: FixRequest,
  urls: ReadonlyArray<string>,
  journal: AuditOutcome["journal"],
  network: Transport["Service"]["send"]
): Effect.fn.Return<Audited, AuditFailed, ParserPool> {
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
    gatherMs: limits.gatherMs + pages * PAGE_MILLISECONDS
  })

const versionsOf = ({ site }: Audited): Versions =>
  site.markdownVersions.pages.filter(({ version }) => version !== null)

/** As many pages as are wanted of those that the site names, or those that dead links of llms.txt mean. */
const openNamed = Effect.fnUntraced(function* (
  { audit, beforeOpening, isLive, options, pages }: FixRequest,
  first: Audited,
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

/** Time to open one page more, at the pace of a polite client. */
export const PAGE_MILLISECONDS = 500

const isEmpty = ({ configuration, files, heads }: Fixes): boolean =>
  files.length === 0 && heads.length === 0 && configuration.length === 0

export const overlayOf = ({ base }: PublishedSite, { files, heads, rules }: Fixes): Overlay => ({
  origin: base.origin,
  files: new Map(files.flatMap(({ text, url }) => (url === null ? [] : [[url, text] as const]))),
  heads: new Map(heads.map(({ text, url }) => [url, text] as const)),
  rules
})

const isUnrecorded = ({ hop }: AuditOutcome["journal"][number]): boolean =>
  hop._tag === "HopFault" && (hop.kind === "not_recorded" || hop.kind === "archive_cut")
