import { onSite } from "../../evidence/Address.ts"
import { countedLanguage } from "../../page/code/CountedLanguage.ts"
import type { CodeBlock, Page, ShownOperation } from "../../page/Page.ts"
import { isAsideAddress } from "../address/PageUrl.ts"
import { sharedTitles, titleParts } from "../topics/SiteTitle.ts"

/** What the signs are read from. */
export interface DocumentedSite {
  readonly pages: ReadonlyArray<Page>
  readonly url: string
  /** The registrable domain. */
  readonly site: string
}

/** Documentation of a library or a server may show a request or two; that of an API shows more. */
const ENOUGH_OPERATIONS = 3
const ENOUGH_CALLS = 3

/**
 * Whether pages suggest that the product has an HTTP API: they show operations or calls of its own, or the site is named after
 * an API over HTTP. Requests to other hosts in the examples of a library are no sign. Names that say no more than `API` are those
 * of libraries' references, too (api.example.com, "Quill API"): they count where a page shows requests or statuses, or names the kind.
 */
export const suggestsHttpApi = (documented: DocumentedSite): boolean =>
  showsOperations(documented) ||
  showsCalls(documented) ||
  isNamedAfterHttpApi(documented) ||
  (isNamedApi(documented) && (showsRequest(documented) || namesKind(documented)))

const showsOperations = (documented: DocumentedSite): boolean =>
  new Set(
    ownPages(documented)
      .flatMap((page) => ownOperations(page, documented))
      .map(({ method, path }) => `${method} ${path}`)
  ).size >= ENOUGH_OPERATIONS

/** Posts of a blog may show operations of other products. */
const ownPages = ({ pages }: DocumentedSite): ReadonlyArray<Page> => pages.filter(({ url }) => !isAsideAddress(url))

const ownOperations = ({ operations }: Page, { site }: DocumentedSite): ReadonlyArray<ShownOperation> =>
  operations.filter(({ path }) => path.startsWith("/") || onSite(path, site))

/** What is searched of a block, in characters. */
const SEARCHED = 5_000

const CURL = /(?:^|[\s$`(])curl\s/m

/** Options that a download does without: method, header, body, user. */
const SENDS = /\s(?:-X|-H|-d|-u|-F|--(?:request|header|data|data-[a-z]{1,12}|json|form|user|url))[\s='"]/

const URLS = /https?:\/\/[^\s"'`<>)\\]{1,300}/g

const showsCalls = ({ pages, site }: DocumentedSite): boolean => {
  const calls = pages.flatMap(({ codeBlocks }) => codeBlocks).filter(isCall)
  return calls.length >= ENOUGH_CALLS || calls.some((call) => urlsIn(call).some((url) => onSite(url, site)))
}

const isCall = ({ text }: CodeBlock): boolean => {
  const start = text.slice(0, SEARCHED)
  return CURL.test(start) && SENDS.test(start)
}

const urlsIn = ({ text }: CodeBlock): ReadonlyArray<string> =>
  (text.slice(0, SEARCHED).match(URLS) ?? []).filter((url) => URL.canParse(url))

/** `/v1/orders`; documentation of a library has versions with a dot. */
const VERSIONED = /\/v\d{1,3}(?:\/|$)/i

const STATUS_LINE = /^HTTP\/[\d.]{1,3} [1-5]\d\d\b/m

/** In the first cell of a row. */
const STATUS_CODE = /^[2-5]\d\d$/
const ERROR_CODE = /^[45]\d\d$/

/** A page may mention a status or two of other services. */
const ENOUGH_ERRORS = 3

/** A call, an operation of a version of the API, an operation on a page with JSON or a status, or a table of statuses. */
const showsRequest = (documented: DocumentedSite): boolean =>
  ownPages(documented).some((page) => {
    const operations = ownOperations(page, documented)
    return (
      page.codeBlocks.some(
        (block) => isCall(block) || urlsIn(block).some((url) => onSite(url, documented.site) && VERSIONED.test(url))
      ) ||
      operations.some(({ path }) => VERSIONED.test(path)) ||
      (operations.length > 0 && showsResponse(page)) ||
      new Set(firstCells(page).filter((cell) => ERROR_CODE.test(cell))).size >= ENOUGH_ERRORS
    )
  })

const showsResponse = (page: Page): boolean =>
  page.codeBlocks.some(
    (block) => countedLanguage(block) === "json" || STATUS_LINE.test(block.text.slice(0, SEARCHED))
  ) || firstCells(page).some((cell) => STATUS_CODE.test(cell))

const firstCells = ({ tables }: Page): ReadonlyArray<string> =>
  tables.flatMap(({ rows }) => rows.flatMap((cells) => cells.slice(0, 1)))

/** A kind of API over HTTP; a library's reference is an API of another kind. */
const KIND = /\b(?:REST(?:ful)?|HTTP|Web|GraphQL|JSON-?RPC|SOAP|Server)[- ]APIs?\b/i

/** What is searched of a heading or the text of a link, in characters. */
const NAME = 200

/** A heading or link such as "REST API reference". */
const namesKind = (documented: DocumentedSite): boolean =>
  ownPages(documented).some(({ headings, links }) =>
    [...headings, ...links].some(({ text }) => KIND.test(text.slice(0, NAME)))
  )

/** `API` as a word, in scripts without spaces too. */
const API = /(?<![A-Za-z0-9])APIs?(?![A-Za-z0-9])/

/** `pix-api.example.com`, `/pix-api/`, `/user-api-doc/`. A folder `/api/` or `/apidocs/` alone may be a library's reference. */
const API_HOST = /^(?:[a-z0-9]+-)+apis?(?:-[a-z0-9]+)*$|^apis?(?:-[a-z0-9]+)+$/i
const API_FOLDER = /^(?:[a-z0-9]+-)+apis?(?:-(?:docs?|reference|ref))?$|^apis?-(?:docs?|reference|ref)$/i

/** `api.example.com` */
const API_HOST_ALONE = /^apis?$/i

const isNamedAfterHttpApi = ({ pages, url }: DocumentedSite): boolean => {
  const { hostname, pathname } = new URL(url)
  return (
    hostname.split(".").some((label) => API_HOST.test(label)) ||
    pathname.split("/").some((segment) => API_FOLDER.test(segment)) ||
    pages.some(({ title }) => KIND.test(title))
  )
}

const isNamedApi = ({ pages, url }: DocumentedSite): boolean => {
  const first = titleParts(pages[0]?.title ?? "")
  return (
    new URL(url).hostname.split(".").some((label) => API_HOST_ALONE.test(label)) ||
    [...first, ...sharedTitles(pages)].some((part) => API.test(part))
  )
}
