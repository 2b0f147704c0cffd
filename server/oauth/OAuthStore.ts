import * as Context from "effect/Context"
import type { Stored } from "../../engine/store/database/StoreUnavailable.ts"
import type { FairBounds } from "./FairMap.ts"

/** Use of a key: signing access tokens, or sealing data that only this server reads. */
export type KeyUse = "signing" | "sealing"

/** A key of one period; at most one for each use and period. */
export interface StoredKey {
  /** `use` and `period`, so that keys made by two processes at once have the same id. */
  readonly id: string
  readonly use: KeyUse
  readonly period: number
  /** The private or secret key as a JSON Web Key, JSON text. */
  readonly material: string
}

/** One authorization. It starts when a code is redeemed, and has the id of the code, so that no code is redeemed twice. */
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
 * Maximum number of grants, of all networks and of one. The users of a hosted assistant share its network. A client that
 * loses its grant gets another one without a login.
 */
export const GRANT_BOUNDS: FairBounds = { all: 100_000, perGroup: 20_000 }

/** The storage of the authorization server. Each statement is a change of its own, so that processes can share it. */
export class OAuthStore extends Context.Service<
  OAuthStore,
  {
    readonly keys: Stored<ReadonlyArray<StoredKey>>
    /** Stores the key unless its id exists. */
    readonly addKey: (key: StoredKey) => Stored<void>
    /** Deletes keys of earlier periods. */
    readonly dropKeys: (use: KeyUse, before: number) => Stored<void>
    /**
     * False if the id exists: the code was redeemed before. Of more than `perNetwork` grants of one network, those that expire first
     * are deleted.
     */
    readonly openGrant: (grant: Grant, perNetwork: number) => Stored<boolean>
    readonly findGrant: (id: string) => Stored<Grant | null>
    /** Increments `generation`; false if the grant has another one, or is revoked. */
    readonly renewGrant: (id: string, generation: number, expiresAt: number) => Stored<boolean>
    /** The grant stays in the store as revoked until it expires. */
    readonly revokeGrant: (id: string) => Stored<void>
    /** Deletes expired grants and, beyond the bounds, those that expire first of the largest networks. */
    readonly sweep: (now: number, bounds: FairBounds) => Stored<void>
  }
>()("docgauge/server/oauth/OAuthStore") {}
