import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../audit/Audit.ts"
import type { AuditFailed, AuditOutcome, AuditRequest } from "../audit/AuditRequest.ts"
import type { AuditReport } from "../audit/Report.ts"
import { pageKey, plainForm } from "../evidence/Address.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { SiteFolder } from "../evidence/folder/SiteFolder.ts"
import { Transport } from "../evidence/Transport.ts"
import { type Conversion, notConverted } from "../page/conversion/Conversion.ts"
import type { Page } from "../page/Page.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import type { MarkdownOf } from "./files/PageMarkdownFile.ts"
import { type Coverage, openMore, type OpenRequest, siteCoverage, withOpened } from "./open/OpenPages.ts"
import type { Versions } from "./open/OpenBatch.ts"
import { overlaid, type Overlay, recordedFirst, recordedHops } from "./overlay/OverlayTransport.ts"
import { type BuildDifference, buildDifference, placeOf, urlsOfFolder } from "./patch/FolderPages.ts"
import type { GeneratedFile } from "./site/GeneratedFile.ts"
import { namedUrls, type OtherVersion, otherVersions, type PublishedSite, publishedSite } from "./site/PublishedSite.ts"
import { criteriaBy, type WritablePlugin } from "./site/WritablePlugins.ts"
import { askPlaces, asPlaceIsAsked, isThere, type PlaceState, versionsThere } from "./there/Places.ts"
import type { FixOptions } from "./write/Wish.ts"
import { type Fixes, writeFixes } from "./WriteFixes.ts"

export interface FixRequest extends OpenRequest {
  /** The folder that is fixed; left out: a site or an archive. */
  readonly build?: SiteFolder
  /** Told how many URLs are asked for because files would be written to them, before they are. */
  readonly beforeAsking?: (urls: number) => Effect.Effect<void>
  /** Why a file cannot be published from where it would be written, as a clause with the file as its subject; `null`: it can. All can where it is left out. */
  readonly whyUnpublished?: (file: GeneratedFile) => Effect.Effect<string | null>
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
  /** How much of the site was opened. */
  readonly coverage: Coverage
  /** What only the folder has, or only what is in it names; `null`: a site or an archive was fixed. */
  readonly difference: BuildDifference | null
  /** Other versions of the documentation that are known: nothing is written for them. */
  readonly otherVersions: ReadonlyArray<OtherVersion>
  /** URLs that files would have been written to, and at which the site has files that the audit had not found: these are kept. */
  readonly kept: ReadonlyArray<string>
  /** URLs of new files of which it is not known whether the site has files there. */
  readonly unasked: ReadonlySet<string>
  /** Files that were not written for a reason of `whyUnpublished`. */
  readonly unpublished: ReadonlyArray<{ readonly path: string; readonly reason: string }>
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
  const recorded = recordedHops(first.journal)
  const opened = yield* openMore(request, first, recorded, network)
  const options: FixOptions = { ...request.options, folder: audit.folder === true }
  const more: Array<Page> = [...opened.pages]
  let site = withVersions(withOpened(first.site, opened), opened.versions)
  const known = new Map<string, Conversion>(opened.conversions)
  const markdownOf: MarkdownOf = ({ url }) => known.get(url) ?? notConverted("crashed")
  const places = new Map<string, PlaceState>()
  const blocked = new Map<string, { readonly path: string; readonly reason: string }>()
  /** Notes which files cannot be published; whether there are any that were not noted before. */
  const block = Effect.fnUntraced(function* ({ files }: Fixes): Effect.fn.Return<boolean> {
    let isAny = false
    for (const file of request.whyUnpublished === undefined ? [] : files) {
      const reason = yield* request.whyUnpublished?.(file) ?? Effect.succeed(null)
      if (reason === null || file.url === null || blocked.has(file.url)) continue
      blocked.set(file.url, { path: file.path, reason })
      isAny = true
    }
    return isAny
  })
  let isDeadEnd = false
  const writeOnce = (): Fixes => {
    const there = [...places].flatMap(([url, place]) => (isThere(place) ? [url] : []))
    const closed = new Set(blocked.keys())
    return writeFixes(site, more, first.report, options, markdownOf, {
      dead: opened.dead,
      there: new Set([...there, ...closed]),
      closed,
      deadEnd: isDeadEnd
    })
  }
  /** Writes files only where it was asked whether the site has one. */
  const write = Effect.fnUntraced(function* (): Effect.fn.Return<Fixes> {
    for (let round = 0; ; round++) {
      let fixes = writeOnce()
      // What is left out of the files changes what the others name.
      for (let again = 0; again < ASKING_ROUNDS && (yield* block(fixes)); again++) fixes = writeOnce()
      const urls = newUrls(fixes).filter((url) => !places.has(url))
      if (urls.length === 0 || round === ASKING_ROUNDS) return fixes
      const count = urls.filter((url) => !recorded.has(asPlaceIsAsked(url))).length
      if (isLive && count > 0 && request.beforeAsking !== undefined) yield* request.beforeAsking(count)
      const asked = yield* askPlaces(urls, {
        site,
        canonicalOrigin: audit.canonicalOrigin,
        recorded,
        send: network,
        isLive
      })
      for (const [url, place] of asked.places) places.set(url, place)
      recorded.add(asked.journal)
      site = withVersions(site, versionsThere(site, more, first.report.criteria, options, asked.places))
    }
  })
  yield* convertInto(known, site, site.sample.pages)
  let fixes = yield* write()
  let after = first
  for (let round = 0; round < ROUNDS; round++) {
    if (isEmpty(fixes)) {
      after = first
      break
    }
    const send = isLive ? recordedFirst(recorded, network) : network
    after = yield* auditAndRead(audit, overlaid(send, overlayOf(first.site, fixes)))
    if (round < ROUNDS - 1 && !isDeadEnd && endsTheWay(fixes, after.report)) {
      isDeadEnd = true
      fixes = yield* write()
      continue
    }
    const seen = new Set([...first.site.sample.pages, ...more].map(({ url }) => plainForm(url)))
    const fresh = after.site.sample.pages.filter(({ url }) => !seen.has(plainForm(url)))
    if (fresh.length === 0 || round === ROUNDS - 1) break
    more.push(...fresh)
    site = withVersions(site, ownVersions(after.site, fresh, fixes))
    yield* convertInto(known, site, fresh)
    fixes = yield* write()
  }
  const pages = [...first.site.sample.pages, ...more]
  const coverage = siteCoverage(
    first.site.base,
    opened.candidates,
    [...first.site.sample.visits, ...opened.visits],
    pages,
    audit.folder === true ? null : yield* FetchLimits
  )
  return {
    before: first.report,
    after: after.report,
    fixes: asPublished(fixes, first.site.base.origin, audit.canonicalOrigin),
    only: options.only,
    site: first.site,
    productionOrigin: first.productionOrigin,
    coverage,
    difference:
      request.build === undefined ? null : yield* buildDifference(request.build, site, pages, coverage.unopened === 0),
    otherVersions: otherVersions(
      site,
      request.build === undefined ? namedUrls(site, pages) : urlsOfFolder(request.build, placeOf(site, request.build))
    ),
    kept: [...places].flatMap(([url, place]) => (isThere(place) ? [url] : [])),
    unpublished: [...blocked.values()],
    unasked: new Set(newUrls(fixes).filter((url) => (places.get(url)?._tag ?? "Unknown") === "Unknown")),
    isLive,
    isWhole: isLive || !after.journal.some(isUnrecorded)
  }
})

/** Files that are found to be there change which others are written, so asking is repeated. */
const ASKING_ROUNDS = 3

/** The URLs that files would be written to which complete none of the owner's. */
const newUrls = ({ files }: Fixes): ReadonlyArray<string> =>
  files.flatMap(({ completes, url }) => (completes === null && url !== null ? [url] : []))

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
  { markdownVersions }: PublishedSite,
  pages: ReadonlyArray<Page>
): Effect.fn.Return<void, never, ParserPool> {
  const { markdown } = yield* ParserPool
  const own = new Set(
    markdownVersions.pages.flatMap(({ page, version }) => (version === null ? [] : [pageKey(page.url)]))
  )
  for (const { answer, url } of pages) {
    if (!known.has(url) && !own.has(pageKey(url))) known.set(url, yield* markdown({ answer }))
  }
})

/** Whether rules send agents the owner's Markdown of the start page, and that leads nowhere. */
const endsTheWay = ({ rules }: Fixes, { criteria }: AuditReport): boolean =>
  rules !== null &&
  rules.rewrites.length > 0 &&
  criteriaBy(criteria, "b2-markdown-negotiation").some(({ measured }) => measured.facts?.["dead_end"] === true)

/** The files of a preview are published in production, so their URLs are those of production. */
const asPublished = (fixes: Fixes, preview: string, production: string | null): Fixes => {
  if (production === null) return fixes
  const published = <Text extends { readonly text: string }>(texts: ReadonlyArray<Text>): ReadonlyArray<Text> =>
    texts.map((one) => ({ ...one, text: one.text.replaceAll(`${preview}/`, `${production}/`) }))
  return {
    ...fixes,
    files: published(fixes.files),
    heads: published(fixes.heads),
    configuration: published(fixes.configuration),
    redirects: published(fixes.redirects)
  }
}

const isEmpty = ({ configuration, files, heads, redirects }: Fixes): boolean =>
  files.length + heads.length + configuration.length + redirects.length === 0

export const overlayOf = ({ base }: PublishedSite, { files, heads, rules }: Fixes): Overlay => ({
  origin: base.origin,
  files: new Map(files.flatMap(({ text, url }) => (url === null ? [] : [[url, text] as const]))),
  heads: new Map(heads.map(({ text, url }) => [url, text] as const)),
  rules
})

const isUnrecorded = ({ hop }: AuditOutcome["journal"][number]): boolean =>
  hop._tag === "HopFault" && (hop.kind === "not_recorded" || hop.kind === "archive_cut")

/** A report, its evidence, and what was read in it. */
interface AuditAndSite extends AuditOutcome {
  readonly site: PublishedSite
}

/** Audits a site, and keeps what was read in it. */
export const auditAndRead = Effect.fnUntraced(function* (
  audit: Omit<AuditRequest, "inspect">,
  send: Transport["Service"]["send"]
): Effect.fn.Return<AuditAndSite, AuditFailed, ParserPool> {
  const read: Array<PublishedSite> = []
  const inspect: AuditRequest["inspect"] = (site) => Effect.map(publishedSite(site), (one) => void read.push(one))
  const outcome = yield* Effect.provide(runAudit({ ...audit, inspect }), Layer.succeed(Transport, { send }))
  const [site] = read
  return site === undefined ? yield* Effect.die("an audit with a report has read the site") : { ...outcome, site }
})
