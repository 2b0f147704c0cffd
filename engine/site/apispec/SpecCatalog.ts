import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import type { SpecMention } from "./SpecMentions.ts"
import { type Json, listAt, stringAt } from "../../apispec/text/Json.ts"
import { parsedJson } from "../../text/ParsedJson.ts"

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
