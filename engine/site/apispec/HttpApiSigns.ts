import { onSite } from "../../evidence/Address.ts"
import { countedLanguage } from "../../page/code/CountedLanguage.ts"
import type { Page, ShownOperation } from "../../page/Page.ts"
import { isAsideAddress } from "../address/PageUrl.ts"
import { sharedTitles, titleParts } from "../topics/SiteTitle.ts"
import { isOnOwnServer, isOwnAddress, type OwnServers } from "./OwnAddress.ts"
import { addressesIn, calledAddresses, isApiAddress, isCommand, searched } from "./ShownCalls.ts"

/** What the signs are read from. */
export interface DocumentedSite extends OwnServers {
  /** Every page that the audit has read, the first one first. */
  readonly pages: ReadonlyArray<Page>
  readonly url: string
}

/** Documentation of a library or a server may show a request or two; that of an API shows more. */
const ENOUGH_OPERATIONS = 3
const ENOUGH_CALLS = 3

/**
 * Whether pages suggest that the product has an HTTP API: they show operations or calls of its own, or the site is named after
 * an API over HTTP. Requests to other hosts in the examples of a library are no sign. Names that say no more than `API` are those
 * of libraries' references, too (api.example.com, "Quill API"): they count where a page shows requests or statuses, or names the kind.
 */
export const suggestsHttpApi = (given: DocumentedSite): boolean => {
  // Posts of a blog may show operations of other products.
  const documented = { ...given, pages: given.pages.filter(({ url }) => !isAsideAddress(url)) }
  return (
    showsOperations(documented) ||
    showsCalls(documented) ||
    isNamedAfterHttpApi(documented) ||
    (isNamedApi(documented) && documented.pages.some((page) => showsRequest(page, documented) || namesKind(page))) ||
    documented.pages.some((page) => isOfApi(page) && showsOwnRequest(page, documented)) ||
    documented.pages.some((page) => isTitled(page, KIND) && showsRequest(page, documented))
  )
}

const showsOperations = (documented: DocumentedSite): boolean =>
  new Set(
    documented.pages.flatMap((page) => ownOperations(page, documented)).map(({ method, path }) => `${method} ${path}`)
  ).size >= ENOUGH_OPERATIONS

const ownOperations = ({ operations }: Page, own: OwnServers): ReadonlyArray<ShownOperation> =>
  operations.filter(({ path }) => isOwnAddress(path, own))

/** Three commands that send something, or one to the product's own server; client code that calls it, or three paths of a user's server. */
const showsCalls = (documented: DocumentedSite): boolean => {
  const blocks = documented.pages.flatMap(({ codeBlocks }) => codeBlocks)
  const commands = blocks.filter(isCommand)
  if (commands.length >= ENOUGH_CALLS) return true
  if (commands.some((block) => addressesIn(block).some((address) => isOnOwnServer(address, documented)))) return true
  if (blocks.some((block) => addressesIn(block).some((address) => isSignedIn(address, documented)))) return true
  const { hostname } = new URL(documented.url)
  const called = blocks.map((block) => calledAddresses(block, documented, hostname))
  return called.some(({ own }) => own.length > 0) || new Set(called.flatMap(({ users }) => users)).size >= ENOUGH_CALLS
}

/** A key or a signature in the query of an API's URL. */
const CREDENTIAL =
  /[?&](?:(?:api|app|access|subscription)[-_]?(?:key(?:[-_]?id)?|token|id)|(?:x-(?:amz|goog)-)?(?:credential|signature)|sign)=/i

const isSignedIn = (address: string, documented: DocumentedSite): boolean =>
  CREDENTIAL.test(address) && isApiAddress(address) && isOnOwnServer(address, documented)

/** `/v1/orders`; documentation of a library has versions with a dot. */
const VERSIONED = /\/v\d{1,3}(?:\/|$)/i

const STATUS_LINE = /^HTTP\/[\d.]{1,3} [1-5]\d\d\b/m

/** In the first cell of a row. */
const STATUS_CODE = /^[2-5]\d\d$/
const ERROR_CODE = /^[45]\d\d$/

/** A page may mention a status or two of other services. */
const ENOUGH_ERRORS = 3

/** A request of the product's own, or a table of statuses. */
const showsRequest = (page: Page, documented: DocumentedSite): boolean =>
  page.codeBlocks.some(isCommand) ||
  showsOwnRequest(page, documented) ||
  new Set(firstCells(page).filter((cell) => ERROR_CODE.test(cell))).size >= ENOUGH_ERRORS

/** A URL or operation of a version of the API, or an operation on a page with JSON or a status. */
const showsOwnRequest = (page: Page, documented: DocumentedSite): boolean => {
  const operations = ownOperations(page, documented)
  return (
    page.codeBlocks.some((block) =>
      addressesIn(block).some((address) => onSite(address, documented.site) && VERSIONED.test(address))
    ) ||
    operations.some(({ path }) => VERSIONED.test(path)) ||
    (operations.length > 0 && showsResponse(page))
  )
}

const showsResponse = (page: Page): boolean =>
  page.codeBlocks.some((block) => countedLanguage(block) === "json" || STATUS_LINE.test(searched(block))) ||
  firstCells(page).some((cell) => STATUS_CODE.test(cell))

const firstCells = ({ tables }: Page): ReadonlyArray<string> =>
  tables.flatMap(({ rows }) => rows.flatMap((cells) => cells.slice(0, 1)))

/** A kind of API over HTTP, in the order of words of any of our languages; a library's reference is an API of another kind. */
const KIND =
  /\b(?:REST(?:ful)?|HTTP|Web|GraphQL|JSON-?RPC|SOAP|Server)[- ]?APIs?\b|\bAPIs? (?:REST(?:ful)?|HTTP|Web|GraphQL|SOAP)\b|\b(?:REST(?:ful)?|HTTP) ?(?:接口|介面|インターフェース|インタフェース|인터페이스)/i

/** What is searched of a heading, the text of a link or a short block, in characters. */
const NAME = 200
const SHORT = 60

/** A heading, link, cell or item such as "REST API reference". */
const namesKind = ({ headings, links, main }: Page): boolean =>
  [...headings, ...links].some(({ text }) => saysKind(text.slice(0, NAME))) ||
  main.segments.some((text) => text.length <= SHORT && saysKind(text))

const saysKind = (text: string): boolean => KIND.test(text) && !DOING.test(text)

const isTitled = ({ title }: Page, name: RegExp): boolean => name.test(title.slice(0, NAME))

/** Guides of clients and frameworks to other people's APIs: "Calling a REST API", "How to build HTTP APIs". */
const DOING =
  /^(?:how to |(?:build|call|consum|creat|mock|test|wrap|us|mak|writ|develop|connect|integrat|handl|design|access|work)(?:e|ing|ting|ling)?\b)/i

/** The same: "REST API with Quill", "Clients of HTTP APIs". */
const OF_OTHERS = /\b(?:with|from|your|clients?|servers?|frameworks?|librar(?:y|ies)|of the|APIs)\b/i

/** The title is the name of an API over HTTP: "Orders REST API". */
const isNamedKind = ({ title }: Page): boolean =>
  titleParts(title.slice(0, NAME)).some((part) => KIND.test(part) && !DOING.test(part) && !OF_OTHERS.test(part))

/** `API` as a word, in scripts without spaces too. */
const API = /(?<![A-Za-z0-9])APIs?(?![A-Za-z0-9])/

/** `pix-api.example.com`, `/pix-api/`, `/user-api-doc/`. A folder `/api/` or `/apidocs/` alone may be a library's reference. */
const API_HOST = /^(?:[a-z0-9]+-)+apis?(?:-[a-z0-9]+)*$|^apis?(?:-[a-z0-9]+)+$/i
const API_FOLDER = /^(?:[a-z0-9]+-)+apis?(?:-(?:docs?|reference|ref))?$|^apis?-(?:docs?|reference|ref)$/i

/** On any page; `/composition-api/` is what a library calls a part of itself. */
const KIND_FOLDER =
  /^(?:rest(?:ful)?|http|web|graphql|json-?rpc|soap)-?apis?(?:-(?:docs?|reference|ref))?$|^apis?-(?:rest(?:ful)?|http|graphql)$/i

/** `api.example.com` */
const API_HOST_ALONE = /^apis?$/i

/** `/api/`, `/docs/rest/` */
const API_FOLDER_ALONE = /^(?:apis?|rest|endpoints?)$/i

const isNamedAfterHttpApi = ({ pages, url }: DocumentedSite): boolean => {
  const { hostname, pathname } = new URL(url)
  return (
    hostname.split(".").some((label) => API_HOST.test(label)) ||
    pathname.split("/").some((segment) => API_FOLDER.test(segment)) ||
    pages.some((page) => isNamedKind(page) || hasFolder(page, KIND_FOLDER))
  )
}

const hasFolder = ({ url }: Page, folder: RegExp): boolean =>
  new URL(url).pathname.split("/").some((segment) => folder.test(segment))

/** A page by whose title or URL an API is documented there, a library's maybe. */
const isOfApi = (page: Page): boolean => isTitled(page, API) || hasFolder(page, API_FOLDER_ALONE)

const isNamedApi = ({ pages, url }: DocumentedSite): boolean => {
  const first = titleParts(pages[0]?.title ?? "")
  return (
    new URL(url).hostname.split(".").some((label) => API_HOST_ALONE.test(label)) ||
    [...first, ...sharedTitles(pages)].some((part) => API.test(part) && !DOING.test(part))
  )
}
