import { namesVersion } from "./VersionFolders.ts"

/** What a URL alone says of the page behind it. */
export type AddressVerdict = "page" | "not_a_page" | "error_page" | "search" | "login" | "print" | "listing"

/** Endings of documents that are pages to read. */
const PAGE_ENDINGS = new Set(["html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "md", "mdx", "markdown"])

/** An ending is taken for one only where it looks like a file's: `.ts` does, the `.1` of `v2.1` does not. */
const ENDING = /\.([a-z][a-z0-9]{0,9})$/i

/** Library and runtime names that end like a file: `/docs/node.js`, `/guides/next.js`. */
const NAMED_LIKE_FILES = /^[a-z]+\.(?:js|net|io|ai)$/i

/** Below these folders of an API reference, `tags` or `login` is what a page documents. */
const REFERENCE_FOLDER = /^(?:(?:rest-?)?api(?:-(?:reference|docs?))?|rest|references?)$/i

/** What no page of documentation is named. One named `error` may list errors: it is told by what it says (`saysNotFound`). */
const ERROR_STATUS = /^(?:404|500)$/
const ERROR_SEGMENT = /^(?:not-found|notfound|page-not-found)$/i
const SEARCH_SEGMENT =
  /^(?:search|search-results|genindex(?:-[a-z0-9_]{1,20})?|[a-z]{1,20}-modindex|[a-z]{1,20}-routingtable)$/i
const LOGIN_SEGMENT = /^(?:login|log-in|signin|sign-in|signup|sign-up|logout|sign-out|register|password-reset)$/i
const PRINT_SEGMENT = /^(?:print|_print|printable|print_page)$/i

/** Folders that hold listings by tag or author, and feeds. */
const LISTING_FOLDER = /^(?:tags?|categor(?:y|ies)|authors?|feeds?)$/i

/** The same, and generated source views, by names that no API resource has. */
const GENERATED_FOLDER = /^(?:rss|atom|_modules|_sources|wp-json)$/i

const PAGING = /\/page\/\d{1,6}\/?$|^(?:\/(?:blog|news|posts))?\/page\d{1,6}(?:\/(?:index\.html)?)?$/i

/** The menu of mdBook, which it shows in a frame where there is no JavaScript. */
const MENU_FILE = /^toc\.html$/i

/** Lists of a blog's posts by year or month. */
const BLOG_ARCHIVE = /\/(?:blog|news|posts)\/archives?(?:\/|\.html$|$)/i

/** Tells pages of documentation from what else has a URL. */
export const judgeAddress = (url: string): AddressVerdict => {
  const { pathname, search } = new URL(url)
  if (search !== "") return "not_a_page"
  const segments = pathname.split("/").filter((segment) => segment !== "")
  if (segments.some((segment) => segment.startsWith("."))) return "not_a_page"
  const last = segments.at(-1) ?? ""
  const ending = ENDING.exec(last)?.[1]?.toLowerCase()
  if (ending !== undefined && !PAGE_ENDINGS.has(ending) && !NAMED_LIKE_FILES.test(last) && !namesVersion(last))
    return "not_a_page"
  const aside = asideOf(segments, stemOf(last))
  if (aside !== null) return aside
  if (segments.some((segment) => PRINT_SEGMENT.test(stemOf(segment)))) return "print"
  return PAGING.test(pathname) || BLOG_ARCHIVE.test(pathname) || MENU_FILE.test(last) || isListing(segments)
    ? "listing"
    : "page"
}

/** What the last segment, whose stem is `name`, says of a page beside the documentation. */
const asideOf = (segments: ReadonlyArray<string>, name: string): "error_page" | "search" | "login" | null => {
  const folders = segments.slice(0, -1)
  const inReference = folders.some(isReferenceFolder)
  if (ERROR_STATUS.test(name) || (!inReference && ERROR_SEGMENT.test(name))) return "error_page"
  // Generators write /reference/search.html as the search form of a whole site.
  if (SEARCH_SEGMENT.test(name) && !(inReference && /^search$/i.test(segments.at(-1) ?? ""))) return "search"
  return LOGIN_SEGMENT.test(name) && !folders.some(isDocumentedFolder) ? "login" : null
}

const isReferenceFolder = (segment: string): boolean => REFERENCE_FOLDER.test(segment)

/** A path that starts with `/api/` may be the site's own endpoint, such as /api/auth/login. */
const isDocumentedFolder = (segment: string, index: number): boolean =>
  isReferenceFolder(segment) && (index > 0 || !/^api$/i.test(segment))

const isListing = (segments: ReadonlyArray<string>): boolean => {
  const reference = segments.findIndex(isReferenceFolder)
  const unlessResource = reference === -1 ? segments : segments.slice(0, reference)
  return (
    segments.some((segment) => GENERATED_FOLDER.test(segment)) ||
    unlessResource.some((segment) => LISTING_FOLDER.test(segment))
  )
}

const stemOf = (segment: string): string => {
  const ending = ENDING.exec(segment)?.[1]?.toLowerCase()
  return ending !== undefined && PAGE_ENDINGS.has(ending) ? segment.slice(0, -ending.length - 1) : segment
}

const ASIDE =
  /\/(?:blogs?|posts?|case-stud(?:y|ies)|customers|stories|press|legal|privacy|terms|[\w-]{0,40}terms|terms-of-(?:service|use)|showcase)(?:\/|\.\w{2,8}$|$)/i

/** Other people's products. */
const OTHERS = /\/third[-_]party[\w-]*(?:\/|\.\w{2,8}$|$)/i

/** Documentation speaks in pages; these speak of customers, news and law, or of other people's products. */
export const isAsideAddress = (url: string): boolean => speaksOfOwner(url) || OTHERS.test(new URL(url).pathname)

/** Whether an address is one of customers, news and law: other people's products may be part of how to use this one. */
export const speaksOfOwner = (url: string): boolean => ASIDE.test(new URL(url).pathname)

/** Language codes that documentation is published under; rarer ones are too often something else (`ts`, `os`, `ml`). */
const LANGUAGES = new Set(
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja jp ko kr lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk ur vi zh cn tw".split(
    " "
  )
)

const LOCALE = /^([a-z]{2})(?:[-_]([a-z]{2}|[a-z]{4}))?$/i

/** Country codes that URLs use for a language. */
const BY_COUNTRY: Readonly<Record<string, string>> = { jp: "ja", kr: "ko", cn: "zh", tw: "zh" }

/** The language that a path segment such as `de`, `pt-BR` or `zh_Hans` names; `null` where it names none. */
export const languageOf = (segment: string): string | null => {
  const code = LOCALE.exec(segment)?.[1]?.toLowerCase()
  return code !== undefined && LANGUAGES.has(code) ? (BY_COUNTRY[code] ?? code) : null
}

/** The language in one of the first two segments of a path. */
export const languageIn = (path: string): string | null =>
  path
    .split("/")
    .filter((segment) => segment !== "")
    .slice(0, 2)
    .map(languageOf)
    .find((language) => language !== null) ?? null
