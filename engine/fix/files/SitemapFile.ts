import { below, pageKey } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type Answer, isOk } from "../../evidence/Exchange.ts"
import { isNoUrl, isSitemap, type SitemapFile } from "../../site/wellknown/Sitemap.ts"
import { isGzip, parseSitemap } from "../../site/wellknown/SitemapDocument.ts"
import { escapeMarkup } from "../../text/MarkupText.ts"
import {
  filePathOf,
  type GeneratedFile,
  NOTHING,
  notWritten,
  onlyFile,
  together,
  whyNotCompleted,
  type Written
} from "../site/GeneratedFile.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import { counted, grouped } from "../../plugin/Wording.ts"

/** More than the protocol allows in one file. */
const MOST_LOCATIONS = 50_000

interface Location {
  readonly url: string
  readonly lastmod: string | null
}

/** Writes sitemap.xml, or adds pages and dates to the sitemaps that are there. */
export const sitemapFiles = (site: PublishedSite, pages: SitePages): Written => {
  const { entries, files, missing, truncated } = site.sitemaps
  const [unread] = missing
  if (unread !== undefined)
    return notWritten("a4-sitemap", "A sitemap may exist: its URL did not answer. Try again later.", [unread.asked.url])
  const found = locationsOf(pages)
  const sitemaps = files.filter(isSitemap)
  if (entries.length === 0 && sitemaps.length === 0)
    return together([newSitemap(below(site.base.folder, "sitemap.xml"), found), undated(site, pages, found)])
  if (truncated)
    return notWritten(
      "a4-sitemap",
      "The sitemap is longer than what we read, so we did not add to it.",
      sitemaps.map(({ url }) => url).slice(0, 1)
    )
  const editable = sitemaps.flatMap(editableOf)
  if (editable.length === 0)
    return notWritten(
      "a4-sitemap",
      "The sitemap is compressed, or in a form that we do not edit. Add the missing pages where it is made.",
      sitemaps.map(({ url }) => url).slice(0, 1)
    )
  const resolved = editable.flatMap((file) => file.resolved.map((url): Location => ({ url, lastmod: null })))
  const listed = new Map([...resolved, ...entries].map((location) => [pageKey(location.url), location] as const))
  const added = found.filter(({ url }) => !listed.has(pageKey(url)))
  const dates = new Map(
    found.flatMap(({ lastmod, url }) => (lastmod === null ? [] : [[pageKey(url), lastmod] as const]))
  )
  const first = editable.find(({ url }) => url.startsWith(below(site.base.origin, ""))) ?? editable[0]
  return together([
    ...editable.map((file) => completed(file, file === first ? added : [], dates)),
    undated(site, pages, [...[...listed.values()].filter(({ url }) => !dates.has(pageKey(url))), ...added])
  ])
}

/** Every page that was opened, and every page that the site names and that was not found to be dead. */
const locationsOf = ({ linked, opened }: SitePages): ReadonlyArray<Location> =>
  [
    ...opened
      .filter(({ page }) => !page.robots.includes("noindex"))
      .map(({ changed, linkedAs }) => ({ url: linkedAs, lastmod: changed })),
    ...linked.map(({ url }) => ({ url, lastmod: null }))
  ].slice(0, MOST_LOCATIONS)

/** Of pages that were not opened, it is not known whether they say when they were changed. */
const undated = ({ sample }: PublishedSite, { opened }: SitePages, locations: ReadonlyArray<Location>): Written => {
  const without = locations.filter(({ lastmod }) => lastmod === null).map(({ url }) => url)
  const read = new Set(opened.map(({ url }) => pageKey(url)))
  const asked = new Set(sample.visits.map(({ candidate }) => pageKey(candidate.url)))
  const silent = without.filter((url) => read.has(pageKey(url)))
  const unopened = without.filter((url) => !read.has(pageKey(url)) && !asked.has(pageKey(url)))
  return together([
    silent.length === 0
      ? NOTHING
      : notWritten(
          "a4-sitemap",
          `${silent.length === 1 ? "A page does not say when it was" : `${grouped(silent.length)} pages do not say when they were`} changed, and the server does not either. Let your generator write \`lastmod\` from the date of the source.`,
          silent
        ),
    unopened.length === 0
      ? NOTHING
      : notWritten(
          "a4-sitemap",
          `We did not open ${unopened.length === 1 ? "1 page, so we do not know when it was" : `${grouped(unopened.length)} pages, so we do not know when they were`} changed. docgauge fix --all opens more pages.`,
          unopened
        )
  ])
}

const element = ({ lastmod, url }: Location): string =>
  `  <url><loc>${escapeMarkup(url)}</loc>${lastmod === null ? "" : `<lastmod>${lastmod}</lastmod>`}</url>\n`

const newSitemap = (url: string, locations: ReadonlyArray<Location>): Written => {
  const path = filePathOf(url)
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.map(element).join("")}</urlset>\n`
  return path === null ||
    !lists(
      text,
      locations.map(({ url }) => url)
    )
    ? NOTHING
    : onlyFile({ path, url, plugins: ["a4-sitemap"], text, completes: null })
}

/** A sitemap that can be edited, with absolute URLs: see `withUrlsOnly`. */
interface EditableSitemap extends AbsoluteLocations {
  readonly url: string
  readonly exchange: Answer
}

const editableOf = ({ exchange, url, verdict }: SitemapFile): ReadonlyArray<EditableSitemap> =>
  verdict === "urlset" && isOk(exchange) && !isGzip(exchange.body)
    ? [{ url, exchange, ...withUrlsOnly(textOf(exchange).text, url) }]
    : []

/** The file with more locations before its end, and dates in the entries that have none. */
const completed = (
  { exchange, remark, text: absolute, url }: EditableSitemap,
  added: ReadonlyArray<Location>,
  dates: ReadonlyMap<string, string>
): Written => {
  const { text } = textOf(exchange)
  const path = filePathOf(url)
  const end = absolute.lastIndexOf("</urlset>")
  if (path === null || end < 0) return NOTHING
  const dated = absolute
    .slice(0, end)
    .split(END_OF_ENTRY)
    .map((entry) => withDate(entry, dates))
    .join(END_OF_ENTRY)
  const next = `${dated}${added.map(element).join("")}${absolute.slice(end)}`
  const kept = parseSitemap(absolute, MOST_LOCATIONS)
  if (next === text || !lists(next, [...kept.locations.map(({ loc }) => loc), ...added.map(({ url }) => url)]))
    return NOTHING
  const refusal = whyNotCompleted(exchange)
  if (refusal !== null) return notWritten("a4-sitemap", `The sitemap ${refusal}`, [url])
  const remarks = [
    ...(remark === null ? [] : [remark]),
    ...foreignRemark(
      kept.locations.map(({ loc }) => loc),
      url
    )
  ]
  const file: GeneratedFile = {
    path,
    url,
    plugins: ["a4-sitemap"],
    text: next,
    completes: text,
    ...(remarks.length === 0 ? {} : { remark: remarks.join(" ") })
  }
  return onlyFile(file)
}

/** What is said of entries that name another host: they stay, and count where that host agrees (sitemaps.org, "Sitemaps & cross submits"). */
const foreignRemark = (locations: ReadonlyArray<string>, sitemap: string): ReadonlyArray<string> => {
  const { host } = new URL(sitemap)
  const foreign = locations.flatMap((loc) => URL.parse(loc)?.host ?? []).filter((other) => other !== host)
  const [first] = foreign
  if (first === undefined) return []
  return [
    foreign.length === 1
      ? `1 entry names another host (${first}) and is left as it is: in this sitemap it counts only if the robots.txt of that host names the sitemap. Correct the site's URL in your generator.`
      : `${grouped(foreign.length)} entries name another host (such as ${first}) and are left as they are: in this sitemap they count only if the robots.txt of that host names the sitemap. Correct the site's URL in your generator.`
  ]
}

const END_OF_ENTRY = "</url>"

interface AbsoluteLocations {
  readonly text: string
  /** The URLs that locations were resolved to. */
  readonly resolved: ReadonlyArray<string>
  /** What was changed, as a sentence; `null`: nothing. */
  readonly remark: string | null
}

/** The entries with absolute URLs, as the protocol wants them: a path is resolved against the sitemap's URL, and `None` is left out. What may be the name of another host is kept. */
const withUrlsOnly = (text: string, sitemap: string): AbsoluteLocations => {
  const entries = text.split(END_OF_ENTRY)
  const rest = entries.pop() ?? ""
  const resolved: Array<string> = []
  let removed = 0
  const kept = entries.map((entry) => {
    const start = entry.lastIndexOf("<url>")
    const loc = start < 0 ? null : locationIn(entry.slice(start))
    if (loc === null || /^[a-z][a-z0-9+.-]*:/i.test(loc) || isOnOtherHost(loc, sitemap))
      return `${entry}${END_OF_ENTRY}`
    const url = isNoUrl(loc) ? null : URL.parse(isOnHostOf(loc, sitemap) ? `//${loc}` : loc, sitemap)
    if (url === null) {
      removed++
      return entry.slice(0, start).trimEnd()
    }
    const absolute = `${entry.slice(0, start)}${entry.slice(start).replace(LOCATION, () => `<loc>${escapeMarkup(url.href)}</loc>`)}`
    if (absolute !== entry) resolved.push(url.href)
    return `${absolute}${END_OF_ENTRY}`
  })
  return {
    text: `${kept.join("")}${rest}`,
    resolved,
    remark: resolved.length + removed === 0 ? null : urlsRemark(resolved.length, removed)
  }
}

const firstSegment = (loc: string): string => loc.split("/", 1)[0] ?? ""

/** Whether a location is an absolute URL but for its scheme. */
const isOnHostOf = (loc: string, sitemap: string): boolean => firstSegment(loc).toLowerCase() === new URL(sitemap).host

/** Whether a location may begin with the name of another host: `index.html` is a file, `www.example.com/guide` may be either. */
const isOnOtherHost = (loc: string, sitemap: string): boolean =>
  loc.includes("/") && /^[\w-]+(?:\.[\w-]+)+$/.test(firstSegment(loc)) && !isOnHostOf(loc, sitemap)

const LOCATION = /<loc>[^<]*<\/loc>/

const locationIn = (entry: string): string | null =>
  parseSitemap(`<urlset>${entry}${END_OF_ENTRY}</urlset>`, 1).locations[0]?.loc ?? (LOCATION.test(entry) ? "" : null)

const urlsRemark = (resolved: number, removed: number): string => {
  const said = [
    ...(removed === 0
      ? []
      : [
          `${counted(removed, "entry", "entries")} without a URL (such as "None") ${removed === 1 ? "is" : "are"} left out`
        ]),
    ...(resolved === 0 ? [] : [`${counted(resolved, "relative location is", "relative locations are")} made absolute`])
  ]
  return `${said.join(", and ")}: your generator does not know the site's URL. Set it there.`
}

/** `entry`: the text up to the end of an entry. */
const withDate = (entry: string, dates: ReadonlyMap<string, string>): string => {
  const start = entry.lastIndexOf("<url>")
  if (start < 0 || /<lastmod[\s>/]/.test(entry.slice(start))) return entry
  const loc = parseSitemap(`<urlset>${entry.slice(start)}${END_OF_ENTRY}</urlset>`, 1).locations[0]?.loc ?? ""
  const date = URL.canParse(loc) ? dates.get(pageKey(loc)) : undefined
  return date === undefined
    ? entry
    : `${entry.slice(0, start)}${entry.slice(start).replace("</loc>", `</loc><lastmod>${date}</lastmod>`)}`
}

const lists = (text: string, urls: ReadonlyArray<string>): boolean => {
  const { kind, locations, malformed } = parseSitemap(text, MOST_LOCATIONS)
  const read = new Set(locations.map(({ loc }) => loc))
  return kind === "urlset" && malformed === 0 && urls.every((url) => read.has(url))
}
