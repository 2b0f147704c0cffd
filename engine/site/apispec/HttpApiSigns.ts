import { onSite, siteOf } from "../../evidence/Address.ts"
import { countedLanguage } from "../../page/code/CountedLanguage.ts"
import type { CodeBlock, Page, ShownOperation } from "../../page/Page.ts"
import { isAsideAddress } from "../address/PageUrl.ts"
import { sharedTitles, titleParts } from "../topics/ProductName.ts"

/** What the signs are read from. */
interface DocumentedSite extends OwnServers {
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
  /\b(?:REST(?:ful)?|HTTP|Web|GraphQL|JSON-?RPC|SOAP|Server)[- ]?APIs?\b|\bAPIs? (?:REST(?:ful)?|HTTP|Web|GraphQL|SOAP)\b|\bGraphQL schema (?:docs?|documentation|reference)\b|\b(?:REST(?:ful)?|HTTP) ?(?:接口|介面|インターフェース|インタフェース|인터페이스)/i

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

/** What is searched of a block, in characters. */
const SEARCHED = 5_000

const searched = ({ text }: Pick<CodeBlock, "text">): string => text.slice(0, SEARCHED)

const CURL = /(?:^|[\s$`(])curl\s/m

/** Options that a download does without: method, header, body, user. */
const SENDS = /\s(?:-X|-H|-d|-u|-F|--(?:request|header|data|data-[a-z]{1,12}|json|form|user|url))[\s=']/

/** HTTPie and xh: `http POST example.com/orders`. */
const COMMAND = /^\s{0,8}(?:\$ )?(?:https?|xhs?) (?:GET|POST|PUT|PATCH|DELETE) \S/m

/** A command that sends a request. */
const isCommand = (block: Pick<CodeBlock, "text">): boolean => {
  const start = searched(block)
  return (CURL.test(start) && SENDS.test(start)) || COMMAND.test(start)
}

const URLS = /https?:\/\/[^\s"'`)\\]{1,300}|["'`]\$?\{[\w.]{1,60}\}\/[^\s"'`)\\]{1,300}/g

/** Addresses in a block, those on servers that users name among them. */
const addressesIn = (block: Pick<CodeBlock, "text">): ReadonlyArray<string> =>
  (searched(block).match(URLS) ?? []).map((address) => address.replace(/^["'`]/, ""))

/** Clients of HTTP by language; what is called after one is its own library. */
const CLIENTS: ReadonlyArray<readonly [name: string, use: RegExp]> = [
  ["requests", /\brequests\b/],
  ["httpx", /\bhttpx\b/],
  ["aiohttp", /\baiohttp\b/],
  ["urllib", /\burllib\d?\b|\bhttp\.client\b/],
  ["fetch", /\bfetch\s?\(|\bXMLHttpRequest\b|\$\.(?:ajax|get|post|getJSON)\(/],
  ["axios", /\baxios\b/],
  ["superagent", /\bsuperagent\b/],
  ["got", /\bgot(?:\.(?:get|post|put|patch|delete))?\(/],
  ["ky", /\bky\.(?:get|post|put|patch|delete)\(/],
  ["go", /\bhttp\.(?:NewRequest(?:WithContext)?|Get|Post|PostForm)\(/],
  ["java", /\bHttp(?:Client|Request|URLConnection|Post|Get|Put|Delete)\b|\bRestTemplate\b|\bUnirest\b|\bWebClient\b/],
  ["okhttp", /\bOkHttpClient\b/],
  ["retrofit", /\bRetrofit\b/],
  ["php", /\bcurl_(?:init|setopt|exec)\b|\bfile_get_contents\(/],
  ["guzzle", /\bGuzzleHttp\b/],
  ["ruby", /\bNet::HTTP\b/],
  ["faraday", /\bFaraday\b/],
  ["httparty", /\bHTTParty\b/],
  ["restclient", /\bRestClient\b/],
  ["restsharp", /\bRestSharp\b|\bRestRequest\b/],
  ["flurl", /\bFlurl\b/],
  ["reqwest", /\breqwest\b/],
  ["ureq", /\bureq\b/],
  ["httr", /\bhttr2?::/],
  ["swift", /\bURLSession\b/],
  ["powershell", /\bInvoke-(?:RestMethod|WebRequest)\b/i],
  ["curl", CURL]
]

const usesClient = (text: string, { names }: OwnServers): boolean =>
  CLIENTS.some(([name, use]) => !names.has(name) && use.test(text))

/** An address of an API and not of a page: by its host, or by a segment. */
const API_URL =
  /^https?:\/\/(?:[\w-]{1,60}\.){0,3}(?:[\w-]{1,40}-)?(?:apis?|rest|graphql|gateway|rpc)\d?(?:-[\w-]{1,40})?\./i
const API_PATH = /^[^?#]{0,300}?\/(?:apis?|rest|graphql|rpc|v\d{1,3})(?:[/?#]|$)/i

const isApiAddress = (address: string): boolean => API_URL.test(address) || API_PATH.test(address)

/** Something that no request for a page has. */
const SENDS_MORE =
  /\b(?:Authorization|Bearer|x-api-key|api[-_]?key)\b|\bmethod["']?\s{0,4}[:=]{1,2}\s{0,4}["'](?:POST|PUT|PATCH|DELETE)|\.(?:post|put|patch|delete)\(|["'](?:POST|PUT|PATCH|DELETE)["']/i

/**
 * Addresses of the product's API that a block calls by a client of HTTP: one of an API's form on its own domain, one that is sent a
 * credential or a change, or any path on a user's server.
 */
const calledAddresses = (block: Pick<CodeBlock, "text">, own: OwnServers, docsHost: string): CalledAddresses => {
  const text = searched(block)
  const addresses = addressesIn(block)
  if (addresses.length === 0 || !usesClient(text, own)) return { own: [], users: [] }
  const sendsMore = SENDS_MORE.test(text)
  return {
    own: addresses.filter(
      (address) =>
        isOnOwnServer(address, own) &&
        (isApiAddress(address) || (sendsMore && URL.parse(address)?.hostname !== docsHost))
    ),
    users: addresses.filter((address) => isUsersServer(address) && hasPath(address))
  }
}

interface CalledAddresses {
  readonly own: ReadonlyArray<string>
  readonly users: ReadonlyArray<string>
}

/** What tells a product's own servers from others'. */
interface OwnServers {
  /** The registrable domain. */
  readonly site: string
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
}

/** `https://HOST/PATH`, `{base}/PATH`, `localhost:8080/PATH` */
const HOST = /^(?:https?:\/\/)?([^/?#]{0,300})/i

const VARIABLE = /[{}<>$]/
const LOCAL =
  /^(?:(?!testserver)[\w-]+|[\w.-]+\.(?:localhost|local|internal|lan))(?::\d{1,5})?$|^\[[\da-f:]+\](?::\d{1,5})?$|^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/i

/** A server that each user runs or names: `localhost`, an IP address, `{tenant}.example.com`, `$HOST`. */
const isUsersServer = (address: string): boolean => {
  const host = HOST.exec(address)?.[1] ?? ""
  return VARIABLE.test(host) || LOCAL.test(host)
}

/** Beside a host, something that is called on it. */
const hasPath = (address: string): boolean => address.length > (HOST.exec(address)?.[0] ?? "").length + 1

/** A path, an address of the site's or of a domain that is called like the product, or one on a user's server. */
const isOwnAddress = (address: string, own: OwnServers): boolean =>
  address.startsWith("/") || isUsersServer(address) || isOnOwnServer(address, own)

const isOnOwnServer = (address: string, { names, site }: OwnServers): boolean => {
  if (onSite(address, site)) return true
  const domain = siteOf(URL.parse(address)?.hostname ?? "").split(".", 1)[0] ?? ""
  return domain.length >= SHORTEST_NAME && (names.has(domain) || domain === site.split(".", 1)[0])
}

/** Shorter names may be anybody's, in characters. */
const SHORTEST_NAME = 4
