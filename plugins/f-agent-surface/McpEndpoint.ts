import * as Effect from "effect/Effect"
import { onSite } from "../../engine/evidence/Address.ts"
import {
  type Answer,
  type Exchange,
  header,
  isAnswer,
  isMissing,
  isOk,
  mediaType
} from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonObject.ts"
import { responseAmong } from "../../engine/text/EventStream.ts"
import { parsedJson } from "../../engine/text/ParsedJson.ts"
import { trimTrailingSlashes } from "../../engine/text/Trim.ts"
import { parseObject, filledStringAt } from "./WellKnownJson.ts"

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "docgauge", version: "1" } }
}

/** Sends `initialize`, the first message of a session over streamable HTTP. */
export const initialize = (site: Site, url: string): Effect.Effect<Exchange> =>
  site.get({ url, method: "POST", accept: "application/json, text/event-stream", body: JSON.stringify(INITIALIZE) })

/** Whether an MCP server answered, and the missing responses that could show that one did. */
export interface EndpointVerdict {
  readonly isServer: boolean
  readonly missing: ReadonlyArray<Exchange>
}

/**
 * An MCP server answers with a result that has a protocol version and the server's name, or with a 401 to which there is
 * protected-resource metadata (RFC 9728).
 */
export const endpointVerdict = Effect.fnUntraced(function* (
  site: Site,
  exchange: Exchange
): Effect.fn.Return<EndpointVerdict> {
  if (!isAnswer(exchange) || exchange.status !== 401)
    return {
      isServer: isAnswer(exchange) && exchange.status === 200 && isInitialized(exchange),
      missing: isMissing(exchange) ? [exchange] : []
    }
  const urls = metadataUrls(exchange).filter((url) => onSite(url, site.base.site))
  const answers = yield* site.getAll(urls)
  const isServer = answers.some((answer) => isOk(answer) && isResource(parseObject(textOf(answer).text)))
  return { isServer, missing: isServer ? [] : answers.filter(isMissing) }
})

const isResource = (value: JsonObject | null): boolean =>
  value !== null && filledStringAt(value, "resource") !== null && Array.isArray(value["authorization_servers"])

/** Where the challenge says that the metadata is; else the well-known URLs, with the path of the endpoint and without. */
const metadataUrls = (answer: Answer): ReadonlyArray<string> => {
  const challenge = header(answer, "www-authenticate") ?? ""
  const named = /\bresource_metadata\s{0,20}=\s{0,20}"([^"]{1,2000})"/i.exec(challenge)?.[1]
  if (named !== undefined) return URL.canParse(named) ? [named] : []
  const { origin, pathname } = new URL(answer.url)
  const root = `${origin}/.well-known/oauth-protected-resource`
  return [...new Set([`${root}${trimTrailingSlashes(pathname)}`, root])]
}

/** A JSON body, or the response among the events of a stream. */
const isInitialized = (answer: Answer): boolean => {
  const { text } = textOf(answer)
  const message = mediaType(answer) === "text/event-stream" ? responseAmong(text, INITIALIZE.id) : parsedJson(text)
  const result = isJsonObject(message) ? message["result"] : null
  return (
    isJsonObject(result) && filledStringAt(result, "protocolVersion") !== null && isJsonObject(result["serverInfo"])
  )
}
