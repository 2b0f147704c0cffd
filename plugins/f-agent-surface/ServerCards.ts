import * as Effect from "effect/Effect"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, isGone } from "../../engine/evidence/Exchange.ts"
import type { AiCatalogFile } from "../../engine/site/wellknown/AiCatalog.ts"
import type { NotFoundProbe } from "../../engine/site/wellknown/FileVerdict.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject } from "../../engine/text/JsonObject.ts"
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
export interface ServerCards {
  /** Those that the catalogue lists, then those that it holds, else those at the places of cards; not all of them need be cards. */
  readonly documents: ReadonlyArray<ServerCard>
  /** All that was asked for, the catalogue first. */
  readonly exchanges: ReadonlyArray<Exchange>
  /** What the catalogue lists and is not there. */
  readonly gone: ReadonlyArray<Answer>
}

export interface ServerCard extends WellKnownJson {
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
