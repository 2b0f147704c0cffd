import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { type FairBounds, makeFairMap } from "../oauth/FairMap.ts"
import type { Seals } from "../oauth/Seals.ts"

/** What is sealed into a session id. */
const SessionContent = Schema.Struct({ jti: Schema.String, grant: Schema.String, revision: Schema.String })

/** What a session is, apart from the protocol's own table. */
export interface Session {
  /** Id of the grant that opened it; no other may use it. */
  readonly grant: string
  /** The protocol revision that was agreed on. */
  readonly revision: string
  /** The protocol's id for it in this process; `null` where this process has none yet. */
  readonly innerId: string | null
  /** Whether its owner ended it. */
  readonly ended: boolean
  /** When it was used last in this process, in milliseconds since the epoch. */
  readonly usedAt: number
}

/** A message's place: whose it is, from where and when. */
export interface Use {
  readonly grant: string
  readonly network: string
  readonly now: number
}

/**
 * The sessions of protocol revisions that have them. All that a session holds is sealed into its id, so that it goes on in
 * another process and after a restart; what is kept here is only which session of the protocol's own table stands for it,
 * and losing that costs nothing. That a session was ended is known to this process alone, for as long as it is kept.
 */
export interface Sessions {
  /** The sealed id for a session that the protocol has just opened. */
  readonly open: (innerId: string, revision: string, use: Use) => Effect.Effect<string, StoreUnavailable>
  /** `null` where the id is not sealed by this server, past its time, another's, or the session is ended. */
  readonly find: (id: string, use: Use) => Effect.Effect<Session | null, StoreUnavailable>
  /** Notes the protocol's id for a session that goes on here; returns the one to use, which another message may have noted before. */
  readonly resumed: (id: string, session: Session, innerId: string, use: Use) => string
  readonly end: (id: string, session: Session, use: Use) => void
  /** Forgets which sessions were not used of late; nothing is lost by it. */
  readonly dropIdle: (now: number) => void
  readonly size: () => number
}

export interface SessionOptions {
  readonly bounds: FairBounds
  /** Milliseconds for which an id can be used. */
  readonly lifeMs: number
  /** Milliseconds without a message. */
  readonly idleMs: number
  /** Is told of each session of the protocol's own table that is of no more use. */
  readonly release: (innerId: string) => void
}

/** The sessions that one process keeps at hand. */
export const SESSION_BOUNDS: FairBounds = { all: 2_000, perGroup: 500 }

export const SESSION_IDLE_MS = 60 * 60_000

export const makeSessions = (seals: Seals["Service"], { bounds, idleMs, lifeMs, release }: SessionOptions): Sessions => {
  const atHand = makeFairMap<Session>(bounds)

  const letGo = ({ innerId }: Session): void => { if (innerId !== null) release(innerId) }

  const keep = (id: string, network: string, session: Session): void => {
    for (const { value } of atHand.put(id, network, session)) letGo(value)
  }

  const read = Effect.fnUntraced(function*(id: string): Effect.fn.Return<Session | null, StoreUnavailable> {
    const content = yield* seals.open("session", SessionContent, id)
    return content === null ? null : { grant: content.grant, revision: content.revision, innerId: null, ended: false, usedAt: 0 }
  })

  return {
    open: Effect.fnUntraced(function*(innerId, revision, { grant, network, now }) {
      const id = yield* seals.seal("session", { jti: globalThis.crypto.randomUUID(), grant, revision }, lifeMs)
      keep(id, network, { grant, revision, innerId, ended: false, usedAt: now })
      return id
    }),
    find: Effect.fnUntraced(function*(id, { grant, network, now }) {
      const sealed = atHand.get(id) === undefined ? yield* read(id) : null
      // Another message may have put it there while the id was read.
      const session = atHand.get(id) ?? sealed
      if (session === null || session.grant !== grant || session.ended) return null
      const used = { ...session, usedAt: now }
      keep(id, network, used)
      return used
    }),
    resumed: (id, session, innerId, { network, now }) => {
      const known = atHand.get(id)?.innerId ?? null
      if (known === null) keep(id, network, { ...session, innerId, usedAt: now })
      else release(innerId)
      return known ?? innerId
    },
    end: (id, session, { network, now }) => {
      letGo(session)
      keep(id, network, { ...session, innerId: null, ended: true, usedAt: now })
    },
    dropIdle: (now) => {
      for (const { key, value } of atHand.entries()) {
        if (value.usedAt + idleMs > now) continue
        atHand.delete(key)
        letGo(value)
      }
    },
    size: atHand.size
  }
}
