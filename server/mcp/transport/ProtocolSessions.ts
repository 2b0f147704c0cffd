import * as Effect from "effect/Effect"
import { toWebHandler } from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"

/** Sessions in the table of Effect's transport, opened and ended by the requests that a client would send. */
export interface ProtocolSessions {
  /** Opens a session in this revision and returns its id. Client capabilities are left out, because no tool uses them. */
  readonly open: (revision: string) => Effect.Effect<string>
  readonly end: (innerId: string) => Effect.Effect<void>
}

type Protocol = Effect.Effect<HttpServerResponse, never, HttpServerRequest | Scope.Scope>

export const makeProtocolSessions = (protocol: Protocol, url: string): ProtocolSessions => {
  const send = toWebHandler(protocol)
  return {
    open: Effect.fnUntraced(function* (revision) {
      const response = yield* Effect.promise(() =>
        send(new Request(url, { method: "POST", headers: HEADERS, body: initialize(revision) }))
      )
      const innerId = response.headers.get("mcp-session-id")
      return innerId ?? (yield* Effect.die(new Error(`the transport opened no session in revision ${revision}`)))
    }),
    end: (innerId) =>
      Effect.asVoid(
        Effect.promise(() => send(new Request(url, { method: "DELETE", headers: { "mcp-session-id": innerId } })))
      )
  }
}

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" }

const initialize = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "resumed", version: "0" } }
  })
