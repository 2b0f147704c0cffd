import * as Effect from "effect/Effect"
import { onSite } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, header, isAnswer, isOk, mediaType } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonObject.ts"
import { parseObject, filledStringAt } from "./WellKnownJson.ts"

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "docgauge", version: "1" } }
})

/** Sends `initialize`, the first message of a session over streamable HTTP. */
export const initialize = (site: Site, url: string): Effect.Effect<Exchange> =>
  site.get({ url, method: "POST", accept: "application/json, text/event-stream", body: INITIALIZE })

/**
 * Whether the answer comes from an MCP server: a result with a protocol version and the server's name, or a 401 that
 * links to protected-resource metadata (RFC 9728).
 */
export const isMcpServer = Effect.fnUntraced(function* (site: Site, exchange: Exchange): Effect.fn.Return<boolean> {
  if (!isAnswer(exchange)) return false
  if (exchange.status === 200) return initializeResult(exchange) !== null
  const metadata = exchange.status === 401 ? metadataUrl(exchange) : null
  if (metadata === null || !onSite(metadata, site.base.site)) return false
  const answer = yield* site.get(metadata)
  return isOk(answer) && isResource(parseObject(textOf(answer).text))
})

const isResource = (value: JsonObject | null): boolean =>
  value !== null && filledStringAt(value, "resource") !== null && Array.isArray(value["authorization_servers"])

const metadataUrl = (answer: Answer): string | null =>
  /\bresource_metadata\s*=\s*"([^"]{1,2000})"/i.exec(header(answer, "www-authenticate") ?? "")?.[1] ?? null

/** The `result` of the JSON-RPC answer, from a JSON body or the first event of a stream. */
const initializeResult = (answer: Answer): JsonObject | null => {
  const { text } = textOf(answer)
  const json = mediaType(answer) === "text/event-stream" ? (/^data: ?(.*)$/m.exec(text)?.[1] ?? "") : text
  const result = parseObject(json)?.["result"]
  return isJsonObject(result) &&
    filledStringAt(result, "protocolVersion") !== null &&
    isJsonObject(result["serverInfo"])
    ? result
    : null
}
