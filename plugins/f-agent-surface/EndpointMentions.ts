import * as Effect from "effect/Effect"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { isNamedAfter, productNamesOf } from "../../engine/site/topics/ProductName.ts"
import type { Site } from "../../engine/site/Site.ts"
import { trimEnd } from "../../engine/text/WhiteSpace.ts"

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
