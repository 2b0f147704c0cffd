import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { type Base, type BaseAddress, derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { below, isOverlong, normalise, onSite } from "../../evidence/Address.ts"
import type { Ask } from "../../evidence/Collector.ts"
import { type Answer, type Exchange, isAnswer, isOk } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { fileVerdict, isMissingFile, type NotFoundProbe } from "./FileVerdict.ts"
import { folderOf } from "../../text/UrlPath.ts"
import { evenStride } from "../base/EvenStride.ts"
import { gunzipText, isGzip, parseLastmod, parseSitemap, type SitemapDocument } from "./SitemapDocument.ts"
import { type Robots, robotsFileOf } from "./Robots.ts"

/** All sitemaps of the site, read together within the limits on files and entries. */
export interface Sitemaps {
  /** Every file that was asked for within the audit's budget, in order. */
  readonly files: ReadonlyArray<SitemapFile>
  /** Locations on the base's host, each URL once, in the order of the files. */
  readonly entries: ReadonlyArray<SitemapEntry>
  /** Sums over the files. */
  readonly dirt: SitemapDirt
  /** More files or entries than limits and budget allow were named, or a file was cut: `entries` is a part. */
  readonly truncated: boolean
  /** Missing responses: each may be a sitemap, or, of robots.txt, name one. */
  readonly missing: ReadonlyArray<Exchange>
}

export interface SitemapFile {
  readonly url: string
  /** Who named it. */
  readonly source: "robots" | "page" | "well_known" | "index"
  readonly exchange: Exchange
  /** `invalid`: there, but neither a sitemap, an index nor a feed, or without any location. */
  readonly verdict: "urlset" | "index" | "feed" | "text" | "invalid" | "absent" | "unobtainable"
  /** Locations that it names, whatever became of them. */
  readonly locations: number
}

export interface SitemapEntry {
  /** The URL to fetch. */
  readonly url: string
  /** `YYYY-MM-DD`, or `null` where there is no readable date. */
  readonly lastmod: string | null
  /** Index into `Sitemaps.files`. */
  readonly file: number
}

/** What generators write for a URL that they do not know: `None`, and `Noneguide/` where the site's URL is missing before a path. */
export const isNoUrl = (loc: string): boolean =>
  /^(?:none|null|nil|undefined|nan|false)?$/i.test(loc) || /^None[a-z./]/.test(loc)

/** What was wrong in otherwise readable files, counted. */
interface SitemapDirt {
  /** Files whose root is in another namespace than sitemaps.org's, or in none. */
  readonly namespace: number
  /** Files with white space or other text before the first mark-up. */
  readonly leading: number
  /** XML faults: elements that are not closed, or not in order. */
  readonly malformed: number
  readonly relative: number
  /** Locations on other hosts than the base's (those on the site included); they are no entries. */
  readonly otherHost: number
  readonly duplicates: number
  /** `lastmod` values that are no dates. */
  readonly badDates: number
  /** Locations that are no http(s) URLs, or empty. */
  readonly badAddresses: number
  /** Locations that are longer than what is read (`LONGEST_URL`). */
  readonly overlong: number
}

/** Indexes of indexes are against the standard; one such level is forgiven. */
const MAX_LEVELS = 3

interface Named {
  readonly url: string
  readonly source: SitemapFile["source"]
}

interface Read extends SitemapFile {
  readonly document: SitemapDocument | null
}

/**
 * Asks for the sitemaps that robots.txt names, those that the base page links to, `B/sitemap.xml`, and the one beside the URL that was asked for; `R/sitemap.xml` where
 * robots.txt names none or none of those speaks of the base's host, and the index at `R/sitemap_index.xml` or
 * `R/sitemap-index.xml` where none of those is one. Then, level by level, for the files of indexes.
 */
export const gatherSitemaps = Effect.fn("Sitemap.gather")(function* (
  context: GatherContext,
  { notFoundProbe, robots }: Using<{ notFoundProbe: NotFoundProbe; robots: Robots }>
): Effect.fn.Return<Sitemaps> {
  const robotsTxt = yield* robots
  const first = distinct([...linkedSitemaps(context.base), ...firstSitemaps(context.base, robotsTxt, context.resolve)])
  const read = yield* readAll(context, notFoundProbe, first.slice(0, context.limits.sitemapFiles))
  const fallback = fallbacks(context, first, read)
  const files = [...read, ...(yield* readAll(context, notFoundProbe, fallback))]
  let truncated = first.length > context.limits.sitemapFiles
  let level = files
  for (let depth = 1; depth < MAX_LEVELS; depth++) {
    const children = childrenOf(context, level, files)
    const room = Math.max(0, context.limits.sitemapFiles - files.filter(isThere).length)
    truncated ||= children.length > room
    level = [...(yield* readAll(context, notFoundProbe, affordable(context, children, room)))]
    files.push(...level)
  }
  const fetched = files.filter((file) => !isLeftOut(file))
  const probe = yield* notFoundProbe
  const missing = [robotsTxt, ...fetched, ...maybeSitemaps(files)]
    .map(({ exchange }) => exchange)
    .filter((exchange) => isMissingFile(probe, exchange))
  return { ...collect(context, fetched, truncated || fetched.length < files.length), missing }
})

export const sitemaps = derivation({
  name: "sitemaps",
  // 50 files, and three places at which none is (below the base, at the origin, beside the audited URL); more are only tried where there are fewer files. With as many files
  // two pages fewer are read beyond the sample, of the 51 that both have together.
  budget: { requests: 53, megabytes: 10, insteadOfOthers: 2 },
  rank: RANK.sample,
  early: ({ base, limits, robots }) =>
    firstSitemaps(base, { url: robots.asked.url, file: robotsFileOf(robots) }, normalise)
      .slice(0, limits.sitemapFiles)
      .map(sitemapAsk),
  gather: gatherSitemaps
})

/** The file is a sitemap of any kind, with a location. */
export const isSitemap = ({ verdict }: SitemapFile): boolean =>
  verdict !== "invalid" && verdict !== "absent" && verdict !== "unobtainable"

const isThere = (file: SitemapFile): boolean => file.verdict !== "absent"

/** The audit's budget did not reach it. */
const isLeftOut = ({ exchange }: SitemapFile): boolean => !isAnswer(exchange) && exchange.kind === "budget"

/** Files that the budget did not reach and that may be the sitemap: if none was found, those that are named, and guesses if there was no other. */
const maybeSitemaps = (files: ReadonlyArray<SitemapFile>): ReadonlyArray<SitemapFile> => {
  const leftOut = files.filter(isLeftOut)
  if (files.some(isSitemap)) return []
  return leftOut.length === files.length ? leftOut : leftOut.filter(({ source }) => source !== "well_known")
}

/** Where sitemaps are looked for first: those that robots.txt names, then well-known ones. */
const firstSitemaps = (
  base: BaseAddress,
  robots: Pick<Robots, "file" | "url">,
  resolve: GatherContext["resolve"]
): ReadonlyArray<Named> => {
  const named = robots.file.sitemaps.flatMap((value): ReadonlyArray<Named> => {
    const url = resolve(value, robots.url)
    return url === null ? [] : [{ url, source: "robots" }]
  })
  const own = named.length > 0 ? [] : [below(base.origin, "sitemap.xml")]
  // A start page may redirect to a page in a folder, while the sitemap stays where the site begins.
  const asked = new URL(base.audited)
  const folders = [base.folder, ...(asked.origin === base.origin ? [asked.origin + folderOf(asked.pathname)] : [])]
  return distinct([...named, ...[...own, ...folders.map((folder) => below(folder, "sitemap.xml"))].map(wellKnown)])
}

/** `<link rel="sitemap">` on the base page. */
const linkedSitemaps = ({ page, site }: Base): ReadonlyArray<Named> =>
  (page?.announcements ?? [])
    .filter(({ rel, url }) => rel.includes("sitemap") && onSite(url, site))
    .map(({ url }) => ({ url, source: "page" }))

/** A robots.txt that was copied from another host names that host's sitemap, so one without locations on the base's host is not enough. */
const fallbacks = (
  context: GatherContext,
  asked: ReadonlyArray<Named>,
  read: ReadonlyArray<Read>
): ReadonlyArray<Named> => {
  if (read.some((file) => speaksOfHost(context, file))) return []
  const names = read.some(isSitemap) ? ["sitemap.xml"] : ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml"]
  return distinct(
    names.map((name) => wellKnown(below(context.base.origin, name))),
    asked
  )
}

/** The file names a page, or a further file, on the base's host. */
const speaksOfHost = ({ base, resolve }: GatherContext, { document, exchange }: Read): boolean => {
  const { host } = new URL(base.origin)
  return (
    document !== null &&
    document.locations.some(({ loc }) => {
      const url = loc === "" ? null : resolve(loc, exchange.url)
      return url !== null && new URL(url).host === host
    })
  )
}

const wellKnown = (url: string): Named => ({ url, source: "well_known" })

/** Each URL once, those of `known` left out. */
const distinct = (
  named: ReadonlyArray<Named>,
  known: ReadonlyArray<{ readonly url: string }> = []
): ReadonlyArray<Named> => {
  const seen = new Set(known.map(({ url }) => url))
  return named.filter(({ url }) => !seen.has(url) && seen.add(url))
}

/** Files of indexes that were not asked for yet. */
const childrenOf = (
  { resolve }: GatherContext,
  level: ReadonlyArray<Read>,
  files: ReadonlyArray<Read>
): ReadonlyArray<Named> =>
  distinct(
    level.flatMap(({ document, exchange }) =>
      document?.kind !== "index"
        ? []
        : document.locations.flatMap(({ loc }): ReadonlyArray<Named> => {
            const url = resolve(loc, exchange.url)
            return url === null ? [] : [{ url, source: "index" }]
          })
    ),
    files
  )

/** Those that speak of the audited folder first, then an even stride over the others. */
const affordable = ({ base }: GatherContext, children: ReadonlyArray<Named>, room: number): ReadonlyArray<Named> => {
  const folder = base.prefix.split("/").findLast((segment) => segment !== "")
  const speaksOfIt = ({ url }: Named) => folder !== undefined && new URL(url).pathname.includes(folder)
  const first = children.filter(speaksOfIt).slice(0, room)
  return [
    ...first,
    ...evenStride(
      children.filter((child) => !speaksOfIt(child)),
      room - first.length
    )
  ]
}

/** A sitemap may be as long as other documents. */
const sitemapAsk = ({ url }: Pick<Named, "url">): Ask => ({ url, limit: "document" })

const readAll = Effect.fnUntraced(function* (
  context: GatherContext,
  notFoundProbe: Effect.Effect<NotFoundProbe>,
  named: ReadonlyArray<Named>
): Effect.fn.Return<Array<Read>> {
  if (named.length === 0) return []
  const [exchanges, known] = yield* Effect.all([context.collector.getAll(named.map(sitemapAsk)), notFoundProbe], {
    concurrency: 2
  })
  return yield* Effect.forEach(named, ({ url, source }, index) => {
    const exchange = exchanges[index]
    return exchange === undefined
      ? Effect.succeed([])
      : Effect.map(read(context, known, exchange), (seen) => [{ url, source, exchange, ...seen }])
  }).pipe(Effect.map((all) => all.flat()))
})

const read = Effect.fnUntraced(function* (
  { limits }: GatherContext,
  notFoundProbe: NotFoundProbe,
  exchange: Exchange
): Effect.fn.Return<Pick<Read, "verdict" | "locations" | "document">> {
  const nothing = { locations: 0, document: null }
  const found = isOk(exchange) && isGzip(exchange.body) ? "found" : fileVerdict(notFoundProbe, exchange, "xml")
  if (found === "unobtainable") return { verdict: "unobtainable", ...nothing }
  if (found !== "found" || !isAnswer(exchange)) return { verdict: "absent", ...nothing }
  const text = yield* textIn(exchange, limits.documentBytes)
  if (text === null) return { verdict: "invalid", ...nothing }
  const document = parseSitemap(text, limits.sitemapEntries, exchange.cut)
  const locations = document.locations.length
  return { verdict: locations === 0 ? "invalid" : document.kind, locations, document }
})

const textIn = (answer: Answer, limitBytes: number): Effect.Effect<string | null> =>
  isGzip(answer.body) ? gunzipText(answer.body, limitBytes) : Effect.succeed(textOf(answer).text)

const collect = (context: GatherContext, files: ReadonlyArray<Read>, truncated: boolean): Omit<Sitemaps, "missing"> => {
  const collector = new Collector(context)
  files.forEach((file, index) => {
    if (file.document !== null) collector.add(file, file.document, index)
  })
  return {
    files: files.map(({ url, source, exchange, verdict, locations }) => ({
      url,
      source,
      exchange,
      verdict,
      locations
    })),
    entries: [...collector.entries.values()],
    dirt: collector.dirt,
    truncated:
      truncated ||
      collector.full ||
      files.some(({ exchange, document }) => document?.truncated === true || (isOk(exchange) && exchange.cut))
  }
}

/** Puts the locations of all files together. */
class Collector {
  readonly entries = new Map<string, SitemapEntry>()
  readonly dirt = {
    namespace: 0,
    leading: 0,
    malformed: 0,
    relative: 0,
    otherHost: 0,
    duplicates: 0,
    badDates: 0,
    badAddresses: 0,
    overlong: 0
  }
  readonly context: GatherContext
  readonly host: string
  full = false

  constructor(context: GatherContext) {
    this.context = context
    this.host = new URL(context.base.origin).host
  }

  add(file: Read, document: SitemapDocument, index: number): void {
    if (document.foreignNamespace) this.dirt.namespace++
    if (document.leadingText) this.dirt.leading++
    this.dirt.malformed += document.malformed
    if (document.kind === "index") return
    for (const { loc, lastmod } of document.locations) this.addLocation(loc, lastmod, file.exchange.url, index)
  }

  addLocation(loc: string, lastmod: string, from: string, file: number): void {
    const url = isNoUrl(loc) ? null : this.context.resolve(loc, from)
    if (isOverlong(loc)) this.dirt.overlong++
    else if (url === null) this.dirt.badAddresses++
    else {
      if (!/^[a-z][a-z0-9+.-]*:/i.test(loc)) this.dirt.relative++
      this.addEntry(url, lastmod, file)
    }
  }

  addEntry(url: string, lastmod: string, file: number): void {
    if (new URL(url).host !== this.host) this.dirt.otherHost++
    else if (this.entries.has(url)) this.dirt.duplicates++
    else if (this.entries.size >= this.context.limits.sitemapEntries) this.full = true
    else {
      const date = parseLastmod(lastmod)
      if (date === null && lastmod !== "") this.dirt.badDates++
      this.entries.set(url, { url, lastmod: date, file })
    }
  }
}
