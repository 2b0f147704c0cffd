import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { flag } from "../../engine/criterion/Fact.ts"
import { pathShown } from "../../engine/criterion/Wording.ts"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { type Exchange, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import { trimEnd } from "../../engine/evidence/Trim.ts"
import type { Page } from "../../engine/site/Page.ts"
import { isNamedAfter, productNamesOf } from "../../engine/site/ProductName.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type JsonDocument, isJsonObject, jsonDocuments, type JsonObject, objectsAt, stringAt } from "./JsonDocument.ts"
import { initialize, isMcpServer } from "./McpEndpoint.ts"

/** An address that the site names as an MCP endpoint of this product, and where. */
interface Endpoint {
  readonly url: string
  readonly named: Exchange
}

/** Endpoints on the site that are asked. */
const ASKED = 2

/** F1: is there an MCP server for this product? */
export const f1McpServer = define({
  id: "f1-mcp-server",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    answering: flag("an endpoint on the site answers initialize, or 401 with protected-resource metadata"),
    card: flag("a valid server card at mcp.json or mcp/server-card.json"),
    documented_off_site: flag("llms.txt or the docs name an endpoint off the site as this product's server"),
    snippet: flag("an install snippet of its own server")
  },
  measure: Effect.fn("f1-mcp-server")(function*(site) {
    const places = ["mcp.json", "mcp/server-card.json"].map((name) => below(site.base.origin, `.well-known/${name}`))
    const cards = yield* site.getAll(places)
    const [first] = cards
    if (first === undefined || cards.every(isUnobtainable)) {
      return yield* new Unobtainable({ message: "The places of server cards could not be looked at.", exchange: first ?? site.base.exchange })
    }
    const documents = jsonDocuments(yield* site.canary, cards)
    const card = documents.find(({ value }) => value !== null && isServerCard(value))
    const endpoints = [...cardEndpoints(site, documents), ...(yield* documentedEndpoints(site))]
    const asked = distinct(endpoints.filter(({ url }) => onSite(url, site.base.site))).slice(0, ASKED)
    const answers = yield* Effect.forEach(asked, ({ url }) => initialize(site, url), { concurrency: "unbounded" })
    const verdicts = yield* Effect.forEach(answers, (answer) => isMcpServer(site, answer))
    const answering = answers.find((_, index) => verdicts[index] === true)
    const offSite = endpoints.find(({ url }) => !onSite(url, site.base.site))
    const snippet = yield* ownSnippet(site)
    const found: ReadonlyArray<Finding> = [
      ...(answering === undefined ? [] : [{ good: true, message: `An MCP server answers at ${answering.url}.`, proof: answering }]),
      ...(card === undefined ? [] : [{ good: true, message: `A server card lies at ${pathShown(card.answer.url)}.`, proof: card.answer }]),
      ...(offSite === undefined ? [] : [{ good: true, message: `${pathShown(offSite.named.url)} names the endpoint ${offSite.url}.`, proof: offSite.named }]),
      ...(snippet === null ? [] : [{ good: true, message: `${pathShown(snippet.url)} shows how to add the product's own server to a client.`, proof: snippet.answer }]),
      ...answers.flatMap((answer, index) => (verdicts[index] === true ? [] : [{ good: false, message: `${answer.url} is named as an MCP endpoint and does not answer as one.`, proof: answer }])),
      ...documents.filter(({ value }) => value === null || !isServerCard(value)).map(({ answer }) => ({ good: false, message: `${pathShown(answer.url)} is no valid server card.`, proof: answer }))
    ]
    const none: Finding = { good: false, message: "There is no server card, and no MCP server of this product is named in llms.txt or on the pages seen.", proof: first }
    return {
      facts: { answering: answering !== undefined, card: card !== undefined, documented_off_site: offSite !== undefined, snippet: snippet !== null },
      findings: [found[0] ?? none, ...found.slice(1)] as const
    }
  })
})

/** A card names the server and says how to reach or start it. */
const isServerCard = (value: JsonObject): boolean => {
  const info = isJsonObject(value["serverInfo"]) ? value["serverInfo"] : value
  const named = stringAt(info, "name") !== null && stringAt(info, "version") !== null
  const installable = ["install", "transports", "packages", "remotes"].some((key) =>
    isJsonObject(value[key]) || (Array.isArray(value[key]) && value[key].length > 0))
  return named && (installable || addressesIn(value).length > 0)
}

/** Addresses under the names that cards in use give them. */
const addressesIn = (value: JsonObject): ReadonlyArray<string> => {
  const transport = isJsonObject(value["transport"]) ? value["transport"] : {}
  const remotes = [...objectsAt(value, "remotes") ?? [], ...objectsAt(value, "transports") ?? [], ...objectsAt(value, "endpoints") ?? []]
  return [value, transport, ...remotes].flatMap((one) => ["endpoint", "url"].flatMap((key) => stringAt(one, key) ?? []))
}

const cardEndpoints = (site: Site, documents: ReadonlyArray<JsonDocument>): ReadonlyArray<Endpoint> =>
  documents.flatMap(({ answer, value }) =>
    (value === null ? [] : addressesIn(value)).flatMap((href) => {
      const url = site.resolve(href, answer.url)
      return url !== null && looksLikeEndpoint(url) && onSite(url, site.base.site) ? [{ url, named: answer }] : []
    }))

/** Hosts that stand for the reader's own machine, or for nobody. */
const NOBODY = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[.*\]|.*\.example|(?:.*\.)?example\.(?:com|org|net)|your-.*|.*\.(?:local|internal|test))$/i

/** A path segment `mcp` at the end, or a host `mcp.…` with nothing else behind it than `mcp` or `sse`. */
const looksLikeEndpoint = (url: string): boolean => {
  const { hostname, pathname } = new URL(url)
  if (NOBODY.test(hostname)) return false
  return /(?:^|\/)mcp(?:\/sse)?\/?$/i.test(pathname) || (/^mcp\./i.test(hostname) && /^\/(?:mcp|sse)?\/?$/i.test(pathname))
}

const ADDRESS = /https?:\/\/[^\s"'`<>()[\]{}\\,]{1,300}/g

/** Endpoints in links and code of pages, and in llms.txt: on the site, or off it and named after the product. */
const documentedEndpoints = Effect.fnUntraced(function*(site: Site): Effect.fn.Return<ReadonlyArray<Endpoint>> {
  const names = yield* serverNames(site)
  const { file } = yield* site.llmsTxt
  const pages = yield* pagesOf(site)
  const mentions = [
    ...(file === null ? [] : file.links.flatMap(({ url }) => (url === null ? [] : [{ url, named: file.answer }]))),
    ...pages.flatMap((page) => codeAddresses(page).map((url) => ({ url, named: page.answer })))
  ]
  return mentions.filter(({ url }) =>
    looksLikeEndpoint(url) && (onSite(url, site.base.site) || isNamedAfter(names, new URL(url).hostname)))
})

const pagesOf = Effect.fnUntraced(function*(site: Site): Effect.fn.Return<ReadonlyArray<Page>> {
  const { pages } = yield* site.sample
  return [...pages, ...(yield* site.subjects)].filter((page) => !page.saysNotFound)
})

const codeAddresses = (page: Page): ReadonlyArray<string> =>
  page.codeBlocks.flatMap(({ text }) => text.slice(0, 20_000).match(ADDRESS) ?? [])
    .map((address) => trimEnd(address, ".;:"))
    .filter((address) => URL.canParse(address))

/** The first of each URL: a site may name 45,000. */
const distinct = (endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<Endpoint> => {
  const seen = new Set<string>()
  return endpoints.filter(({ url }) => !seen.has(url) && seen.add(url))
}

/** Lines that add a server to a client, and the JSON that does the same. */
const ADDS_SERVER = /"mcpServers"\s*:|\b(?:claude|codex|gemini) mcp add\b|--add-mcp\b|"servers"\s*:\s*\{[^}]{0,200}"command"/

/** The page with an install snippet in which the server is named after the product. */
const ownSnippet = Effect.fnUntraced(function*(site: Site): Effect.fn.Return<Page | null> {
  const names = yield* serverNames(site)
  const pages = yield* pagesOf(site)
  return pages.find(({ codeBlocks }) => codeBlocks.some(({ text }) => isNamedAfter(names, addedServer(text.slice(0, 20_000))))) ?? null
})

/** What follows the words that add a server: its name, and the package or the address that it comes from. */
const ADDED_CHARACTERS = 300

const addedServer = (code: string): string => {
  const found = ADDS_SERVER.exec(code)
  return found === null ? "" : code.slice(found.index + found[0].length, found.index + ADDED_CHARACTERS)
}

/** Every server has "mcp" in its name; where the product is called so, that tells nothing. */
const serverNames = (site: Site): Effect.Effect<ReadonlySet<string>> =>
  Effect.map(productNamesOf(site), (names) => new Set([...names].filter((name) => name !== "mcp")))
