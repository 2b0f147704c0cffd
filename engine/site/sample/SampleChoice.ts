import { pageKey } from "../../evidence/Address.ts"
import { isReferenceWord } from "../../page/Page.ts"
import { isMarkdownUrl, withoutMarkdownEnding, withoutPageEnding } from "../../text/UrlPath.ts"
import { type AddressVerdict, judgeAddress, languageIn } from "../address/PageUrl.ts"
import { isInForceAmong, namesVersion } from "../address/VersionFolders.ts"
import type { Base } from "../base/Derivation.ts"
import { evenStride } from "../base/EvenStride.ts"

/** A URL as it was found. */
export interface FoundUrl {
  readonly url: string
  readonly source: CandidateSource
}

/** Candidates, sorted by URL, the base first. */
interface Candidates {
  readonly list: ReadonlyArray<Candidate>
  /** The base and every page of its host that was found, also in other languages, versions and folders. */
  readonly known: ReadonlyArray<Candidate>
  readonly excluded: Readonly<Partial<Record<Exclusion, number>>>
  readonly withinPrefix: boolean
}

/** Below this many candidates under the prefix, the folder around it counts, and so on up to the whole host. */
const ENOUGH_WITHIN_PREFIX = 5

const byUrl = (one: Candidate, other: Candidate): number => (one.url < other.url ? -1 : one.url > other.url ? 1 : 0)

/** Sifts what was found: pages of this host, this language and this version, each once. The order of `foundUrls` does not matter. */
export const candidatesOf = (base: Base, foundUrls: ReadonlyArray<FoundUrl>): Candidates => {
  const excluded: Partial<Record<Exclusion, number>> = {}
  const found = merge(base, foundUrls)
  const keep = (reason: Exclusion | null): boolean => {
    if (reason !== null) excluded[reason] = (excluded[reason] ?? 0) + 1
    return reason === null
  }
  const here = new URL(base.url)
  const onHost = found.filter(({ url }) => keep(new URL(url).host === here.host ? null : "off_host"))
  const pages = withoutMarkdownVersions(onHost.filter((candidate) => keep(exclusionOf(judgeAddress(candidate.url)))))
  const isSpoken = isOfLanguage(base)
  const spoken = pages.filter(({ url }) => keep(isSpoken(url) ? null : "other_locale"))
  const isInForce = isInForceAmong(
    here.pathname,
    spoken.map(({ url }) => new URL(url).pathname)
  )
  const current = spoken.filter(({ url }) => keep(isInForce(new URL(url).pathname) ? null : "other_version"))
  const within = foldersAround(base.prefix)
    .map((folder) => current.filter(({ url }) => isBelow(url, folder)))
    .find((below) => below.length >= ENOUGH_WITHIN_PREFIX)
  const withinPrefix = within !== undefined
  if (withinPrefix && within.length < current.length) excluded.outside_prefix = current.length - within.length
  const own = new Set([base.url, base.audited, ...base.redirects.map(({ url }) => url)].map(pageKey))
  const rest = (within ?? current).filter(({ url }) => !own.has(pageKey(url))).sort(byUrl)
  const first = found.find(({ url }) => pageKey(url) === pageKey(base.url))
  const start: Candidate = { url: base.url, sources: first?.sources ?? ["base"] }
  const known = [start, ...pages.filter(({ url }) => !own.has(pageKey(url))).sort(byUrl)]
  return { list: [start, ...rest], known, excluded, withinPrefix }
}

const SOURCES: ReadonlyArray<CandidateSource> = ["base", "llms.txt", "sitemap", "base page", "crawl", "configuration"]

/** The URL by the base's scheme: links written before the site used https lead to the same pages. */
export const asServed = (base: Pick<Base, "url">, address: string): string => {
  const { host, protocol } = new URL(base.url)
  const url = new URL(address)
  return protocol === "https:" && url.protocol === "http:" && url.host === host
    ? `https:${address.slice("http:".length)}`
    : address
}

/** The other spelling of a page that is a file: `/a` and `/a.html`. */
const spelledOtherwise = (url: string): string =>
  url.endsWith(".html") ? url.slice(0, -".html".length) : `${url}.html`

/**
 * One candidate for each page; of several spellings, the one that the first source uses, and of those the least. Of `/a` and
 * `/a.html`, it is the one in the sitemap.
 */
const merge = (base: Base, foundUrls: ReadonlyArray<FoundUrl>): ReadonlyArray<Candidate> => {
  const served = foundUrls.map(({ source, url }) => ({ url: asServed(base, url), source }))
  const listed = new Set(served.flatMap(({ source, url }) => (source === "sitemap" ? [url] : [])))
  const asListed = (url: string): string => {
    const other = spelledOtherwise(url)
    return !listed.has(url) && listed.has(other) ? other : url
  }
  const ranked = [
    { url: base.url, source: "base" } as const,
    ...served.map(({ source, url }) => ({ url: asListed(url), source }))
  ].sort((one, other) => SOURCES.indexOf(one.source) - SOURCES.indexOf(other.source) || (one.url < other.url ? -1 : 1))
  const byKey = new Map<string, { readonly url: string; readonly sources: Set<CandidateSource> }>()
  for (const { source, url } of ranked) {
    const key = pageKey(url)
    const known = byKey.get(key) ?? { url, sources: new Set() }
    known.sources.add(source)
    byKey.set(key, known)
  }
  return [...byKey.values()].map(({ sources, url }) => ({ url, sources: [...sources] }))
}

const exclusionOf = (verdict: AddressVerdict): Exclusion | null => (verdict === "page" ? null : verdict)

/** The base's prefix, then each folder around it, without the root of the host: `/docs/latest/`, `/docs/`. */
const foldersAround = (prefix: string): ReadonlyArray<string> => {
  const segments = prefix.split("/").filter((segment) => segment !== "")
  return segments.map((_, index) => `/${segments.slice(0, segments.length - index).join("/")}/`)
}

const isBelow = (url: string, folder: string): boolean =>
  `${new URL(url).pathname}/`.replace("//", "/").startsWith(folder)

/** Whether the path of a URL names no other language than that of the base. */
export const isOfLanguage = (base: Base): ((url: string) => boolean) => {
  const language = languageIn(new URL(base.url).pathname) ?? baseLanguage(base)
  return (url) => {
    const own = languageIn(new URL(url).pathname)
    return own === null || own === language
  }
}

/** The base page's language, English where it names none. */
const baseLanguage = ({ page }: Base): string => languageIn(`/${page?.lang ?? ""}`) ?? "en"

/** With at least this many pages, Markdown files count as versions of pages or as no pages; with fewer, as the pages. */
const PAGES_BESIDE_MARKDOWN = 5

/** Minimum number of page/Markdown pairs before the URL pattern is trusted for other pages. */
const TEACHERS = 2

/**
 * Leaves out Markdown files where the site has pages. Where some of them lie beside their page (`a.md` beside `a`, `a/`
 * or `a.html`), they teach where the pages of the others are; a site of Markdown files alone has them for pages.
 */
const withoutMarkdownVersions = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const pages = candidates.filter(({ url }) => !isMarkdownUrl(url))
  const files = candidates.filter(({ url }) => isMarkdownUrl(url))
  const known = new Set(pages.map(({ url }) => url))
  const taught = PAGE_ENDINGS.map((ending) => ({
    ending,
    times: files.filter(({ url }) => known.has(pageOf(url, ending))).length
  }))
  const best = taught.reduce((one, other) => (other.times > one.times ? other : one))
  if (best.times < TEACHERS) return pages.length < PAGES_BESIDE_MARKDOWN ? candidates : pages
  const paired = new Set(
    files.flatMap(({ url }) => (PAGE_ENDINGS.some((ending) => known.has(pageOf(url, ending))) ? [url] : []))
  )
  const named = files
    .filter(({ url }) => !paired.has(url))
    .map((file) => ({ ...file, url: pageOf(file.url, best.ending) }))
  return [...pages, ...named]
}

/** The extensions that a page's URL may have where its Markdown file has `.md`. */
const PAGE_ENDINGS = ["", "/", ".html"] as const

const pageOf = (file: string, ending: (typeof PAGE_ENDINGS)[number]): string => {
  const url = new URL(file)
  const stem = withoutMarkdownEnding(url.pathname)
    .replace(/\.html$/i, "")
    .replace(/\/index$/, ending === ".html" ? "/index" : "")
  url.pathname = `${stem}${ending}`
  return url.href
}

/**
 * The sample: the base, then an even stride over the other candidates, sorted by URL. A section is a run of that list,
 * so its share of the picks is its share of the candidates, to within a page; but a third are guides, where there are as many.
 * Release notes, archives and obsolete trees fill the places that are left. Pages that the configuration names come first, by an even stride if they are too many.
 */
export const pickSample = (
  candidates: ReadonlyArray<Candidate>,
  size: number,
  named: ReadonlyArray<Candidate> = []
): ReadonlyArray<Candidate> => {
  const [base, ...others] = candidates
  if (base === undefined) return []
  const fixed = evenStride(
    distinct(named).filter(({ url }) => pageKey(url) !== pageKey(base.url)),
    Math.max(0, size - 1)
  )
  const taken = new Set(fixed.map(({ url }) => pageKey(url)))
  const rest = others.filter(({ url }) => !taken.has(pageKey(url)))
  const places = Math.max(0, size - 1 - fixed.length)
  const past = new Set(rest.filter(({ url }) => isPastPage(url, base.url)))
  const present = rest.filter((candidate) => !past.has(candidate))
  const picks = [
    ...withGuides(present, base.url, places),
    ...evenStride([...past], Math.max(0, places - present.length))
  ]
  return [base, ...[...fixed, ...picks].sort(byUrl)]
}

/** Of this share of the places at least, guides are picked. */
const GUIDES = 1 / 3

/** An even stride; where guides would be fewer than a third of it, one over them and one over the pages of single operations. */
const withGuides = (pages: ReadonlyArray<Candidate>, base: string, places: number): ReadonlyArray<Candidate> => {
  const own = new Set(segmentsOf(base))
  const operations = new Set(pages.filter(({ url }) => isOperationUrl(url, own)))
  const guides = pages.filter((page) => !operations.has(page))
  const least = Math.min(guides.length, Math.ceil(places * GUIDES))
  return pages.length <= places || guides.length * places >= least * pages.length
    ? evenStride(pages, places)
    : [...evenStride(guides, least), ...evenStride([...operations], places - least)]
}

/** Generators name the page of an operation after it. */
const OPERATION_NAME =
  /^(?!get(?:ting)?-?started)(?:get|post|put|patch|delete|list|create|update|retrieve|remove|fetch|find|cancel)(?:[-_]|[A-Z]|$)/

/** Below a folder of the reference, as its index is not, or named after an operation. */
const isOperationUrl = (url: string, own: ReadonlySet<string>): boolean => {
  const segments = segmentsOf(url).filter((segment) => segment !== "" && !own.has(segment))
  const folders = segments.slice(0, -1)
  return folders.some(isReferenceWord) || OPERATION_NAME.test(segments.at(-1) ?? "")
}

const distinct = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> =>
  [...new Map(candidates.map((candidate) => [pageKey(candidate.url), candidate])).values()].sort(byUrl)

/** Folders and pages of release notes, archives and documentation that is no longer kept up. */
const PAST_SEGMENT =
  /^(?:release[-_]?notes?|relnotes|releases|change[-_]?logs?|what[-_]?s[-_]?new|archived?|archives|(?:legacy|obsolete|old)(?:[-_][\w-]{1,60})?)$/i

/**
 * Whether a URL is that of release notes, an archive or an obsolete tree, unless the base is in the same one. Pages below
 * `/releases/1.7.0/` are the documentation of that release.
 *
 * @param base the base's URL.
 */
const isPastPage = (url: string, base: string): boolean => {
  const own = new Set(segmentsOf(base))
  const segments = segmentsOf(url).filter((segment) => segment !== "")
  return segments.some(
    (segment, at) =>
      PAST_SEGMENT.test(segment) &&
      !own.has(segment) &&
      !(/^releases$/i.test(segment) && namesVersion(segments[at + 1] ?? "") && at + 2 < segments.length)
  )
}

const segmentsOf = (url: string): ReadonlyArray<string> => new URL(url).pathname.split("/").map(withoutPageEnding)

/** Where the URL of a page was found; the first of several in this order. */
export type CandidateSource = "base" | "llms.txt" | "sitemap" | "base page" | "crawl" | "configuration"

/** A page that could be in the sample. */
export interface Candidate {
  readonly url: string
  /** Every place that named it, in the order of `CandidateSource`. */
  readonly sources: ReadonlyArray<CandidateSource>
}

/** Why a URL that was found is no candidate, or no page of the sample. */
export const EXCLUSIONS = [
  "off_host",
  "outside_prefix",
  "not_a_page",
  "error_page",
  "search",
  "login",
  "print",
  "listing",
  "other_locale",
  "other_version"
] as const

export type Exclusion = (typeof EXCLUSIONS)[number]
