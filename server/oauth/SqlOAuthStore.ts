import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { orUnavailable } from "../../engine/store/database/SqlDatabase.ts"
import { type FairBounds, fairShare } from "./FairMap.ts"
import { type Grant, type KeyUse, OAuthStore, type StoredKey } from "./OAuthStore.ts"

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
