import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { FairBounds } from "./FairMap.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** What a key is for: signing access tokens, or sealing what only this server reads again. */
export type KeyUse = "signing" | "sealing"

/** A key of one period; there is one at most for each use and period. */
export interface StoredKey {
  /** `use` and `period`: what two processes make at once has the same id. */
  readonly id: string
  readonly use: KeyUse
  readonly period: number
  /** The private or secret key as a JSON Web Key, JSON text. */
  readonly material: string
}

/** One authorization. It begins when a code is redeemed, and bears the code's id, so that no code is redeemed twice. */
export interface Grant {
  readonly id: string
  /** Digest of the client's id. */
  readonly client: string
  /** Digest of the network that redeemed the code. */
  readonly network: string
  /** How often its refresh token was exchanged. */
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly revoked: boolean
}

/**
 * How many grants are kept, of all networks and of one; the group is a network. The users of a hosted assistant share its
 * network. Who loses a grant gets another without a login.
 */
export const GRANT_BOUNDS: FairBounds = { all: 100_000, perGroup: 20_000 }

/** What the authorization server keeps. Every change is one statement, so that processes may share the store. */
export class OAuthStore extends Context.Service<OAuthStore, {
  readonly keys: Stored<ReadonlyArray<StoredKey>>
  /** Keeps the key unless one of its id is there. */
  readonly addKey: (key: StoredKey) => Stored<void>
  /** Forgets keys of periods before that. */
  readonly dropKeys: (use: KeyUse, before: number) => Stored<void>
  /** False where there is a grant of that id: the code was redeemed before. */
  readonly openGrant: (grant: Grant) => Stored<boolean>
  readonly findGrant: (id: string) => Stored<Grant | null>
  /** Raises the generation from `generation` by one; false where it was another, or the grant is revoked. */
  readonly renewGrant: (id: string, generation: number, expiresAt: number) => Stored<boolean>
  /** Stays known as revoked until it expires. */
  readonly revokeGrant: (id: string) => Stored<void>
  /** Forgets grants that expired by `now` and, beyond the bounds, of the networks that have most those that expire first. */
  readonly sweep: (now: number, bounds: FairBounds) => Stored<void>
}>()("docgauge/server/oauth/OAuthStore") {}
