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
import { isJsonObject, type JsonObject, parsedJson } from "../../engine/text/JsonText.ts"
import { responseAmong } from "../../engine/text/EventStream.ts"
import {
  authorizationServers,
  filledStringAt,
  parseObject,
  resourceFault,
  resourceMetadataUrl
} from "./WellKnownJson.ts"

const CLIENT = { name: "docgauge", version: "1" }

/**
 * The handshake of the revisions up to 2025-11-25. A server answers it with a revision that it speaks, whichever one is asked for, so this
 * one stays: archives find a request by its body.
 */
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT }
}

/** Revision 2026-07-28 has no handshake: each request says which revision it speaks, and each server answers this one. */
const DISCOVER = {
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": CLIENT,
      "io.modelcontextprotocol/clientCapabilities": {}
    }
  }
}

/** Requests to an endpoint at most: `initialize`, then `server/discover` or two places of metadata. */
export const ENDPOINT_REQUESTS = 3

const send = (site: Site, url: string, message: { readonly id: number }): Effect.Effect<Exchange> =>
  site.get({ url, method: "POST", accept: "application/json, text/event-stream", body: JSON.stringify(message) })

/** Sends `initialize`, the first message of a session over streamable HTTP. */
export const initialize = (site: Site, url: string): Effect.Effect<Exchange> => send(site, url, INITIALIZE)

/** Whether an MCP server answered, and the missing responses that could show that one did. */
interface EndpointVerdict {
  readonly isServer: boolean
  /** The exchange that shows it; of what is no server the last one that could have shown it. */
  readonly proof: Exchange
  /** What is wrong with the protected-resource metadata of an endpoint that asks for a token; `null`: nothing, or there is none. */
  readonly fault: string | null
  readonly missing: ReadonlyArray<Exchange>
}

/**
 * An MCP server answers `initialize` with a revision and its name, or `server/discover` with the revisions that it speaks, or either with
 * an error that names those; or it asks for a token, and there is protected-resource metadata about it (RFC 9728). `server/discover` is
 * sent only where `initialize` was answered as a server without a handshake answers it.
 */
export const endpointVerdict = Effect.fnUntraced(function* (
  site: Site,
  exchange: Exchange
): Effect.fn.Return<EndpointVerdict> {
  if (!isAnswer(exchange)) return verdictBy(exchange)
  if (exchange.status === 401) return yield* loginVerdict(site, exchange)
  if (showsServer(exchange) || !mayHaveNoHandshake(exchange)) return verdictBy(exchange)
  return verdictBy(yield* send(site, exchange.asked.url, DISCOVER))
})

const verdictBy = (proof: Exchange): EndpointVerdict => {
  const isServer = isAnswer(proof) && showsServer(proof)
  return { isServer, proof, fault: null, missing: !isServer && isMissing(proof) ? [proof] : [] }
}

/** An endpoint that asks for a token is a server if its metadata is about it, and names who gives tokens, as MCP wants. */
const loginVerdict = Effect.fnUntraced(function* (site: Site, exchange: Answer): Effect.fn.Return<EndpointVerdict> {
  const places = metadataPlaces(exchange).filter(({ url }) => onSite(url, site.base.site))
  const answers = yield* site.getAll(places.map(({ url }) => url))
  const documents = answers.flatMap((answer, index) => {
    if (!isOk(answer)) return []
    const value = parseObject(textOf(answer).text)
    return value === null ? [] : [{ answer, fault: metadataFault(value, places[index]?.resources ?? []) }]
  })
  const isServer = documents.some(({ fault }) => fault === null)
  const [invalid] = documents
  return {
    isServer,
    proof: isServer ? exchange : (invalid?.answer ?? exchange),
    fault: isServer ? null : (invalid?.fault ?? null),
    missing: isServer ? [] : answers.filter(isMissing)
  }
})

const metadataFault = (value: JsonObject, resources: ReadonlyArray<string>): string | null =>
  resourceFault(value, resources) ??
  (authorizationServers(value).length === 0 ? "it names no authorization server" : null)

/**
 * Where the metadata may be, and what it may be about: where the challenge says, about the endpoint; else at the well-known URL of the
 * endpoint, or at that of its origin, which MCP accepts for all endpoints there.
 */
const metadataPlaces = (
  answer: Answer
): ReadonlyArray<{ readonly url: string; readonly resources: ReadonlyArray<string> }> => {
  const own = [answer.url, answer.asked.url]
  const challenge = header(answer, "www-authenticate") ?? ""
  const named = /\bresource_metadata\s{0,20}=\s{0,20}"([^"]{1,2000})"/i.exec(challenge)?.[1]
  if (named !== undefined) return URL.canParse(named) ? [{ url: named, resources: own }] : []
  const { origin } = new URL(answer.url)
  const url = resourceMetadataUrl(answer.url)
  const root = resourceMetadataUrl(origin)
  const resources = [...own, origin]
  return url === root
    ? [{ url, resources }]
    : [
        { url, resources: own },
        { url: root, resources }
      ]
}

const UNSUPPORTED_REVISION = -32_022

/** A result of `initialize` or of `server/discover`, or the error that names the revisions of the server. */
const showsServer = (answer: Answer): boolean => {
  const message = responseIn(answer)
  const error = message?.["error"]
  const result = message?.["result"]
  if (answer.status === 200 && isJsonObject(result))
    return (
      (filledStringAt(result, "protocolVersion") !== null && isJsonObject(result["serverInfo"])) ||
      (areRevisions(result["supportedVersions"]) && isJsonObject(result["capabilities"]))
    )
  return (
    isJsonObject(error) &&
    error["code"] === UNSUPPORTED_REVISION &&
    isJsonObject(error["data"]) &&
    areRevisions(error["data"]["supported"])
  )
}

const areRevisions = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((revision) => typeof revision === "string")

/** A server without a handshake refuses `initialize` with 400, or with an error of JSON-RPC. */
const mayHaveNoHandshake = (answer: Answer): boolean =>
  answer.status === 400 || isJsonObject(responseIn(answer)?.["error"])

/** A JSON body, or the response among the events of a stream. An error that concerns the request as a whole may have no id. */
const responseIn = (answer: Answer): JsonObject | null => {
  const { text } = textOf(answer)
  const message = mediaType(answer) === "text/event-stream" ? responseAmong(text, INITIALIZE.id) : parsedJson(text)
  return isJsonObject(message) ? message : null
}
