import { onSite } from "../../evidence/Address.ts"
import type { CodeBlock, Page } from "../../page/Page.ts"
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
 * an API. Requests to other hosts in the examples of a library are no sign.
 */
export const suggestsHttpApi = (documented: DocumentedSite): boolean =>
  showsOperations(documented) || showsCalls(documented) || isNamedAfterApi(documented)

/** Posts of a blog may show operations of other products. */
const showsOperations = ({ pages, site }: DocumentedSite): boolean => {
  const paths = pages.filter(({ url }) => !isAsideAddress(url)).flatMap(({ operations }) => operations)
    .filter(({ path }) => path.startsWith("/") || onSite(path, site))
  return new Set(paths.map(({ method, path }) => `${method} ${path}`)).size >= ENOUGH_OPERATIONS
}

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

const urlsIn = ({ text }: CodeBlock): ReadonlyArray<string> => (text.slice(0, SEARCHED).match(URLS) ?? []).filter((url) => URL.canParse(url))

/** A kind of API over HTTP; a library's reference is an API of another kind. */
const KIND = /\b(?:REST(?:ful)?|HTTP|Web|GraphQL|JSON-?RPC|SOAP|Server)[- ]APIs?\b/i

/** `API` as a word, in scripts without spaces too; not the reference of a library. */
const API = /(?<![A-Za-z0-9])APIs?(?![A-Za-z0-9])(?! (?:reference|documentation|docs)\b)/

/** `api.example.com`, `/pix-api/`, `/user-api-doc/`. A folder `/api/` or `/apidocs/` alone may be a library's reference. */
const API_HOST = /^(?:[a-z0-9]+-)*apis?(?:-[a-z0-9]+)*$/i
const API_FOLDER = /^(?:[a-z0-9]+-)+apis?(?:-(?:docs?|reference|ref))?$|^apis?-(?:docs?|reference|ref)$/i

const isNamedAfterApi = ({ pages, url }: DocumentedSite): boolean => {
  const { hostname, pathname } = new URL(url)
  const first = titleParts(pages[0]?.title ?? "")
  return hostname.split(".").some((label) => API_HOST.test(label))
    || pathname.split("/").some((segment) => API_FOLDER.test(segment))
    || [...first, ...sharedTitles(pages)].some((part) => API.test(part))
    || pages.some(({ title }) => KIND.test(title))
}
