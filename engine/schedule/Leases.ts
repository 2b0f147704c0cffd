import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { orUnavailable } from "../store/Availability.ts"
import { databaseNow } from "../store/DatabaseClock.ts"
import type { StoreUnavailable } from "../store/RunStore.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** The rest of a lease is for stopping an audit, and for clocks that do not go at quite the same rate. */
const RELIABLE_SHARE = 0.8

/**
 * Who audits which registrable domain: one audit at a time over all processes. A lease that is not renewed runs out, so
 * that a process that dies does not keep its domains.
 */
export class Leases extends Context.Service<Leases, {
  /** The name of this process among the holders. */
  readonly worker: string
  /**
   * How long a holder may rely on a lease, in milliseconds from when it asked for it: a little less than the lease lasts, so
   * that it has stopped by the time that another may take over.
   */
  readonly validMs: number
  /** False: another audit has the domain. */
  readonly take: (domain: string, runId: string) => Stored<boolean>
  /** False: it ran out, and another process has it. */
  readonly renew: (domain: string, runId: string) => Stored<boolean>
  readonly free: (domain: string, runId: string) => Stored<void>
  /**
   * Takes the lease from whoever audits the run, in any process: it stops within a heartbeat. The domain is free once the
   * lease has run out, so that what is still on its way meets no other audit.
   */
  readonly revoke: (runId: string) => Stored<void>
}>()("docgauge/schedule/Leases") {
  /** In the table `audit_leases`; a lease stands for `leaseMs` milliseconds after it was renewed last. */
  static readonly layerSql = (leaseMs: number): Layer.Layer<Leases, never, SqlClient> =>
    Layer.effect(Leases, Effect.gen(function*() {
      const sql = yield* SqlClient
      const worker = randomUUID()
      const until = Effect.map(databaseNow(sql), (now) => ({ now, end: sql`${now} + ${leaseMs}` }))
      const take = Effect.fnUntraced(function*(domain: string, runId: string) {
        const { end, now } = yield* until
        return yield* sql`
          INSERT INTO audit_leases (domain, run_id, worker, expires_at) VALUES (${domain}, ${runId}, ${worker}, ${end})
          ON CONFLICT (domain) DO UPDATE SET run_id = ${runId}, worker = ${worker}, expires_at = ${end}
          WHERE audit_leases.expires_at <= ${now}
          RETURNING domain`
      })
      const renew = Effect.fnUntraced(function*(domain: string, runId: string) {
        const { end } = yield* until
        return yield* sql`
          UPDATE audit_leases SET expires_at = ${end}
          WHERE domain = ${domain} AND run_id = ${runId} AND worker = ${worker}
          RETURNING domain`
      })
      return {
        worker,
        validMs: leaseMs * RELIABLE_SHARE,
        take: (domain, runId) => anyRow(take(domain, runId)),
        renew: (domain, runId) => anyRow(renew(domain, runId)),
        free: (domain, runId) =>
          Effect.asVoid(anyRow(sql`DELETE FROM audit_leases WHERE domain = ${domain} AND run_id = ${runId} AND worker = ${worker} RETURNING domain`)),
        revoke: (runId) => Effect.asVoid(anyRow(sql`UPDATE audit_leases SET worker = '' WHERE run_id = ${runId} RETURNING domain`))
      }
    }))

  /** Without a database there is one process, and nobody to wait for when it is gone. */
  static readonly layerMemory: Layer.Layer<Leases> = Layer.sync(Leases, () => {
    const holders = new Map<string, string>()
    const holds = (domain: string, runId: string): boolean => holders.get(domain) === runId
    return {
      worker: randomUUID(),
      validMs: Number.POSITIVE_INFINITY,
      take: (domain, runId) =>
        Effect.sync(() => {
          if (holders.has(domain)) return false
          holders.set(domain, runId)
          return true
        }),
      renew: (domain, runId) => Effect.sync(() => holds(domain, runId)),
      free: (domain, runId) => Effect.sync(() => { if (holds(domain, runId)) holders.delete(domain) }),
      revoke: (runId) => Effect.sync(() => { for (const [domain, holder] of holders) if (holder === runId) holders.delete(domain) })
    }
  })
}

const anyRow = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Stored<boolean> =>
  orUnavailable(Effect.map(rows, ({ length }) => length > 0))
