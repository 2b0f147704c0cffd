import * as Effect from "effect/Effect"
import { below, onSite, pageKey } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, isGone } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isNamedAfter, productNamesOf } from "../../engine/site/topics/ProductName.ts"
import type { AiCatalogFile } from "../../engine/site/wellknown/AiCatalog.ts"
import type { NotFoundProbe } from "../../engine/site/wellknown/FileVerdict.ts"
import { isJsonObject } from "../../engine/text/JsonText.ts"
import { trimEnd } from "../../engine/text/WhiteSpace.ts"
import { filledStringAt, jsonDocuments, type WellKnownJson } from "./WellKnownJson.ts"

/** Where cards were put before SEP-2127 let them be at any URL. */
const PLACES = ["mcp.json", "mcp/server-card.json", "mcp-server-card"]

/** Cards of a catalogue that are asked for. */
const LISTED = 2

/** The cards that the catalogue lists or, where it has none, the places of cards. */
export const CARD_REQUESTS = Math.max(PLACES.length, LISTED)

/** As SEP-2127 has it, and as the catalogue called it before. */
const CARD_TYPE = /^application\/mcp-server(?:-card)?\+json$/

/** What a site publishes of its MCP server for machines. */
interface ServerCards {
  /** Those that the catalogue lists, then those that it holds, else those at the places of cards; not all of them need be cards. */
  readonly documents: ReadonlyArray<ServerCard>
  /** All that was asked for, the catalogue first. */
  readonly exchanges: ReadonlyArray<Exchange>
  /** What the catalogue lists and is not there. */
  readonly gone: ReadonlyArray<Answer>
}

interface ServerCard extends WellKnownJson {
  /** It is not the whole document, but an entry of the catalogue. */
  readonly isHeld: boolean
}

/** Server cards that the site's AI catalogue lists, as SEP-2127 has it; where it has none, those at the places before that. */
export const serverCards = Effect.fnUntraced(function* (
  site: Site,
  notFoundProbe: NotFoundProbe
): Effect.fn.Return<ServerCards> {
  const catalogue = yield* site.aiCatalog
  const { held, urls } = catalogue.file === null ? { held: [], urls: [] } : cardsIn(site, catalogue.file)
  const isListed = held.length + urls.length > 0
  const places = PLACES.map((name) => below(site.base.origin, `.well-known/${name}`))
  const exchanges = yield* site.getAll(isListed ? urls.slice(0, LISTED) : places)
  const whole = jsonDocuments(notFoundProbe, exchanges).map((document) => ({ ...document, isHeld: false }))
  return {
    documents: [...whole, ...held],
    exchanges: [...catalogue.exchanges, ...exchanges],
    gone: isListed ? exchanges.filter(isGone) : []
  }
})

/** Server cards of a catalogue: those that it holds, and the URLs on the site of those that it lists. */
const cardsIn = (
  site: Site,
  { answer, entries }: AiCatalogFile
): { readonly held: ReadonlyArray<ServerCard>; readonly urls: ReadonlyArray<string> } => {
  const cards = entries.filter((entry) => CARD_TYPE.test(filledStringAt(entry, "type") ?? ""))
  return {
    held: cards.flatMap(({ data }) => (isJsonObject(data) ? [{ answer, value: data, isHeld: true }] : [])),
    urls: cards.flatMap((entry) => {
      const href = filledStringAt(entry, "url")
      const url = href === null ? null : site.resolve(href, answer.url)
      return url !== null && onSite(url, site.base.site) ? [url] : []
    })
  }
}

/** A URL that the site names as an MCP endpoint or a package of this product, and the exchange that names it. */
export interface Endpoint {
  readonly url: string
  readonly named: Exchange
}

/** Hosts of the reader's own machine, and placeholders. */
const PLACEHOLDER_HOST =
  /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[.*\]|.*\.example|(?:.*\.)?example\.(?:com|org|net)|your-.*|.*\.(?:local|internal|test))$/i

/** The path ends in a segment `mcp`, or the host is `mcp.…` and the path is empty, `mcp` or `sse`. */
export const looksLikeEndpoint = (url: string): boolean =>
  !PLACEHOLDER_HOST.test(new URL(url).hostname) &&
  (/(?:^|\/)mcp(?:\/sse)?\/?$/i.test(new URL(url).pathname) || isOnServerHost(url))

const isOnServerHost = (url: string): boolean =>
  /^mcp\./i.test(new URL(url).hostname) && /^\/(?:mcp|sse)?\/?$/i.test(new URL(url).pathname)

/** In a text, a URL such as `/docs/mcp` may be that of a page about the server. */
const isPlainEndpoint = (url: string): boolean =>
  looksLikeEndpoint(url) && (isOnServerHost(url) || /^\/mcp(?:\/sse)?\/?$/i.test(new URL(url).pathname))

const URLS = /https?:\/\/[^\s"'`<>()[\]{}\\,]{1,300}/g

interface Mention extends Endpoint {
  /** Named as an endpoint: in code, or by a URL that is hardly that of a page. */
  readonly isExplicit: boolean
}

/** Endpoints in the code and the text of pages and in llms.txt, on the site or on a host named after the product. */
export const mentionedEndpoints = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<ReadonlyArray<Mention>> {
  const names = yield* serverNames(site)
  const { file } = yield* site.llmsTxt
  const pages = yield* pagesOf(site)
  const read = new Set(pages.map(({ url }) => pageKey(url)))
  const isPlain = (url: string): boolean => isPlainEndpoint(url) && !read.has(pageKey(url))
  const mentions = [
    ...(file === null
      ? []
      : file.links.flatMap(({ url }) => (url === null ? [] : [{ url, named: file.answer, isExplicit: isPlain(url) }]))),
    ...pages.flatMap((page) => [
      ...page.codeBlocks
        .flatMap(({ text }) => urlsOf(text))
        .map((url) => ({ url, named: page.answer, isExplicit: true })),
      ...page.main.segments
        .flatMap(urlsOf)
        .filter(isPlain)
        .map((url) => ({ url, named: page.answer, isExplicit: true }))
    ])
  ]
  return mentions.filter(
    ({ url }) => looksLikeEndpoint(url) && (onSite(url, site.base.site) || isNamedAfter(names, new URL(url).hostname))
  )
})

/** The pages that are searched. */
export const pagesOf = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<ReadonlyArray<Page>> {
  const { pages } = yield* site.sample
  return [...pages, ...(yield* site.topicPages)].filter((page) => !page.saysNotFound)
})

/** Most texts have no URL, so that is looked for first. */
const urlsOf = (text: string): ReadonlyArray<string> =>
  (text.includes("://") ? (text.slice(0, 20_000).match(URLS) ?? []) : [])
    .map((url) => trimEnd(url, ".;:"))
    .filter((url) => URL.canParse(url))

/** Every server has "mcp" in its name, so a product called so cannot be told by it. */
export const serverNames = (site: Site): Effect.Effect<ReadonlySet<string>> =>
  Effect.map(productNamesOf(site), (names) => new Set([...names].filter((name) => name !== "mcp")))
