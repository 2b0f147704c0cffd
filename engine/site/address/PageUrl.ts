import { VERSION_SEGMENT } from "./VersionSegment.ts"

/** What a URL alone says of the page behind it. */
export type AddressVerdict = "page" | "not_a_page" | "error_page" | "search" | "login" | "print" | "listing"

/** Endings of documents that are pages to read. */
const PAGE_ENDINGS = new Set(["html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "md", "mdx", "markdown"])

/** An ending is taken for one only where it looks like a file's: `.ts` does, the `.1` of `v2.1` does not. */
const ENDING = /\.([a-z][a-z0-9]{0,9})$/i

/** Library and runtime names that end like a file: `/docs/node.js`, `/guides/next.js`. */
const NAMED_LIKE_FILES = /^[a-z]+\.(?:js|net|io|ai)$/i

const ERROR_SEGMENT = /^(?:404|500|error|not-found|notfound|page-not-found)$/i
const SEARCH_SEGMENT = /^(?:search|genindex|py-modindex|search-results)$/i
const LOGIN_SEGMENT = /^(?:login|log-in|signin|sign-in|signup|sign-up|logout|sign-out|register|password-reset)$/i
const PRINT_SEGMENT = /^(?:print|_print|printable|print_page)$/i

/** Folders that hold listings by tag, author or date, feeds, and generated source views. */
const LISTING_FOLDER = /^(?:tags?|categor(?:y|ies)|authors?|topics|feeds?|rss|atom|_modules|_sources|wp-json)$/i

const PAGING = /\/page\/\d{1,6}\/?$/i

/** Tells pages of documentation from what else has a URL. */
export const judgeAddress = (url: string): AddressVerdict => {
  const { pathname, search } = new URL(url)
  if (search !== "") return "not_a_page"
  const segments = pathname.split("/").filter((segment) => segment !== "")
  if (segments.some((segment) => segment.startsWith("."))) return "not_a_page"
  const last = segments.at(-1) ?? ""
  const ending = ENDING.exec(last)?.[1]?.toLowerCase()
  if (ending !== undefined && !PAGE_ENDINGS.has(ending) && !NAMED_LIKE_FILES.test(last) && !VERSION_SEGMENT.test(last)) return "not_a_page"
  const name = stemOf(last)
  if (ERROR_SEGMENT.test(name)) return "error_page"
  if (SEARCH_SEGMENT.test(name)) return "search"
  if (LOGIN_SEGMENT.test(name)) return "login"
  if (segments.some((segment) => PRINT_SEGMENT.test(stemOf(segment)))) return "print"
  if (PAGING.test(pathname) || LISTING_FOLDER.test(last) || segments.slice(0, -1).some((segment) => LISTING_FOLDER.test(segment))) return "listing"
  return "page"
}

const stemOf = (segment: string): string => {
  const ending = ENDING.exec(segment)?.[1]?.toLowerCase()
  return ending !== undefined && PAGE_ENDINGS.has(ending) ? segment.slice(0, -ending.length - 1) : segment
}

const ASIDE = /\/(?:blogs?|posts?|case-stud(?:y|ies)|customers|stories|press|legal|privacy|terms|[\w-]{0,40}terms|terms-of-(?:service|use)|showcase|third[-_]party[\w-]*)(?:\/|\.\w{2,8}$|$)/i

/** Documentation speaks in pages; these speak of customers, news and law, or of other people's products. */
export const isAsideAddress = (url: string): boolean => ASIDE.test(new URL(url).pathname)
