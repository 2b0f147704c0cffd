import * as Effect from "effect/Effect"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import { type Exchange, isAnswer } from "../../engine/evidence/Exchange.ts"
import type { NotFoundProbe } from "../../engine/site/wellknown/NotFoundProbe.ts"
import type { Site } from "../../engine/site/Site.ts"
import { filledObjectsAt, filledStringAt, jsonDocuments, type WellKnownJson } from "./WellKnownJson.ts"

/** Where cards were put before SEP-2127 let them be at any URL. */
const PLACES = ["mcp.json", "mcp/server-card.json", "mcp-server-card"]

/** Cards of a catalogue that are asked for. */
const LISTED = 2

/** The places of cards, the catalogue, and the cards that it lists. */
export const CARD_REQUESTS = PLACES.length + 1 + LISTED

/** As SEP-2127 has it, and as the catalogue called it before. */
const CARD_TYPE = /^application\/mcp-server(?:-card)?\+json$/

/** What a site publishes of its MCP server for machines. */
export interface ServerCards {
  /** At the places of cards, then those that the catalogue lists; not all of them need be cards. */
  readonly documents: ReadonlyArray<WellKnownJson>
  readonly exchanges: ReadonlyArray<Exchange>
}

/** Asks for server cards at the usual places, and for those that the site's AI catalogue (ARD) lists. */
export const serverCards = Effect.fnUntraced(function* (
  site: Site,
  notFoundProbe: NotFoundProbe
): Effect.fn.Return<ServerCards> {
  const places = PLACES.map((name) => below(site.base.origin, `.well-known/${name}`))
  const [catalogue, ...direct] = yield* site.getAll([yield* cataloguePlace(site), ...places])
  const [listing] = jsonDocuments(notFoundProbe, catalogue === undefined ? [] : [catalogue])
  const urls = listing === undefined ? [] : cardsIn(site, listing).filter((url) => !places.includes(url))
  const listed = yield* site.getAll(urls.slice(0, LISTED))
  return {
    documents: jsonDocuments(notFoundProbe, [...direct, ...listed]),
    exchanges: [...direct, ...(catalogue === undefined ? [] : [catalogue]), ...listed]
  }
})

/** The catalogue that robots.txt names, if it is on the site, else the well-known one. */
const cataloguePlace = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<string> {
  const { exchange, state } = yield* site.robots
  const text = state === "read" && isAnswer(exchange) ? textOf(exchange).text : ""
  const named = /^agentmap:[ \t]{0,20}(\S{1,2000})/im.exec(text)?.[1]
  const url = named === undefined ? null : site.resolve(named, site.base.url)
  return url !== null && onSite(url, site.base.site) ? url : below(site.base.origin, ".well-known/ai-catalog.json")
})

/** URLs on the site of the server cards that a catalogue lists. */
const cardsIn = (site: Site, { answer, value }: WellKnownJson): ReadonlyArray<string> =>
  (value === null ? [] : (filledObjectsAt(value, "entries") ?? []))
    .filter((entry) => CARD_TYPE.test(filledStringAt(entry, "type") ?? ""))
    .flatMap((entry) => {
      const href = filledStringAt(entry, "url")
      const url = href === null ? null : site.resolve(href, answer.url)
      return url !== null && onSite(url, site.base.site) ? [url] : []
    })
