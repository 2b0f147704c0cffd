import * as Effect from "effect/Effect"
import { onSite } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, header, isAnswer, isOk, mediaType } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/Text.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject, type JsonObject, parseObject, stringAt } from "./JsonDocument.ts"

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "docgauge", version: "1" } }
})

/** Asks an address to `initialize`, as the first message of a session over streamable HTTP. */
export const initialize = (site: Site, url: string): Effect.Effect<Exchange> =>
  site.get({ url, method: "POST", accept: "application/json, text/event-stream", body: INITIALIZE })

/**
 * Whether the answer is an MCP server's: a result with a protocol version and the server's name, or 401 that leads to
 * metadata of a protected resource (RFC 9728).
 */
export const isMcpServer = Effect.fnUntraced(function*(site: Site, exchange: Exchange): Effect.fn.Return<boolean> {
  if (!isAnswer(exchange)) return false
  if (exchange.status === 200) return initializeResult(exchange) !== null
  const metadata = exchange.status === 401 ? metadataAddress(exchange) : null
  if (metadata === null || !onSite(metadata, site.base.site)) return false
  const answer = yield* site.get(metadata)
  return isOk(answer) && isResource(parseObject(textOf(answer).text))
})

const isResource = (value: JsonObject | null): boolean =>
  value !== null && stringAt(value, "resource") !== null && Array.isArray(value["authorization_servers"])

const metadataAddress = (answer: Answer): string | null =>
  /\bresource_metadata\s*=\s*"([^"]{1,2000})"/i.exec(header(answer, "www-authenticate") ?? "")?.[1] ?? null

/** The `result` of the JSON-RPC answer, from a JSON body or the first event of a stream. */
const initializeResult = (answer: Answer): JsonObject | null => {
  const { text } = textOf(answer)
  const json = mediaType(answer) === "text/event-stream" ? /^data: ?(.*)$/m.exec(text)?.[1] ?? "" : text
  const result = parseObject(json)?.["result"]
  return isJsonObject(result) && stringAt(result, "protocolVersion") !== null && isJsonObject(result["serverInfo"]) ? result : null
}
