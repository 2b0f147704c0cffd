import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from "jose"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { OAuthKeys, SEALING_ALGORITHM } from "./OAuthKeys.ts"

/** The type of sealed data: client registration, authorization code, refresh token or MCP session. No type is accepted as another. */
export type SealedType = "client" | "code" | "refresh" | "session"

/** Maximum length of a seal, in characters. */
const LONGEST = 4_096

/**
 * Encrypted data that clients hold and only this server can create and read. So registrations and codes that are never used need
 * no storage.
 */
export class Seals extends Context.Service<
  Seals,
  {
    /** Seals the data for `lifeMs`; `null`: as long as the key is valid. */
    readonly seal: (
      type: SealedType,
      data: JWTPayload,
      lifeMs: number | null
    ) => Effect.Effect<string, StoreUnavailable>
    /** Opens sealed data; `null`: not sealed by this server as this type, or expired. */
    readonly open: <S extends Schema.ConstraintDecoder<unknown>>(
      type: SealedType,
      shape: S,
      sealed: string
    ) => Effect.Effect<S["Type"] | null, StoreUnavailable>
  }
>()("docgauge/server/oauth/Seals") {
  static readonly layer: Layer.Layer<Seals, never, OAuthKeys> = Layer.effect(
    Seals,
    Effect.gen(function* () {
      const keys = yield* OAuthKeys
      return {
        seal: Effect.fnUntraced(function* (type, data, lifeMs) {
          const { id, key } = yield* keys.current("sealing")
          const now = yield* Clock.currentTimeMillis
          const unsigned = new SignJWT(data).setProtectedHeader({ alg: SEALING_ALGORITHM, typ: type, kid: id })
          const dated = lifeMs === null ? unsigned : unsigned.setExpirationTime(Math.ceil((now + lifeMs) / 1_000))
          return yield* Effect.promise(() => dated.sign(key))
        }),
        open: Effect.fnUntraced(function* (type, shape, sealed) {
          const id = sealed.length > LONGEST ? null : keyIdOf(sealed)
          const key = id === null ? null : yield* keys.find("sealing", id)
          if (key === null) return null
          const currentDate = new Date(yield* Clock.currentTimeMillis)
          const opened = yield* Effect.option(
            Effect.tryPromise(() =>
              jwtVerify(sealed, key.key, { algorithms: [SEALING_ALGORITHM], typ: type, currentDate })
            )
          )
          return Option.getOrNull(Option.flatMap(opened, ({ payload }) => Schema.decodeUnknownOption(shape)(payload)))
        })
      }
    })
  )
}

/** The key id in a token; `null`: unreadable. */
export const keyIdOf = (token: string): string | null => {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch {
    return null
  }
}
