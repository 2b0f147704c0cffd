import * as Effect from "effect/Effect"
import { below, onSite } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { AiCatalogFile } from "../../engine/site/wellknown/AiCatalog.ts"
import type { NotFoundProbe } from "../../engine/site/wellknown/NotFoundProbe.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject } from "../../engine/text/JsonObject.ts"
import { filledStringAt, jsonDocuments, type WellKnownJson } from "./WellKnownJson.ts"

/** Where cards were put before SEP-2127 let them be at any URL. */
const PLACES = ["mcp.json", "mcp/server-card.json", "mcp-server-card"]

/** Cards of a catalogue that are asked for. */
const LISTED = 1

/** The places of cards, and the cards that the catalogue lists. */
export const CARD_REQUESTS = PLACES.length + LISTED

/** As SEP-2127 has it, and as the catalogue called it before. */
const CARD_TYPE = /^application\/mcp-server(?:-card)?\+json$/

/** What a site publishes of its MCP server for machines. */
export interface ServerCards {
  /** At the places of cards, then those that the catalogue lists or holds; not all of them need be cards. */
  readonly documents: ReadonlyArray<ServerCard>
  /** At the places of cards, then the catalogue, then what it lists. */
  readonly exchanges: ReadonlyArray<Exchange>
}

export interface ServerCard extends WellKnownJson {
  /** It is not the whole document, but an entry of the catalogue. */
  readonly isHeld: boolean
}

/** Asks for server cards at the usual places, and for those that the site's AI catalogue (ARD) lists. */
export const serverCards = Effect.fnUntraced(function* (
  site: Site,
  notFoundProbe: NotFoundProbe
): Effect.fn.Return<ServerCards> {
  const places = PLACES.map((name) => below(site.base.origin, `.well-known/${name}`))
  const [catalogue, direct] = yield* Effect.all([site.aiCatalog, site.getAll(places)], { concurrency: 2 })
  const { held, urls } = catalogue.file === null ? { held: [], urls: [] } : cardsIn(site, catalogue.file)
  const listed = yield* site.getAll(urls.filter((url) => !places.includes(url)).slice(0, LISTED))
  const whole = jsonDocuments(notFoundProbe, [...direct, ...listed])
  return {
    documents: [...whole.map((document) => ({ ...document, isHeld: false })), ...held],
    exchanges: [...direct, ...catalogue.exchanges, ...listed]
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
