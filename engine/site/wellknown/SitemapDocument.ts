import * as Effect from "effect/Effect"
import { Parser } from "htmlparser2"
import { promisify } from "node:util"
import { constants, gunzip } from "node:zlib"
import { LONGEST_URL } from "../../evidence/Address.ts"

/** One sitemap as text, whatever its state. */
export interface SitemapDocument {
  /** `feed`: RSS or Atom, which the protocol of sitemaps.org accepts as a sitemap. */
  readonly kind: "urlset" | "index" | "feed" | "text" | "invalid"
  /** In order, at most as many as were asked for. */
  readonly locations: ReadonlyArray<SitemapLocation>
  /** There were more locations than that. */
  readonly truncated: boolean
  /** The root of a urlset or index is in another namespace than sitemaps.org's, or in none. */
  readonly foreignNamespace: boolean
  /** White space or other text precedes the first tag. */
  readonly leadingText: boolean
  /** Elements that are not closed, or not in order; nesting that no sitemap has. */
  readonly malformed: number
}

/** As written, trimmed. */
interface SitemapLocation {
  readonly loc: string
  /** Empty where there is none. The readable date of an RSS entry is `YYYY-MM-DD`. */
  readonly lastmod: string
}

const NAMESPACE = /^https?:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9\/?$/
/** `urlset` in `url` in `loc`, and what extensions add. */
const MAX_DEPTH = 32
/** What is longer is no URL that is read: one character more than that is kept, to tell. */
const MAX_FIELD = LONGEST_URL + 1
const CHUNK = 16_384

const BYTE_ORDER_MARK = /^\uFEFF/

/** Reads any text as a sitemap: XML (an index, a list of pages or a feed) or a plain list of URLs. `cut`: its end is missing. */
export const parseSitemap = (text: string, limit: number, cut = false): SitemapDocument => {
  const clean = text.replace(BYTE_ORDER_MARK, "")
  const start = clean.indexOf("<")
  return start < 0 || /^\s*https?:\/\//i.test(clean)
    ? parseText(clean, limit, cut)
    : parseXml(clean.slice(start), start > 0, limit)
}

const parseText = (text: string, limit: number, cut: boolean): SitemapDocument => {
  const all = text.split(/\r\n|\r|\n/)
  const lines = (cut ? all.slice(0, -1) : all)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
  const listsAddresses = /^https?:\/\//i.test(lines[0] ?? "")
  const locations = listsAddresses
    ? lines.slice(0, limit).map((loc) => ({ loc: loc.slice(0, MAX_FIELD), lastmod: "" }))
    : []
  return {
    kind: listsAddresses ? "text" : "invalid",
    locations,
    truncated: lines.length > limit && listsAddresses,
    foreignNamespace: false,
    leadingText: false,
    malformed: 0
  }
}

const parseXml = (text: string, leadingText: boolean, limit: number): SitemapDocument => {
  const reader = new Reader(limit)
  let openedAt = -1
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        openedAt = parser.endIndex
        reader.open(name, attributes)
      },
      ontext: (data) => reader.text(data),
      // The parser calls the end of `<a/>` implied, too; only that one is where the element began.
      onclosetag: (name, implied) => reader.close(name, implied && parser.endIndex !== openedAt)
    },
    { xmlMode: true }
  )
  for (let at = 0; at < text.length && !reader.done; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  if (!reader.done) {
    reader.atEnd = true
    parser.end()
  }
  return {
    kind: reader.dialect?.kind ?? "invalid",
    locations: reader.locations,
    truncated: reader.truncated,
    foreignNamespace: reader.dialect !== null && reader.dialect.kind !== "feed" && !NAMESPACE.test(reader.namespace),
    leadingText,
    malformed: reader.malformed
  }
}

/** What the elements of a kind of document are called. */
interface Dialect {
  readonly kind: "urlset" | "index" | "feed"
  readonly entries: ReadonlyArray<string>
  readonly location: string
  readonly date: string
}

const SITEMAP = { entries: ["url", "sitemap"], location: "loc", date: "lastmod" }

/** By the root's name. */
const DIALECTS: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  ["urlset", { kind: "urlset", ...SITEMAP }],
  ["sitemapindex", { kind: "index", ...SITEMAP }],
  ["rss", { kind: "feed", entries: ["item"], location: "link", date: "pubDate" }],
  ["feed", { kind: "feed", entries: ["entry"], location: "link", date: "updated" }]
])

/** Follows the elements of a sitemap. Entities of a DTD are never resolved: the parser knows none but XML's own. */
class Reader {
  /** `null`: the root is no sitemap's. */
  dialect: Dialect | null = null
  readonly locations: Array<SitemapLocation> = []
  readonly limit: number
  truncated = false
  /** Nothing more is worth reading. */
  done = false
  /** The text is over: what closes now was cut off. */
  atEnd = false
  malformed = 0
  namespace = ""
  prefix = ""
  depth = 0
  inEntry = false
  field: "loc" | "date" | null = null
  /** Of the open entry: locations that are complete, the one that is read, and the date. */
  locs: Array<string> = []
  loc = ""
  date = ""

  constructor(limit: number) {
    this.limit = limit
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.done) return
    this.depth++
    if (this.depth > MAX_DEPTH) {
      this.malformed++
      this.done = true
    } else if (this.dialect === null) this.openRoot(name, attributes)
    else this.openInside(this.dialect, name, attributes)
  }

  openRoot(name: string, attributes: Readonly<Record<string, string>>): void {
    const colon = name.indexOf(":")
    this.prefix = name.slice(0, colon + 1)
    this.namespace = attributes[colon < 0 ? "xmlns" : `xmlns:${name.slice(0, colon)}`] ?? ""
    this.dialect = DIALECTS.get(name.slice(colon + 1)) ?? null
    this.done = this.dialect === null
  }

  openInside(dialect: Dialect, name: string, attributes: Readonly<Record<string, string>>): void {
    const local = this.localName(name)
    if (local === null) return
    if (dialect.entries.includes(local)) {
      this.closeEntry()
      this.inEntry = true
    } else if (local === dialect.location) {
      this.closeLocation()
      this.field = "loc"
      // Atom has the location in an attribute, and other links too.
      if (/^(?:alternate)?$/.test(attributes["rel"] ?? "")) this.text(attributes["href"] ?? "")
    } else if (local === dialect.date && this.date === "") this.field = "date"
  }

  /** Elements of extensions (`image:loc`) have another prefix than the root: `null`. */
  localName(name: string): string | null {
    return name.startsWith(this.prefix) && !name.slice(this.prefix.length).includes(":")
      ? name.slice(this.prefix.length)
      : null
  }

  text(data: string): void {
    if (this.done || this.field === null || !this.inEntry) return
    this[this.field] = (this[this.field] + data).slice(0, MAX_FIELD)
  }

  close(name: string, implied: boolean): void {
    if (this.done) return
    if (implied) this.malformed++
    if (this.atEnd && this.field === "loc") this.loc = ""
    this.depth--
    this.field = null
    if (this.dialect?.entries.includes(this.localName(name) ?? "") === true) this.closeEntry()
  }

  closeLocation(): void {
    if (this.loc !== "" && this.locs.length <= this.limit) this.locs.push(this.loc)
    this.loc = ""
  }

  closeEntry(): void {
    if (!this.inEntry) return
    this.closeLocation()
    const date = this.date.trim()
    for (const loc of this.locationsOfEntry()) {
      if (this.locations.length < this.limit)
        this.locations.push({ loc: loc.trim(), lastmod: this.dialect?.date === "pubDate" ? isoOfRssDate(date) : date })
      else this.truncated = this.done = true
    }
    this.inEntry = false
    this.locs = []
    this.date = ""
  }

  /** A sitemap's entry without a location is an empty one, unless its end is missing; an entry of a feed has one link at most. */
  locationsOfEntry(): ReadonlyArray<string> {
    if (this.dialect?.kind === "feed") return this.locs.slice(0, 1)
    return this.locs.length === 0 && !this.atEnd ? [""] : this.locs
  }
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** The day of an RFC 822 date (`Wed, 4 Mar 2026 05:06:07 GMT`) as `YYYY-MM-DD`; any other text as it is. */
const isoOfRssDate = (value: string): string => {
  const [, day = "", month = "", year = ""] =
    /^(?:[A-Za-z]{3}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})(?: |$)/.exec(value) ?? []
  const number = MONTHS.indexOf(month) + 1
  return number === 0 ? value : `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`
}

/** A W3C date or date and time as `YYYY-MM-DD`; missing parts are first ones; `null` where it is no date. */
export const parseLastmod = (value: string): string | null => {
  const [, year, month = "01", day = "01"] =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ][0-9:.,]{2,20} ?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?$/i.exec(value) ?? []
  if (year === undefined) return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const iso = `${year}-${month}-${day}`
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null
}

const inflate = promisify(gunzip)

/** The bytes are a gzip file, whatever their label says. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** The text (UTF-8) of a gzip file; `null` where it does not inflate, or to more than `limitBytes`. A cut file gives its beginning. */
export const gunzipText = (bytes: Uint8Array, limitBytes: number): Effect.Effect<string | null> =>
  Effect.promise(() =>
    inflate(bytes, { maxOutputLength: limitBytes, finishFlush: constants.Z_SYNC_FLUSH }).then(
      (inflated) => new TextDecoder().decode(inflated),
      () => null
    )
  )
