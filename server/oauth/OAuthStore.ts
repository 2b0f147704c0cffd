import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Stored } from "../../engine/store/database/StoreUnavailable.ts"
import { type FairBounds, fairShare, makeFairMap } from "./FairMap.ts"
import { orUnavailable } from "../../engine/store/database/SqlDatabase.ts"

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

/** Maximum number of grants in memory, about 3 MB. */
const BOUNDS: FairBounds = { all: 10_000, perGroup: 2_000 }

/** For `memory:`: all grants are lost when the process ends. */
export const layerMemory: Layer.Layer<OAuthStore> = Layer.sync(OAuthStore, () => {
  const keys = new Map<string, StoredKey>()
  const grants = makeFairMap<Grant>(BOUNDS)

  const put = (grant: Grant): void => {
    grants.put(grant.id, grant.network, grant)
  }

  /** Grants of one network, ordered by expiry. */
  const beyondShare = (kept: ReadonlyArray<Grant>, bounds: FairBounds): ReadonlyArray<Grant> => {
    const byNetwork = [
      ...Map.groupBy(
        kept.toSorted((one, other) => one.expiresAt - other.expiresAt),
        ({ network }) => network
      ).values()
    ]
    const share = fairShare(
      byNetwork.map(({ length }) => length),
      bounds
    )
    return byNetwork.flatMap((own) => own.slice(0, Math.max(0, own.length - share)))
  }

  return {
    keys: Effect.sync(() => [...keys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
    addKey: (key) =>
      Effect.sync(() => {
        if (!keys.has(key.id)) keys.set(key.id, key)
      }),
    dropKeys: (use, before) =>
      Effect.sync(() => {
        for (const key of keys.values()) if (key.use === use && key.period < before) keys.delete(key.id)
      }),
    openGrant: (grant, perNetwork) =>
      Effect.sync(() => {
        if (grants.get(grant.id) !== undefined) return false
        put(grant)
        const own = grants.entries().flatMap(({ value }) => (value.network === grant.network ? [value] : []))
        for (const { id } of beyondShare(own, { all: perNetwork, perGroup: perNetwork })) grants.delete(id)
        return true
      }),
    findGrant: (id) => Effect.sync(() => grants.get(id) ?? null),
    renewGrant: (id, generation, expiresAt) =>
      Effect.sync(() => {
        const grant = grants.get(id)
        if (grant === undefined || grant.generation !== generation || grant.revoked) return false
        put({ ...grant, generation: generation + 1, expiresAt })
        return true
      }),
    revokeGrant: (id) =>
      Effect.sync(() => {
        const grant = grants.get(id)
        if (grant !== undefined) put({ ...grant, revoked: true })
      }),
    sweep: (now, bounds) =>
      Effect.sync(() => {
        const all = grants.entries().map(({ value }) => value)
        const lasting = all.filter(({ expiresAt }) => expiresAt > now)
        for (const { id } of [...all.filter(({ expiresAt }) => expiresAt <= now), ...beyondShare(lasting, bounds)])
          grants.delete(id)
      })
  }
})

interface KeyRow {
  readonly id: string
  readonly use: string
  readonly period: number | string
  readonly material: string
}

interface GrantRow {
  readonly id: string
  readonly client: string
  readonly network: string
  readonly generation: number | string
  readonly expires_at: number
  readonly revoked: number
}

/** SQLite takes no OFFSET without a LIMIT. */
const ALL_ROWS = 1_000_000

/** In the tables `oauth_keys` and `oauth_grants`. */
export const layerSql: Layer.Layer<OAuthStore, never, SqlClient> = Layer.effect(
  OAuthStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const sweep = Effect.fnUntraced(function* (now: number, bounds: FairBounds) {
      yield* sql`DELETE FROM oauth_grants WHERE expires_at <= ${now}`
      const networks = yield* sql<{
        readonly grants: number | string
      }>`SELECT COUNT(*) AS grants FROM oauth_grants GROUP BY network`
      const sizes = networks.map(({ grants }) => Number(grants))
      const share = fairShare(sizes, bounds)
      if (sizes.every((size) => size <= share)) return
      yield* sql`
        DELETE FROM oauth_grants WHERE id IN (
          SELECT id FROM (
            SELECT id, ROW_NUMBER() OVER (PARTITION BY network ORDER BY expires_at DESC) AS place FROM oauth_grants
          ) AS ranked WHERE place > ${share}
        )`
    })

    const open = Effect.fnUntraced(function* (
      { client, expiresAt, generation, id, network, revoked }: Grant,
      perNetwork: number
    ) {
      const opened = yield* sql`
        INSERT INTO oauth_grants (id, client, network, generation, expires_at, revoked)
        VALUES (${id}, ${client}, ${network}, ${generation}, ${expiresAt}, ${revoked ? 1 : 0})
        ON CONFLICT (id) DO NOTHING RETURNING id`
      if (opened.length === 0) return false
      yield* sql`
        DELETE FROM oauth_grants WHERE id IN (
          SELECT id FROM oauth_grants WHERE network = ${network} ORDER BY expires_at DESC LIMIT ${ALL_ROWS} OFFSET ${perNetwork}
        )`
      return true
    })

    return {
      keys: orUnavailable(
        Effect.map(sql<KeyRow>`SELECT id, use, period, material FROM oauth_keys ORDER BY id`, (rows) => rows.map(keyOf))
      ),
      addKey: ({ id, material, period, use }) =>
        Effect.asVoid(
          orUnavailable(sql`
          INSERT INTO oauth_keys (id, use, period, material) VALUES (${id}, ${use}, ${period}, ${material}) ON CONFLICT (id) DO NOTHING`)
        ),
      dropKeys: (use, before) =>
        Effect.asVoid(orUnavailable(sql`DELETE FROM oauth_keys WHERE use = ${use} AND period < ${before}`)),
      openGrant: (grant, perNetwork) => orUnavailable(open(grant, perNetwork)),
      findGrant: (id) =>
        orUnavailable(
          Effect.map(
            sql<GrantRow>`SELECT id, client, network, generation, expires_at, revoked FROM oauth_grants WHERE id = ${id}`,
            ([row]) => (row === undefined ? null : grantOf(row))
          )
        ),
      renewGrant: (id, generation, expiresAt) =>
        orUnavailable(
          Effect.map(
            sql`
            UPDATE oauth_grants SET generation = generation + 1, expires_at = ${expiresAt}
            WHERE id = ${id} AND generation = ${generation} AND revoked = 0 RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      revokeGrant: (id) => Effect.asVoid(orUnavailable(sql`UPDATE oauth_grants SET revoked = 1 WHERE id = ${id}`)),
      sweep: (now, bounds) => orUnavailable(sweep(now, bounds))
    }
  })
)

const keyOf = ({ id, material, period, use }: KeyRow): StoredKey => ({
  id,
  use: useOf(use),
  period: Number(period),
  material
})

const useOf = (use: string): KeyUse => (use === "signing" ? "signing" : "sealing")

const grantOf = ({ client, expires_at, generation, id, network, revoked }: GrantRow): Grant => ({
  id,
  client,
  network,
  generation: Number(generation),
  expiresAt: expires_at,
  revoked: revoked === 1
})
