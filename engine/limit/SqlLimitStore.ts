import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { databaseNow, greatest, isDue, least } from "../store/database/SqlDialect.ts"
import { orUnavailable } from "../store/database/SqlDatabase.ts"
import { believedFullAt, refillMs, ROUNDING_MS, type Taking } from "./Buckets.ts"
import { LimitStore } from "./LimitStore.ts"
import type { Rate } from "./RateSpec.ts"

/*
 * Not `RateLimiterStore` of effect/persistence, because it can neither return tokens nor hold a quota for a run, counts whole
 * tokens only, makes a refusal an error with a stack, and never drops a key from its memory store.
 */

interface BucketRow {
  readonly full_at: number
  readonly now: number
}

interface HoldRow {
  readonly run_id: string
  readonly taken_at: number
}

/** In the tables `limit_buckets`, `limit_reservations` and `quota_holds`. Every change is one statement. */
export const layerSql: Layer.Layer<LimitStore, never, SqlClient> = Layer.effect(
  LimitStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const take = Effect.fnUntraced(function* (bucket: string, cost: number, rate: Rate, longestMs: number) {
      const now = yield* databaseNow(sql)
      const costMs = refillMs(cost, rate)
      const after = sql`${greatest(sql, sql`limit_buckets.full_at`, now)} + ${costMs}`
      const taken = yield* sql<BucketRow>`
        INSERT INTO limit_buckets (bucket, full_at) VALUES (${bucket}, ${now} + ${costMs})
        ON CONFLICT (bucket) DO UPDATE SET full_at = ${after} WHERE ${after} <= ${now} + ${rate.windowMs + ROUNDING_MS}
        RETURNING full_at, ${now} AS now`
      return takingOf(taken.length > 0, taken.length > 0 ? taken : yield* refused(bucket, longestMs))
    })

    const refused = Effect.fnUntraced(function* (bucket: string, longestMs: number) {
      const now = yield* databaseNow(sql)
      const rows = yield* sql<BucketRow>`SELECT full_at, ${now} AS now FROM limit_buckets WHERE bucket = ${bucket}`
      if (rows.every((row) => row.full_at <= row.now + longestMs)) return rows
      return yield* sql<BucketRow>`
        UPDATE limit_buckets SET full_at = ${believed(now, longestMs)} WHERE bucket = ${bucket} RETURNING full_at, ${now} AS now`
    })

    /** `believedFullAt` of a row. */
    const believed = (now: Fragment, longestMs: number) =>
      least(sql, sql`limit_buckets.full_at`, sql`${now} + ${longestMs}`)

    /** In one round trip, for PostgreSQL. */
    const settleAtOnce = Effect.fnUntraced(function* (runId: string, spent: number, rate: Rate, longestMs: number) {
      const now = yield* databaseNow(sql)
      yield* sql`
        WITH settled AS (DELETE FROM limit_reservations WHERE run_id = ${runId} RETURNING bucket, amount)
        INSERT INTO limit_buckets (bucket, full_at) SELECT bucket, ${now} + (${spent} - amount) * ${refillMs(1, rate)}::double precision FROM settled
        ON CONFLICT (bucket) DO UPDATE SET full_at = ${greatest(sql, believed(now, longestMs), now)} + (excluded.full_at - ${now})`
    })

    const settleInTurn = Effect.fnUntraced(function* (runId: string, spent: number, rate: Rate, longestMs: number) {
      const rows = yield* sql<{ readonly bucket: string; readonly amount: number }>`
        DELETE FROM limit_reservations WHERE run_id = ${runId} RETURNING bucket, amount`
      for (const { amount, bucket } of rows) {
        const now = yield* databaseNow(sql)
        const costMs = refillMs(spent - amount, rate)
        yield* sql`
          INSERT INTO limit_buckets (bucket, full_at) VALUES (${bucket}, ${now} + ${costMs})
          ON CONFLICT (bucket) DO UPDATE SET full_at = ${greatest(sql, believed(now, longestMs), now)} + ${costMs}`
      }
    })

    const settle = sql.onDialectOrElse({ pg: () => settleAtOnce, orElse: () => settleInTurn })

    const holds = Effect.fnUntraced(function* (holder: string, windowMs: number, most: number) {
      const now = yield* databaseNow(sql)
      const rows = yield* sql<HoldRow & { readonly now: number }>`
        SELECT run_id, taken_at, ${now} AS now FROM quota_holds
        WHERE holder = ${holder} AND taken_at > ${now} - ${windowMs}
        ORDER BY taken_at DESC LIMIT ${most}`
      const current = rows[0]?.now ?? 0
      if (rows.some((row) => row.taken_at > current))
        yield* sql`UPDATE quota_holds SET taken_at = ${now} WHERE holder = ${holder} AND taken_at > ${now}`
      return {
        holds: rows.map((row) => ({ runId: row.run_id, takenAt: Math.min(row.taken_at, current) })),
        now: current
      }
    })

    const look = Effect.fnUntraced(function* (bucket: string, longestMs: number) {
      const now = yield* databaseNow(sql)
      const [row] = yield* sql<{ readonly now: number; readonly full_at: number | null }>`
        SELECT ${now} AS now, (SELECT full_at FROM limit_buckets WHERE bucket = ${bucket}) AS full_at`
      const current = row?.now ?? 0
      return { now: current, fullAt: believedFullAt(row?.full_at ?? current, current, longestMs) }
    })

    const sweep = Effect.fnUntraced(function* (windowMs: number, intervalMs: number) {
      if (!(yield* isDue(sql, "limit sweep", intervalMs))) return
      const now = yield* databaseNow(sql)
      yield* sql`DELETE FROM limit_buckets WHERE full_at <= ${now}`
      yield* sql`DELETE FROM quota_holds WHERE taken_at <= ${now} - ${windowMs}`
    })

    return {
      take: (bucket, cost, rate, longestMs = rate.windowMs) => orUnavailable(take(bucket, cost, rate, longestMs)),
      reserve: (runId, bucket, amount) =>
        Effect.asVoid(
          orUnavailable(
            sql`INSERT INTO limit_reservations (run_id, bucket, amount) VALUES (${runId}, ${bucket}, ${amount})`
          )
        ),
      settle: (runId, spent, rate, longestMs) => orUnavailable(settle(runId, spent, rate, longestMs)),
      holds: (holder, windowMs, most) => orUnavailable(holds(holder, windowMs, most)),
      hold: (holder, runId) =>
        Effect.asVoid(
          orUnavailable(
            Effect.flatMap(
              databaseNow(sql),
              (now) => sql`INSERT INTO quota_holds (run_id, holder, taken_at) VALUES (${runId}, ${holder}, ${now})`
            )
          )
        ),
      letGo: (runId) => Effect.asVoid(orUnavailable(sql`DELETE FROM quota_holds WHERE run_id = ${runId}`)),
      look: (bucket, longestMs) => orUnavailable(look(bucket, longestMs)),
      fill: (bucket) => Effect.asVoid(orUnavailable(sql`DELETE FROM limit_buckets WHERE bucket = ${bucket}`)),
      release: (holder) => Effect.asVoid(orUnavailable(sql`DELETE FROM quota_holds WHERE holder = ${holder}`)),
      sweep: (windowMs, intervalMs) => orUnavailable(sweep(windowMs, intervalMs))
    }
  })
)

const takingOf = (taken: boolean, rows: ReadonlyArray<BucketRow>): Taking => ({
  taken,
  fullAt: rows[0]?.full_at ?? 0,
  now: rows[0]?.now ?? 0
})
