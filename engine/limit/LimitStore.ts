import * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Stored } from "../store/database/StoreUnavailable.ts"
import { believedFullAt, fullAfter, isCovered, refillMs, ROUNDING_MS, type Taking } from "./Buckets.ts"
import type { Rate } from "./LimitSettings.ts"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { databaseNow, greatest, isDue, least } from "../store/database/SqlDialect.ts"
import { orUnavailable } from "../store/database/SqlDatabase.ts"

/** An audit that counts against a quota. */
interface QuotaHold {
  readonly runId: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly takenAt: number
}

/** The audits of one holder (a client network on a site) that count against its quota. */
interface QuotaHolds {
  /** Newest first. */
  readonly holds: ReadonlyArray<QuotaHold>
  /** The time by the store's clock. */
  readonly now: number
}

/** When a bucket will be full again, and the current time by the same clock: milliseconds since the epoch. */
export interface BucketLevel {
  readonly fullAt: number
  readonly now: number
}

/**
 * Limits that survive restarts and apply across all processes. A shared store uses its own clock, so that the clocks of
 * processes need not agree.
 */
export class LimitStore extends Context.Service<
  LimitStore,
  {
    /**
     * Takes `cost` tokens (no more than the bucket can hold; a negative number gives tokens back), or nothing. `longestMs`: how long the bucket can take to be full again, the
     * rate's window by default; as in `settle` and `look`, a longer time is that of a clock which was set back, and cut.
     */
    readonly take: (bucket: string, cost: number, rate: Rate, longestMs?: number) => Stored<Taking>
    /** Stores what a run has reserved from a bucket; the tokens are already taken. */
    readonly reserve: (runId: string, bucket: string, amount: number) => Stored<void>
    /** Corrects the bucket by what the run spent; does nothing if the run has no reservation, or no longer has one. */
    readonly settle: (runId: string, spent: number, rate: Rate, longestMs: number) => Stored<void>
    /** The newest holds of `holder` that are younger than `windowMs`, at most `most`. One of the future counts from now on. */
    readonly holds: (holder: string, windowMs: number, most: number) => Stored<QuotaHolds>
    readonly hold: (holder: string, runId: string) => Stored<void>
    /** Releases the run's hold on a quota. */
    readonly letGo: (runId: string) => Stored<void>
    /** The state of the bucket; takes no tokens. */
    readonly look: (bucket: string, longestMs: number) => Stored<BucketLevel>
    /** Fills the bucket. */
    readonly fill: (bucket: string) => Stored<void>
    /** Releases all holds of the holder on a quota. */
    readonly release: (holder: string) => Stored<void>
    /**
     * Deletes buckets that are full again, and holds older than `windowMs`; processes that share the store do so once in `intervalMs`
     * milliseconds, together.
     */
    readonly sweep: (windowMs: number, intervalMs: number) => Stored<void>
  }
>()("docgauge/limit/LimitStore") {}

interface Reservation {
  readonly bucket: string
  readonly amount: number
}

interface KeptHold extends QuotaHold {
  readonly holder: string
}

/** For a service without a database: the counts end with the process. */
export const layerMemory: Layer.Layer<LimitStore> = Layer.sync(LimitStore, () => {
  const fullAts = new Map<string, number>()
  const reservations = new Map<string, Reservation>()
  const holds = new Map<string, KeptHold>()
  const atNow = <A>(change: (now: number) => A): Effect.Effect<A> => Effect.map(Clock.currentTimeMillis, change)

  return {
    take: (bucket, cost, rate, longestMs = rate.windowMs) =>
      atNow((now) => {
        const before = believedFullAt(fullAts.get(bucket) ?? now, now, longestMs)
        const fullAt = fullAfter(before, now, cost, rate)
        if (!isCovered(fullAt, now, rate)) {
          fullAts.set(bucket, before)
          return { taken: false, fullAt: before, now }
        }
        fullAts.set(bucket, fullAt)
        return { taken: true, fullAt, now }
      }),
    reserve: (runId, bucket, amount) =>
      Effect.sync(() => {
        reservations.set(runId, { bucket, amount })
      }),
    settle: (runId, spent, rate, longestMs) =>
      atNow((now) => {
        const reservation = reservations.get(runId)
        if (reservation === undefined) return
        reservations.delete(runId)
        const { amount, bucket } = reservation
        fullAts.set(
          bucket,
          fullAfter(believedFullAt(fullAts.get(bucket) ?? now, now, longestMs), now, spent - amount, rate)
        )
      }),
    holds: (holder, windowMs, most) =>
      atNow((now) => {
        for (const [key, hold] of holds)
          if (hold.holder === holder && hold.takenAt > now) holds.set(key, { ...hold, takenAt: now })
        const own = [...holds.values()].filter((hold) => hold.holder === holder && hold.takenAt > now - windowMs)
        return { holds: own.sort((one, other) => other.takenAt - one.takenAt).slice(0, most), now }
      }),
    hold: (holder, runId) =>
      atNow((now) => {
        holds.set(`${runId} ${holder}`, { holder, runId, takenAt: now })
      }),
    letGo: (runId) =>
      Effect.sync(() => {
        for (const [key, hold] of holds) if (hold.runId === runId) holds.delete(key)
      }),
    look: (bucket, longestMs) =>
      atNow((now) => ({ fullAt: believedFullAt(fullAts.get(bucket) ?? now, now, longestMs), now })),
    fill: (bucket) =>
      Effect.sync(() => {
        fullAts.delete(bucket)
      }),
    release: (holder) =>
      Effect.sync(() => {
        for (const [key, hold] of holds) if (hold.holder === holder) holds.delete(key)
      }),
    sweep: (windowMs) =>
      atNow((now) => {
        for (const [bucket, fullAt] of fullAts) if (fullAt <= now) fullAts.delete(bucket)
        for (const [key, hold] of holds) if (hold.takenAt <= now - windowMs) holds.delete(key)
      })
  }
})

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
