import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { enumerated, pathShown } from "../../engine/plugin/Wording.ts"
import { onSite } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { isNamedAfter } from "../../engine/site/topics/ProductName.ts"
import { missingAmong } from "../../engine/site/sample/Sample.ts"
import { isMissingFile } from "../../engine/site/wellknown/FileVerdict.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonText.ts"
import { filledObjectsAt, filledStringAt, type WellKnownJson } from "./WellKnownJson.ts"
import {
  CARD_REQUESTS,
  type Endpoint,
  looksLikeEndpoint,
  mentionedEndpoints,
  pagesOf,
  serverCards,
  serverNames
} from "./NamedEndpoints.ts"
import { ENDPOINT_REQUESTS, endpointVerdict, initialize } from "./McpEndpoint.ts"

/** Maximum number of endpoints on the site to contact. */
const ASKED = 2

/** F1: the product has an MCP server. */
export const f1McpServer = define({
  id: "f1-mcp-server",
  revision: 3,
  budget: { requests: CARD_REQUESTS + ASKED * ENDPOINT_REQUESTS, megabytes: 0.5 },
  params: Schema.Struct({}),
  facts: {
    answering: flag(
      "an endpoint on the site answers `initialize` or `server/discover`, or returns 401 with protected-resource metadata about it"
    ),
    card: flag("the site has a valid server card at a usual place, or one that its AI catalogue lists"),
    documented: flag("llms.txt or a page names an endpoint as this product's server, on the site or elsewhere"),
    snippet: flag("a page has an install snippet for the product's own server"),
    package: flag("llms.txt or a page links to a package of the product's own server")
  },
  measure: Effect.fn("f1-mcp-server")(function* (site) {
    const notFoundProbe = yield* site.notFoundProbe
    const { documents, exchanges: cards, gone } = yield* serverCards(site, notFoundProbe)
    const first = cards[0] ?? site.base.exchange
    const card = documents.find(({ value }) => value !== null && isServerCard(value))
    const mentions = yield* mentionedEndpoints(site)
    const endpoints = [...cardEndpoints(site, documents), ...mentions]
    const asked = distinct(endpoints.filter(({ url }) => onSite(url, site.base.site))).slice(0, ASKED)
    const answers = yield* Effect.forEach(asked, ({ url }) => initialize(site, url), { concurrency: "unbounded" })
    const verdicts = yield* Effect.forEach(answers, (answer) => endpointVerdict(site, answer))
    const index = verdicts.findIndex(({ isServer }) => isServer)
    const answering = answers[index]
    const documented = mentions.find(({ isExplicit }) => isExplicit)
    const snippet = yield* ownSnippet(site)
    const linked = yield* ownPackage(site)
    const found: ReadonlyArray<Finding> = [
      ...(answering === undefined
        ? []
        : [
            {
              good: true,
              message: `An MCP server answers at ${answering.url}.`,
              proof: verdicts[index]?.proof ?? answering
            }
          ]),
      ...(card === undefined
        ? []
        : [
            {
              good: true,
              message: `${pathShown(card.answer.url)} ${card.isHeld ? "holds" : "is"} a valid server card.`,
              proof: card.answer
            }
          ]),
      ...(documented === undefined
        ? []
        : [
            {
              good: true,
              message: `${pathShown(documented.named.url)} names the MCP endpoint ${documented.url}.`,
              proof: documented.named
            }
          ]),
      ...(snippet === null
        ? []
        : [
            {
              good: true,
              message: `${pathShown(snippet.url)} shows how to add the product's own server to a client.`,
              proof: snippet.answer
            }
          ]),
      ...(linked === null
        ? []
        : [
            {
              good: true,
              message: `${pathShown(linked.named.url)} links to ${linked.url}, a package of the product's own server.`,
              proof: linked.named
            }
          ]),
      ...verdicts.flatMap(({ fault, isServer, missing, proof }, place): ReadonlyArray<Finding> => {
        const url = answers[place]?.url ?? proof.url
        if (isServer) return []
        const message =
          fault === null
            ? missing.length > 0
              ? `${url} is named as an MCP endpoint; whether it is one could not be checked.`
              : `${url} is named as an MCP endpoint, but does not answer as one.`
            : `${url} is named as an MCP endpoint and asks for a token, but ${pathShown(proof.url)} is not its protected-resource metadata: ${fault}.`
        return [{ good: false, message, proof }]
      }),
      ...gone.map((answer) => ({
        good: false,
        message: `The AI catalogue lists a server card at ${pathShown(answer.url)}, which returns ${answer.status}.`,
        proof: answer
      })),
      ...documents
        .filter(({ value }) => value === null || !isServerCard(value))
        .map(({ answer, isHeld }) => ({
          good: false,
          message: `${pathShown(answer.url)} ${isHeld ? "holds a server card that is not valid" : "is not a valid server card"}.`,
          proof: answer
        }))
    ]
    const none: Finding = {
      good: false,
      message:
        "We found no MCP server card, and neither llms.txt nor the pages we read name an MCP server of this product.",
      proof: first
    }
    const partial: Finding = {
      good: false,
      message: `No MCP server answers on this site. We found ${enumerated([
        ...(card === undefined ? [] : ["a server card"]),
        ...(documented === undefined ? [] : ["the URL of an endpoint"]),
        ...(snippet === null ? [] : ["an install snippet"]),
        ...(linked === null ? [] : ["a package"])
      ])}.`,
      proof: answers[0] ?? found[0]?.proof ?? first
    }
    const facts = {
      answering: answering !== undefined,
      card: card !== undefined,
      documented: documented !== undefined,
      snippet: snippet !== null,
      package: linked !== null
    }
    const unread = yield* missingText(site)
    const lostCards = cards.filter((card) => isMissingFile(notFoundProbe, card))
    const lost = [...lostCards, ...verdicts.flatMap(({ missing }) => missing)]
    const isSure = (known: boolean): boolean => unread.missing.length === 0 || (known && unread.isSampleKnown)
    return {
      facts,
      uncertain: {
        answering: eitherUnless(facts.answering || (lost.length === 0 && isSure(false))),
        card: eitherUnless(facts.card || lostCards.length === 0),
        documented: eitherUnless(isSure(facts.documented)),
        snippet: eitherUnless(isSure(facts.snippet)),
        package: eitherUnless(isSure(facts.package))
      },
      unanswered: [...lost, ...unread.missing],
      findings:
        answering !== undefined || found.every(({ good }) => !good)
          ? ([found[0] ?? none, ...found.slice(1)] as const)
          : ([partial, ...found] as const)
    }
  })
})

/** A card names the server and says how to reach or start it. */
const isServerCard = (value: JsonObject): boolean => {
  const info = isJsonObject(value["serverInfo"]) ? value["serverInfo"] : value
  const named = filledStringAt(info, "name") !== null && filledStringAt(info, "version") !== null
  const installable = ["install", "transports", "packages", "remotes"].some(
    (key) => isJsonObject(value[key]) || (Array.isArray(value[key]) && value[key].length > 0)
  )
  return named && (installable || urlsIn(value).length > 0)
}

/** URLs under the keys that published cards use. */
const urlsIn = (value: JsonObject): ReadonlyArray<string> => {
  const transport = isJsonObject(value["transport"]) ? value["transport"] : {}
  const remotes = [
    ...(filledObjectsAt(value, "remotes") ?? []),
    ...(filledObjectsAt(value, "transports") ?? []),
    ...(filledObjectsAt(value, "endpoints") ?? [])
  ]
  return [value, transport, ...remotes].flatMap((one) =>
    ["endpoint", "url"].flatMap((key) => filledStringAt(one, key) ?? [])
  )
}

const cardEndpoints = (site: Site, documents: ReadonlyArray<WellKnownJson>): ReadonlyArray<Endpoint> =>
  documents.flatMap(({ answer, value }) =>
    (value === null ? [] : urlsIn(value)).flatMap((href) => {
      const url = site.resolve(href, answer.url)
      return url !== null && looksLikeEndpoint(url) && onSite(url, site.base.site) ? [{ url, named: answer }] : []
    })
  )

/** Missing responses to what is searched for the names of servers. With another sample, other names would have been found. */
const missingText = Effect.fnUntraced(function* (
  site: Site
): Effect.fn.Return<{ readonly missing: ReadonlyArray<Exchange>; readonly isSampleKnown: boolean }> {
  const { missing, visits } = yield* site.sample
  const topics = yield* site.topicSearch
  const llmsTxt = yield* site.llmsTxt
  return {
    missing: [...llmsTxt.missing, ...missing, ...missingAmong(visits), ...topics.missing],
    isSampleKnown: missing.length === 0
  }
})

/** The first of each URL: a site may name 45,000. */
const distinct = (endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<Endpoint> => {
  const seen = new Set<string>()
  return endpoints.filter(({ url }) => !seen.has(url) && seen.add(url))
}

/** Lines that add a server to a client, and the JSON that does the same. */
const ADDS_SERVER =
  /"mcpServers"\s*:|\b(?:claude|codex|gemini) mcp add\b|--add-mcp\b|"servers"\s*:\s*\{[^}]{0,200}"command"/

/** The first page with an install snippet whose server is named after the product. */
const ownSnippet = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Page | null> {
  const names = yield* serverNames(site)
  const pages = yield* pagesOf(site)
  return (
    pages.find(({ codeBlocks }) =>
      codeBlocks.some(({ text }) => isNamedAfter(names, addedServer(text.slice(0, 20_000))))
    ) ?? null
  )
})

/** Length of the snippet from the words that add a server: its name, and its package or URL. */
const ADDED_CHARACTERS = 300

const addedServer = (code: string): string => {
  const found = ADDS_SERVER.exec(code)
  return found === null ? "" : code.slice(found.index + found[0].length, found.index + ADDED_CHARACTERS)
}

/** The first link to a package that is an MCP server by its name, and the product's. */
const ownPackage = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Endpoint | null> {
  const names = yield* serverNames(site)
  const { file } = yield* site.llmsTxt
  const pages = yield* pagesOf(site)
  const links = [
    ...(file === null ? [] : file.links.flatMap(({ url }) => (url === null ? [] : [{ url, named: file.answer }]))),
    ...pages.flatMap((page) => page.links.map(({ url }) => ({ url, named: page.answer })))
  ]
  return links.find(({ url }) => isServerPackage(names, url)) ?? null
})

/** Pages of packages at registries; their names follow. */
const PACKAGE_PAGE =
  /^https?:\/\/(?:(?:www\.)?npmjs\.com\/package\/|pypi\.org\/(?:project|p)\/|(?:www\.)?jsr\.io\/|crates\.io\/crates\/|rubygems\.org\/gems\/|(?:www\.)?nuget\.org\/packages\/|packagist\.org\/packages\/|pkg\.go\.dev\/|hub\.docker\.com\/r\/|ghcr\.io\/)([^?#]{1,200})/i

/** Whether a URL is the page of a package that is an MCP server by its name, and of the product with these names. */
const isServerPackage = (names: ReadonlySet<string>, url: string): boolean => {
  const name = PACKAGE_PAGE.exec(url)?.[1] ?? ""
  return /(?:^|[^a-z])mcp(?:$|[^a-z])/i.test(name) && isNamedAfter(names, name)
}
