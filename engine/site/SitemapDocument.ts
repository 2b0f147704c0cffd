import { Parser } from "htmlparser2"
import { LONGEST_URL } from "../evidence/Address.ts"

/** One sitemap as text, whatever its state. */
export interface SitemapDocument {
  readonly kind: "urlset" | "index" | "text" | "invalid"
  /** In order, at most as many as were asked for. */
  readonly locations: ReadonlyArray<SitemapLocation>
  /** There were more locations than that. */
  readonly truncated: boolean
  /** The root is in another namespace than sitemaps.org's, or in none. */
  readonly foreignNamespace: boolean
  /** White space or other text stands before the first mark-up. */
  readonly leadingText: boolean
  /** Elements that are not closed, or not in order; nesting that no sitemap has. */
  readonly malformed: number
}

/** As written, trimmed. */
export interface SitemapLocation {
  readonly loc: string
  /** Empty where there is none. */
  readonly lastmod: string
}

const NAMESPACE = /^https?:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9\/?$/
/** `urlset` in `url` in `loc`, and what extensions add. */
const MAX_DEPTH = 32
/** What is longer is no URL that is read: one character more than that is kept, to tell. */
const MAX_FIELD = LONGEST_URL + 1
const CHUNK = 16_384

const BYTE_ORDER_MARK = /^\uFEFF/

/** Reads any text as a sitemap: XML (an index or a list of pages) or a plain list of addresses. */
export const parseSitemap = (text: string, limit: number): SitemapDocument => {
  const clean = text.replace(BYTE_ORDER_MARK, "")
  const start = clean.indexOf("<")
  return start < 0 || /^\s*https?:\/\//i.test(clean) ? parseText(clean, limit) : parseXml(clean.slice(start), start > 0, limit)
}

const parseText = (text: string, limit: number): SitemapDocument => {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"))
  const listsAddresses = /^https?:\/\//i.test(lines[0] ?? "")
  const locations = listsAddresses ? lines.slice(0, limit).map((loc) => ({ loc: loc.slice(0, MAX_FIELD), lastmod: "" })) : []
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
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (data) => reader.text(data),
    onclosetag: (name, implied) => reader.close(name, implied)
  }, { xmlMode: true })
  for (let at = 0; at < text.length && !reader.done; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  if (!reader.done) parser.end()
  return {
    kind: reader.kind,
    locations: reader.locations,
    truncated: reader.truncated,
    foreignNamespace: reader.kind !== "invalid" && !NAMESPACE.test(reader.namespace),
    leadingText,
    malformed: reader.malformed
  }
}

/** Follows the elements of a sitemap. Entities of a DTD are never resolved: the parser knows none but XML's own. */
class Reader {
  kind: "urlset" | "index" | "invalid" = "invalid"
  readonly locations: Array<SitemapLocation> = []
  readonly limit: number
  truncated = false
  /** Nothing more is worth reading. */
  done = false
  malformed = 0
  namespace = ""
  prefix = ""
  depth = 0
  inEntry = false
  field: "loc" | "lastmod" | null = null
  loc = ""
  lastmod = ""

  constructor(limit: number) {
    this.limit = limit
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.done) return
    this.depth++
    if (this.depth > MAX_DEPTH) {
      this.malformed++
      this.done = true
    } else if (this.depth === 1) this.openRoot(name, attributes)
    else if (name === this.named("url") || name === this.named("sitemap")) this.openEntry()
    else if (name === this.named("loc")) this.field = "loc"
    else if (name === this.named("lastmod")) this.field = "lastmod"
  }

  /** Elements of extensions (`image:loc`) have another prefix than the root. */
  named(local: string): string {
    return this.prefix + local
  }

  openRoot(name: string, attributes: Readonly<Record<string, string>>): void {
    const colon = name.indexOf(":")
    this.prefix = name.slice(0, colon + 1)
    const local = name.slice(colon + 1)
    this.kind = local === "urlset" ? "urlset" : local === "sitemapindex" ? "index" : "invalid"
    this.namespace = attributes[colon < 0 ? "xmlns" : `xmlns:${name.slice(0, colon)}`] ?? ""
    this.done = this.kind === "invalid"
  }

  openEntry(): void {
    this.closeEntry()
    this.inEntry = true
  }

  text(data: string): void {
    if (this.done || this.field === null || !this.inEntry) return
    this[this.field] = (this[this.field] + data).slice(0, MAX_FIELD)
  }

  close(name: string, implied: boolean): void {
    if (this.done) return
    if (implied) this.malformed++
    this.depth--
    this.field = null
    if (name === this.named("url") || name === this.named("sitemap")) this.closeEntry()
  }

  closeEntry(): void {
    if (!this.inEntry) return
    if (this.locations.length < this.limit) this.locations.push({ loc: this.loc.trim(), lastmod: this.lastmod.trim() })
    else this.truncated = this.done = true
    this.inEntry = false
    this.loc = ""
    this.lastmod = ""
  }
}

/** A W3C date or date and time as `YYYY-MM-DD`; missing parts are first ones; `null` where it is no date. */
export const parseLastmod = (value: string): string | null => {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ][0-9:.,]{2,20} ?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?$/i.exec(value) ?? []
  if (year === undefined) return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const iso = `${year}-${month}-${day}`
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null
}
