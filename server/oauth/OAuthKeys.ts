import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  type CryptoKey,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  generateSecret,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT
} from "jose"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { type KeyUse, OAuthStore, type StoredKey } from "./OAuthStore.ts"

/** A key in use. */
interface LiveKey {
  readonly id: string
  readonly key: CryptoKey | Uint8Array
}

/** Algorithm of the keys for one use, their period, and the number of periods for which they verify. */
interface Rotation {
  readonly algorithm: "ES256" | "HS256"
  readonly periodMs: number
  readonly periodsKnown: number
}

const DAY = 86_400_000

/**
 * Access tokens live for minutes: their keys change each month, and verify for one more month. Sealed data (mainly client ids)
 * lives as long as its key: at least one year, at most two.
 */
const ROTATIONS: Readonly<Record<KeyUse, Rotation>> = {
  signing: { algorithm: "ES256", periodMs: 30 * DAY, periodsKnown: 2 },
  sealing: { algorithm: "HS256", periodMs: 365 * DAY, periodsKnown: 2 }
}

/** Milliseconds until keys are reloaded, because another process may have made or deleted some. */
const FRESH_MS = 60_000

/** The same for an unknown key id, long enough that forged ids cost nothing. */
const MISSED_MS = 2_000

/** The algorithm of access tokens; no other is ever accepted. */
export const SIGNING_ALGORITHM = ROTATIONS.signing.algorithm

/** The algorithm of seals. */
const SEALING_ALGORITHM = ROTATIONS.sealing.algorithm

/** The keys of the authorization server: created on first use in a period, kept in the store, valid for one more period. */
export class OAuthKeys extends Context.Service<
  OAuthKeys,
  {
    /** The key of the current period, private or secret. */
    readonly current: (use: KeyUse) => Effect.Effect<LiveKey, StoreUnavailable>
    /** The key for verification, public or secret; `null`: unknown or expired. */
    readonly find: (use: KeyUse, id: string) => Effect.Effect<LiveKey | null, StoreUnavailable>
    /** The public keys, with which others can verify access tokens. */
    readonly published: Effect.Effect<ReadonlyArray<JWK>, StoreUnavailable>
  }
>()("docgauge/server/oauth/OAuthKeys") {
  static readonly layer: Layer.Layer<OAuthKeys, never, OAuthStore> = Layer.effect(
    OAuthKeys,
    Effect.gen(function* () {
      const store = yield* OAuthStore
      let known: Known = { readAt: Number.NEGATIVE_INFINITY, keys: new Map() }

      const readAgain = Effect.gen(function* () {
        const readAt = yield* Clock.currentTimeMillis
        const stored = yield* store.keys
        const keys = yield* Effect.promise(() => Promise.all(stored.map(wakeUp)))
        known = { readAt, keys: new Map(keys.map((key) => [key.id, key])) }
      })

      const fresh = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - known.readAt >= FRESH_MS) yield* readAgain
        return now
      })

      const make = Effect.fnUntraced(function* (use: KeyUse, period: number) {
        yield* store.addKey(yield* Effect.promise(() => newKey(use, period)))
        yield* store.dropKeys(use, period - ROTATIONS[use].periodsKnown + 1)
        yield* readAgain
      })

      const current = Effect.fnUntraced(function* (use: KeyUse): Effect.fn.Return<LiveKey, StoreUnavailable> {
        const period = periodAt(use, yield* fresh)
        const id = idOf(use, period)
        if (!known.keys.has(id)) yield* make(use, period)
        const key = known.keys.get(id)
        return key === undefined
          ? yield* Effect.die(new Error(`the store did not keep the key ${id}`))
          : { id, key: key.own }
      })

      const find = Effect.fnUntraced(function* (
        use: KeyUse,
        id: string
      ): Effect.fn.Return<LiveKey | null, StoreUnavailable> {
        const now = yield* fresh
        // Another process may have created it meanwhile.
        if (!known.keys.has(id) && now - known.readAt >= MISSED_MS) yield* readAgain
        const period = periodAt(use, now)
        const key = known.keys.get(id)
        const isKnown = key !== undefined && key.use === use && key.period > period - ROTATIONS[use].periodsKnown
        return isKnown ? { id, key: key.checking } : null
      })

      const published = Effect.gen(function* () {
        yield* current("signing")
        return [...known.keys.values()].flatMap(({ published }) => (published === null ? [] : [published]))
      })

      return { current, find, published }
    })
  )
}

interface AwakeKey {
  readonly id: string
  readonly use: KeyUse
  readonly period: number
  readonly own: CryptoKey | Uint8Array
  readonly checking: CryptoKey | Uint8Array
  readonly published: JWK | null
}

interface Known {
  readonly readAt: number
  readonly keys: ReadonlyMap<string, AwakeKey>
}

const periodAt = (use: KeyUse, now: number): number => Math.floor(now / ROTATIONS[use].periodMs)

const idOf = (use: KeyUse, period: number): string => `${use === "signing" ? "t" : "s"}${period}`

const newKey = async (use: KeyUse, period: number): Promise<StoredKey> => {
  const made =
    use === "signing"
      ? (await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })).privateKey
      : await generateSecret(SEALING_ALGORITHM, { extractable: true })
  return { id: idOf(use, period), use, period, material: JSON.stringify(await exportJWK(made)) }
}

const wakeUp = async ({ id, material, period, use }: StoredKey): Promise<AwakeKey> => {
  const jwk: JWK = JSON.parse(material)
  const { algorithm } = ROTATIONS[use]
  const own = await importJWK(jwk, algorithm)
  if (use === "sealing") return { id, use, period, own, checking: own, published: null }
  const { crv, kty, x, y } = jwk
  const published = { kty, crv, x, y, kid: id, alg: algorithm, use: "sig" } as JWK
  return { id, use, period, own, checking: await importJWK(published, algorithm), published }
}

/** The type of sealed data: client registration, authorization code, refresh token or MCP session. No type is accepted as another. */
type SealedType = "client" | "code" | "refresh" | "session"

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
