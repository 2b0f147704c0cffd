import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { orUnavailable } from "../store/database/Availability.ts"
import { databaseNow } from "../store/database/DatabaseClock.ts"
import type { Stored } from "../store/database/StoreUnavailable.ts"

/** The rest of a lease is a margin for stopping an audit and for clock drift. */
const RELIABLE_SHARE = 0.8

/**
 * Leases of registrable domains: one audit of a domain at a time, over all processes. A lease that is not renewed expires, so that
 * a dead process does not keep its domains.
 */
export class Leases extends Context.Service<
  Leases,
  {
    /** The name of this process among the holders. */
    readonly worker: string
    /** How long a lease lasts unless it is renewed, in milliseconds. */
    readonly lastsMs: number
    /**
     * How long a holder may rely on a lease, in milliseconds since its request: a little less than the lease lasts, so that it has
     * stopped before another may take over.
     */
    readonly validMs: number
    /** False: another audit has the domain. */
    readonly take: (domain: string, runId: string) => Stored<boolean>
    /** False: it expired, and another process holds it. */
    readonly renew: (domain: string, runId: string) => Stored<boolean>
    readonly free: (domain: string, runId: string) => Stored<void>
    /** Frees all leases of this process but those of these runs. */
    readonly freeOthers: (runIds: ReadonlySet<string>) => Stored<void>
    /**
     * Revokes the lease of the process that audits the run: the audit stops within a heartbeat. The domain is free once the lease
     * has expired, so that requests still in flight do not overlap with another audit.
     */
    readonly revoke: (runId: string) => Stored<void>
  }
>()("docgauge/schedule/Leases") {
  /** In the table `audit_leases`; a lease expires `leaseMs` milliseconds after its last renewal. */
  static readonly layerSql = (leaseMs: number): Layer.Layer<Leases, never, SqlClient> =>
    Layer.effect(
      Leases,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const worker = randomUUID()
        const until = Effect.map(databaseNow(sql), (now) => ({ now, end: sql`${now} + ${leaseMs}` }))
        const take = Effect.fnUntraced(function* (domain: string, runId: string) {
          const { end, now } = yield* until
          return yield* sql`
          INSERT INTO audit_leases (domain, run_id, worker, expires_at) VALUES (${domain}, ${runId}, ${worker}, ${end})
          ON CONFLICT (domain) DO UPDATE SET run_id = ${runId}, worker = ${worker}, expires_at = ${end}
          WHERE audit_leases.expires_at <= ${now}
          RETURNING domain`
        })
        const renew = Effect.fnUntraced(function* (domain: string, runId: string) {
          const { end } = yield* until
          return yield* sql`
          UPDATE audit_leases SET expires_at = ${end}
          WHERE domain = ${domain} AND run_id = ${runId} AND worker = ${worker}
          RETURNING domain`
        })
        return {
          worker,
          lastsMs: leaseMs,
          validMs: leaseMs * RELIABLE_SHARE,
          take: (domain, runId) => anyRow(take(domain, runId)),
          renew: (domain, runId) => anyRow(renew(domain, runId)),
          free: (domain, runId) =>
            Effect.asVoid(
              anyRow(
                sql`DELETE FROM audit_leases WHERE domain = ${domain} AND run_id = ${runId} AND worker = ${worker} RETURNING domain`
              )
            ),
          freeOthers: (runIds) =>
            Effect.asVoid(
              anyRow(sql`
            DELETE FROM audit_leases WHERE worker = ${worker} ${runIds.size === 0 ? sql`` : sql`AND NOT ${sql.in("run_id", [...runIds])}`} RETURNING domain`)
            ),
          revoke: (runId) =>
            Effect.asVoid(anyRow(sql`UPDATE audit_leases SET worker = '' WHERE run_id = ${runId} RETURNING domain`))
        }
      })
    )

  /** For a service without a database: one process, whose leases end with it. */
  static readonly layerMemory: Layer.Layer<Leases> = Layer.sync(Leases, () => {
    const holders = new Map<string, string>()
    const holds = (domain: string, runId: string): boolean => holders.get(domain) === runId
    return {
      worker: randomUUID(),
      lastsMs: Number.POSITIVE_INFINITY,
      validMs: Number.POSITIVE_INFINITY,
      take: (domain, runId) =>
        Effect.sync(() => {
          if (holders.has(domain)) return false
          holders.set(domain, runId)
          return true
        }),
      renew: (domain, runId) => Effect.sync(() => holds(domain, runId)),
      free: (domain, runId) =>
        Effect.sync(() => {
          if (holds(domain, runId)) holders.delete(domain)
        }),
      freeOthers: (runIds) =>
        Effect.sync(() => {
          for (const [domain, holder] of holders) if (!runIds.has(holder)) holders.delete(domain)
        }),
      revoke: (runId) =>
        Effect.sync(() => {
          for (const [domain, holder] of holders) if (holder === runId) holders.delete(domain)
        })
    }
  })
}

const anyRow = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Stored<boolean> =>
  orUnavailable(Effect.map(rows, ({ length }) => length > 0))
