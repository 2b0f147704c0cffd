import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { domainOf, sitesAbove } from "../../evidence/Address.ts"
import { orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { currentMicros, digestKey, formatInstant, type Int } from "../database/ColumnValues.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

/** A site that an operator has blocked, with everything below it. */
export interface SiteBlock {
  /** `base_url_norm`. */
  readonly site: string
  /** For operators; may be empty. */
  readonly reason: string
  /** RFC 3339. */
  readonly blockedAt: string
}

/** Sites that operators have blocked from audits. */
export class SiteBlocks extends Context.Service<
  SiteBlocks,
  {
    /** The block that applies to the site: its own, or one of `sitesAbove` it. */
    readonly covering: (site: string) => Stored<SiteBlock | null>
    /** All blocked sites of a registrable domain. */
    readonly within: (domain: string) => Stored<ReadonlyArray<string>>
    /** The block of exactly this site. */
    readonly find: (site: string) => Stored<SiteBlock | null>
    /** Ordered by site, starting after `after`. */
    readonly list: (after: string, limit: number) => Stored<ReadonlyArray<SiteBlock>>
    /** Blocks the site, or changes the reason of its block. */
    readonly put: (site: string, reason: string) => Stored<SiteBlock>
    /** Whether it was blocked. */
    readonly remove: (site: string) => Stored<boolean>
  }
>()("docgauge/store/SiteBlocks") {
  /** For a service without a database, which has no blocks. */
  static readonly layerNone: Layer.Layer<SiteBlocks> = Layer.succeed(SiteBlocks, {
    covering: () => Effect.succeed(null),
    within: () => Effect.succeed([]),
    find: () => Effect.succeed(null),
    list: () => Effect.succeed([]),
    put: (site, reason) => Effect.map(currentMicros, (now) => ({ site, reason, blockedAt: formatInstant(now) })),
    remove: () => Effect.succeed(false)
  })

  static readonly layerSql: Layer.Layer<SiteBlocks, never, SqlClient | ReadClient> = Layer.effect(
    SiteBlocks,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const first = (rows: ReadonlyArray<BlockRow>): SiteBlock | null => rows.map(blockOf)[0] ?? null
      const put = Effect.fnUntraced(function* (site: string, reason: string) {
        const now = yield* currentMicros
        yield* sql`
          INSERT INTO site_blocks ${sql.insert({ key: digestKey(site), site, reason, blocked_at: now })}
          ON CONFLICT (key) DO UPDATE SET reason = excluded.reason`
        return { site, reason, blockedAt: formatInstant(now) }
      })
      return {
        covering: (site) =>
          orUnavailable(
            Effect.map(
              read<BlockRow>`SELECT * FROM site_blocks WHERE ${read.in(
                "key",
                sitesAbove(site).map((above) => digestKey(above))
              )} LIMIT 1`,
              first
            )
          ),
        // Scans the table, which is small. Only the public suffix list tells the domain of a host.
        within: (domain) =>
          orUnavailable(
            Effect.map(
              read<{ readonly site: string }>`SELECT site FROM site_blocks WHERE site LIKE ${`%${domain}%`}`,
              (rows) => rows.flatMap(({ site }) => (domainOf(site) === domain ? [site] : []))
            )
          ),
        find: (site) =>
          orUnavailable(Effect.map(read<BlockRow>`SELECT * FROM site_blocks WHERE key = ${digestKey(site)}`, first)),
        list: (after, limit) =>
          orUnavailable(
            Effect.map(
              read<BlockRow>`SELECT * FROM site_blocks WHERE site > ${after} ORDER BY site LIMIT ${limit}`,
              (rows) => rows.map(blockOf)
            )
          ),
        put: (site, reason) => orUnavailable(put(site, reason)),
        remove: (site) =>
          orUnavailable(
            Effect.map(
              sql`DELETE FROM site_blocks WHERE key = ${digestKey(site)} RETURNING key`,
              (rows) => rows.length > 0
            )
          )
      }
    })
  )
}

interface BlockRow {
  readonly site: string
  readonly reason: string
  readonly blocked_at: Int
}

const blockOf = ({ blocked_at, reason, site }: BlockRow): SiteBlock => ({
  site,
  reason,
  blockedAt: formatInstant(Number(blocked_at))
})
