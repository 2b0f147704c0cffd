import * as Effect from "effect/Effect"
import { toWebHandler } from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { type FairBounds, makeFairMap } from "../../oauth/FairMap.ts"
import type { Seals } from "../../oauth/OAuthKeys.ts"

/** The content sealed into a session id. */
const SessionContent = Schema.Struct({ jti: Schema.String, grant: Schema.String, revision: Schema.String })

/** A session. */
export interface Session {
  /** Id of the grant that opened the session; no other grant may use it. */
  readonly grant: string
  /** The negotiated protocol revision. */
  readonly revision: string
  /** The id of the session in Effect's transport in this process; `null`: not opened here yet. */
  readonly innerId: string | null
  /** Whether its owner ended the session. */
  readonly ended: boolean
  /** Time of the last use in this process, in milliseconds since the epoch. */
  readonly usedAt: number
}

/** Grant, network and time of a message. */
export interface Use {
  readonly grant: string
  readonly network: string
  readonly now: number
}

/**
 * The sessions of protocol revisions that have sessions. The whole state of a session is sealed into its id, so that the
 * session continues in another process and after a restart. This table only caches which session of Effect's transport
 * belongs to it; an entry can be lost without harm. Only this process knows that a session was ended.
 */
interface Sessions {
  /** The sealed id for a session that Effect's transport has just opened. */
  readonly open: (innerId: string, revision: string, use: Use) => Effect.Effect<string, StoreUnavailable>
  /** `null` if the id was not sealed by this server, is expired or of another grant, or the session is ended. */
  readonly find: (id: string, use: Use) => Effect.Effect<Session | null, StoreUnavailable>
  /** Stores the transport's id for a session from another process; returns the id to use, which another message may have stored first. */
  readonly resumed: (id: string, session: Session, innerId: string, use: Use) => string
  readonly end: (id: string, session: Session, use: Use) => void
  /** Drops idle entries from the cache. */
  readonly dropIdle: (now: number) => void
  readonly size: () => number
}

interface SessionOptions {
  readonly bounds: FairBounds
  /** Milliseconds for which an id can be used. */
  readonly lifeMs: number
  /** Milliseconds without a message. */
  readonly idleMs: number
  /** Called with each session of Effect's transport that is no longer needed. */
  readonly release: (innerId: string) => void
}

/** Sessions that one process keeps in memory. */
export const SESSION_BOUNDS: FairBounds = { all: 2_000, perGroup: 500 }

export const SESSION_IDLE_MS = 60 * 60_000

export const makeSessions = (
  seals: Seals["Service"],
  { bounds, idleMs, lifeMs, release }: SessionOptions
): Sessions => {
  const cached = makeFairMap<Session>(bounds)

  const drop = ({ innerId }: Session): void => {
    if (innerId !== null) release(innerId)
  }

  const keep = (id: string, network: string, session: Session): void => {
    for (const { value } of cached.put(id, network, session)) drop(value)
  }

  const read = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Session | null, StoreUnavailable> {
    const content = yield* seals.open("session", SessionContent, id)
    return content === null
      ? null
      : { grant: content.grant, revision: content.revision, innerId: null, ended: false, usedAt: 0 }
  })

  return {
    open: Effect.fnUntraced(function* (innerId, revision, { grant, network, now }) {
      const id = yield* seals.seal("session", { jti: globalThis.crypto.randomUUID(), grant, revision }, lifeMs)
      keep(id, network, { grant, revision, innerId, ended: false, usedAt: now })
      return id
    }),
    find: Effect.fnUntraced(function* (id, { grant, network, now }) {
      const sealed = cached.get(id) === undefined ? yield* read(id) : null
      // Another message may have stored it while the id was read.
      const session = cached.get(id) ?? sealed
      if (session === null || session.grant !== grant || session.ended) return null
      const used = { ...session, usedAt: now }
      keep(id, network, used)
      return used
    }),
    resumed: (id, session, innerId, { network, now }) => {
      const known = cached.get(id)?.innerId ?? null
      if (known === null) keep(id, network, { ...session, innerId, usedAt: now })
      else release(innerId)
      return known ?? innerId
    },
    end: (id, session, { network, now }) => {
      drop(session)
      keep(id, network, { ...session, innerId: null, ended: true, usedAt: now })
    },
    dropIdle: (now) => {
      for (const { key, value } of cached.entries()) {
        if (value.usedAt + idleMs > now) continue
        cached.delete(key)
        drop(value)
      }
    },
    size: cached.size
  }
}

/** Sessions in the table of Effect's transport, opened and ended by the requests that a client would send. */
interface ProtocolSessions {
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
