import type { SpecSource } from "../../apispec/ApiSpec.ts"
import { type Json, listAt, stringAt } from "../../apispec/text/Json.ts"
import { below, normalise, onSite } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import type { Ask } from "../../evidence/Collector.ts"
import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import type { Page, SpecViewer } from "../../page/Page.ts"
import { parsedJson } from "../../text/JsonText.ts"
import type { Base, GatherContext } from "../base/Derivation.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"

/** A URL that is said to be an API description's, and where that was said. */
export interface SpecMention {
  readonly url: string
  readonly source: SpecSource
  readonly by: Exchange
  /** The link's text; empty where there is none. */
  readonly text: string
  /** How many operations the page shows that names it. */
  readonly operations: number
}

/** Some generators serve a Markdown version of every file, JSON too: `openapi.json.md`. */
const DESCRIPTION_FILE = /\.(?:json|ya?ml|graphqls?|gql)(?:\.(?:md|txt))?$/i

/** In a file's name, its folder or a link's text: what makes a JSON or YAML file an API description. */
const DESCRIPTION_WORD =
  /open[-_ ]?api|swagger|async[-_ ]?api|open[-_ ]?rpc|postman[-_ .]?collection|\boas[23]?\b|\bapi[-_. ]?(?:docs?|spec(?:ification)?|description|definition|schema)\b|\bgraphql[-_ ]?schema\b|\bschema\.(?:graphqls?|gql)$/i

const DESCRIPTION_WORDS = new RegExp(DESCRIPTION_WORD.source, "gi")

/** Collections of other people's descriptions, and the samples that every tool's manual links to. */
const FOREIGN =
  /(?:^|\.)(?:apis\.guru|petstore\d?\.swagger\.io|redocly\.github\.io|json\.schemastore\.org|schemastore\.org|spec\.openapis\.org)$/i

/** Media types that are registered for descriptions, and what they are served as before that. */
const DESCRIPTION_TYPE = /^application\/(?:vnd\.oai\.openapi|openapi|vnd\.aai\.asyncapi|swagger)(?:[+;.]|$)/i

/** What every such URL contains; few others do. */
const MAY_LEAD_THERE = /\.(?:json|ya?ml|graphqls?|gql)|\/api-docs/i

/** "Run in Postman": the collection is on the site of Postman, and read there only. */
const RUN_IN_POSTMAN =
  /^https:\/\/(?:app\.getpostman\.com\/run-collection|god\.gw\.postman\.com\/run-collection|(?:www\.)?run\.pstmn\.io|(?:www\.)?postman\.com\/run-collection)\/[\w-]{4,}/i

/** Whether a link leads to a description, by its file's name or, where that is of a fitting kind, by the link's text. */
const leadsToDescription = (url: string, text: string): boolean => {
  if (!MAY_LEAD_THERE.test(url)) return false
  const parsed = URL.parse(url)
  if (parsed === null || FOREIGN.test(parsed.hostname)) return false
  const path = parsed.pathname.toLowerCase()
  if (/\.(?:graphqls|gql)$/.test(path) || /\/v[23]\/api-docs$/.test(path)) return true
  const names = path.split("/").slice(-3).join("/")
  return DESCRIPTION_FILE.test(path) && (DESCRIPTION_WORD.test(names) || DESCRIPTION_WORD.test(text))
}

/** The site as far as it tells its own files from others'. */
export interface Owner {
  /** The registrable domain. */
  readonly site: string
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
}

/** In the order of the pages and of their content: `Link` headers and `<link>`s, links, viewers. */
export const pageMentions = (pages: ReadonlyArray<Page>, owner: Owner): ReadonlyArray<SpecMention> =>
  pages.flatMap((page) => {
    const operations = page.operations.length
    return [...announcedBy(page), ...linkedFrom(page, owner), ...viewerMentions(page, owner)].map((mention) => ({
      ...mention,
      operations
    }))
  })

type PlainMention = Omit<SpecMention, "operations">

const announcedBy = (page: Page): ReadonlyArray<PlainMention> =>
  page.announcements
    .filter(({ rel, type }) => rel.includes("service-desc") || DESCRIPTION_TYPE.test(type))
    .map(({ url, from }) => ({
      url,
      source: from === "header" ? "header" : "link",
      by: page.answer,
      text: ""
    }))

const linkedFrom = (page: Page, owner: Owner): ReadonlyArray<PlainMention> =>
  page.links.flatMap(({ text, url }): ReadonlyArray<PlainMention> => {
    if (RUN_IN_POSTMAN.test(url)) return [{ url, source: "link", by: page.answer, text }]
    if (leadsToDescription(url, text) && (onSite(url, owner.site) || isOwnElsewhere(url, text, owner)))
      return [{ url, source: "link", by: page.answer, text }]
    const shown = shownElsewhere(url)
    return shown !== null && onSite(shown, owner.site)
      ? [{ url: shown, source: "viewer", by: page.answer, text: "" }]
      : []
  })

const EXAMPLE_FOLDER = /\/(?:examples?|samples?|fixtures?|tests?|testdata)\//i

/**
 * Off the site, what its link's text calls a description, or a file that is called one and is in a folder or on a host of the product's name: a manual
 * links to many a JSON file of other people's.
 */
const isOwnElsewhere = (url: string, text: string, { names }: Owner): boolean => {
  if (DESCRIPTION_WORD.test(text)) return true
  const { hostname, pathname } = new URL(url)
  if (!DESCRIPTION_WORD.test(pathname.split("/").at(-1) ?? "") || EXAMPLE_FOLDER.test(pathname)) return false
  const place = `${hostname}${pathname}`.toLowerCase().replace(DESCRIPTION_WORDS, " ")
  const words = new Set(place.split(/[^\p{L}\p{N}]+/u))
  return [...names].some((name) => (name.length < TELLING ? words.has(name) : place.includes(name)))
}

/** A name that is long enough to be told inside another word, in characters. */
const TELLING = 5

/** `https://redocly.github.io/redoc/?url=https://example.com/openapi.json`: a viewer of others that shows a description of the site's. */
const shownElsewhere = (url: string): string | null => {
  if (!url.includes("url=")) return null
  const target = new URL(url).searchParams.get("url") ?? ""
  const shown = normalise(target, url)
  return shown !== null && leadsToDescription(shown, "") ? shown : null
}

/** What the viewers of a page, or a file of theirs, are set up to show. */
export const viewerMentions = (
  { answer, viewers }: Pick<Page, "answer" | "viewers">,
  { site }: Pick<Owner, "site">
): ReadonlyArray<SpecMention> =>
  viewers.flatMap((viewer) => {
    const url = viewer.url ?? takenFrom(viewer, site)
    return url === null ? [] : [{ url, source: "viewer" as const, by: answer, text: "", operations: 0 }]
  })

/**
 * Where on another site a viewer takes its description from, which is never fetched: the file that its script fetches, or what the URL is
 * known to begin with.
 */
const takenFrom = ({ computed, configuration }: SpecViewer, site: string): string | null => {
  const begins =
    configuration !== null && leadsToDescription(configuration, "")
      ? configuration
      : /^https?:\/\/[^/]{1,253}\//i.test(computed ?? "")
        ? normalise(computed ?? "")
        : null
  return begins === null || onSite(begins, site) ? null : begins
}

/** Only a running script knows what the viewer shows. */
export const isOpen = (viewer: SpecViewer, site: string): boolean =>
  viewer.url === null && viewer.inline === null && takenFrom(viewer, site) === null

/** Links of llms.txt and of the files that it links to, and bare URLs in their text. */
export const llmsMentions = (context: GatherContext, llmsTxt: LlmsTxt): ReadonlyArray<SpecMention> =>
  [...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested].flatMap((file) => {
    const links = file.links.flatMap(({ url, text, description }) =>
      url !== null && leadsToDescription(url, `${text} ${description}`) ? [{ url, text }] : []
    )
    const bare = bareAddresses(textOf(file.answer).text).flatMap((href) => {
      const url = context.resolve(href, file.url)
      return url !== null && leadsToDescription(url, "") ? [{ url, text: "" }] : []
    })
    return [...links, ...bare].map((named): SpecMention => ({
      ...named,
      source: "llms.txt",
      by: file.answer,
      operations: 0
    }))
  })

const TEXT_LIMIT = 500_000

const bareAddresses = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, TEXT_LIMIT)
    .match(/https?:\/\/[^\s<>()[\]"'`|]{1,500}\.(?:json|ya?ml|graphqls?|gql)(?:\.(?:md|txt))?\b/gi) ?? []

/** A linkset (RFC 9264) is small. */
const CATALOG_BYTES = 1_000_000
const LINKS_READ = 200

/** The descriptions that `/.well-known/api-catalog` (RFC 9727) names: `service-desc` of each API, in document order. */
export const catalogMentions = (context: GatherContext, exchange: Exchange): ReadonlyArray<SpecMention> => {
  if (!isOk(exchange) || exchange.cut || exchange.body.byteLength > CATALOG_BYTES) return []
  const contexts = listAt(parsed(exchange.body), "linkset").slice(0, LINKS_READ)
  return contexts
    .flatMap((linked) => listAt(linked, "service-desc").map((link) => stringAt(link, "href")))
    .flatMap((href) => {
      const url = href === "" ? null : context.resolve(href, exchange.url)
      return url === null ? [] : [url]
    })
    .slice(0, LINKS_READ)
    .map((url) => ({ url, source: "catalog", by: exchange, text: "", operations: 0 }))
}

/** What a JSON text says is JSON by definition. */
const parsed = (bytes: Uint8Array): Json => (parsedJson(new TextDecoder().decode(bytes)) ?? null) as Json

/** RFC 9727: where a site lists its APIs. Every reader requests it with the same headers, so that it is fetched once. */
export const catalogAsk = (base: Base): Ask => ({
  url: below(base.origin, ".well-known/api-catalog"),
  accept: "application/linkset+json, application/json;q=0.9"
})

/**
 * URLs of descriptions that no page announces: the defaults of common frameworks (`openapi.json`: FastAPI, Hono, Mintlify, Huma;
 * `swagger.json`: Swagger's own tools, ASP.NET; `v3/api-docs`: Spring; `api/openapi.json`: Next, Nuxt and others below `/api`), and
 * `openapi.yaml` for a file maintained by hand. Likeliest first.
 */
export const wellKnownUrls = (base: Base): ReadonlyArray<string> => {
  const own = base.folder === `${base.origin}/` ? [] : [base.folder]
  const places = [base.origin, ...own]
  const addresses = [
    ...places.map((place) => below(place, "openapi.json")),
    ...places.map((place) => below(place, "openapi.yaml")),
    ...places.map((place) => below(place, "swagger.json")),
    below(base.origin, "v3/api-docs"),
    below(base.origin, "api/openapi.json")
  ]
  return addresses.flatMap((address) => normalise(address) ?? [])
}
