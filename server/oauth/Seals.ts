import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from "jose"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { OAuthKeys, SEALING_ALGORITHM } from "./OAuthKeys.ts"

/** What is sealed: a client's registration, an authorization code, a refresh token, an MCP session. None is accepted in place of another. */
export type SealedType = "client" | "code" | "refresh" | "session"

/** No honest one is longer. */
const LONGEST = 4_096

/**
 * Data that this server hands out and gets back unchanged: anyone can carry it, only this server can make it. So nothing
 * has to be kept for whoever registers or asks for a code and never comes back.
 */
export class Seals extends Context.Service<Seals, {
  /** Seals the data; `lifeMs` is how long it can be opened, `null` as long as the key is known. */
  readonly seal: (type: SealedType, data: JWTPayload, lifeMs: number | null) => Effect.Effect<string, StoreUnavailable>
  /** The data; `null` where the text is not sealed by this server as that type, or is past its time. */
  readonly open: <S extends Schema.ConstraintDecoder<unknown>>(type: SealedType, shape: S, sealed: string) => Effect.Effect<S["Type"] | null, StoreUnavailable>
}>()("docgauge/server/oauth/Seals") {
  static readonly layer: Layer.Layer<Seals, never, OAuthKeys> = Layer.effect(
    Seals,
    Effect.gen(function*() {
      const keys = yield* OAuthKeys
      return {
        seal: Effect.fnUntraced(function*(type, data, lifeMs) {
          const { id, key } = yield* keys.current("sealing")
          const now = yield* Clock.currentTimeMillis
          const unsigned = new SignJWT(data).setProtectedHeader({ alg: SEALING_ALGORITHM, typ: type, kid: id })
          const dated = lifeMs === null ? unsigned : unsigned.setExpirationTime(Math.ceil((now + lifeMs) / 1_000))
          return yield* Effect.promise(() => dated.sign(key))
        }),
        open: Effect.fnUntraced(function*(type, shape, sealed) {
          const id = sealed.length > LONGEST ? null : keyIdOf(sealed)
          const key = id === null ? null : yield* keys.find("sealing", id)
          if (key === null) return null
          const currentDate = new Date(yield* Clock.currentTimeMillis)
          const opened = yield* Effect.option(Effect.tryPromise(() =>
            jwtVerify(sealed, key.key, { algorithms: [SEALING_ALGORITHM], typ: type, currentDate })))
          return Option.getOrNull(Option.flatMap(opened, ({ payload }) => Schema.decodeUnknownOption(shape)(payload)))
        })
      }
    })
  )
}

/** The id of the key that a token names; `null` where it cannot be read. */
export const keyIdOf = (token: string): string | null => {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch {
    return null
  }
}
