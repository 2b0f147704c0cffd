import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CryptoKey, exportJWK, generateKeyPair, generateSecret, importJWK, type JWK } from "jose"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { type KeyUse, OAuthStore, type StoredKey } from "./OAuthStore.ts"

/** A key in use. */
export interface LiveKey {
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
export const SEALING_ALGORITHM = ROTATIONS.sealing.algorithm

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
