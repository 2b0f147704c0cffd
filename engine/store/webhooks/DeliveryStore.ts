import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { randomUUID } from "node:crypto"
import { DAY_MICROS, formatMillis, type Int } from "../database/ColumnValues.ts"
import { databaseNow, isDue } from "../database/SqlDialect.ts"
import { inTransaction, orUnavailable, ReadClient, withinTransaction } from "../database/SqlDatabase.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

/** The type of the event by which an owner tries a webhook out. It is sent once, and its failure counts for nothing. */
export const TEST_EVENT = "webhook.test"

/** `dropped`: not to be sent any more, because its run or its webhook is gone. */
type DeliveryState = "waiting" | "delivered" | "failed" | "dropped"

/** A delivery as its webhook's owner sees it. */
export interface Delivery {
  /** The `webhook-id` of all its attempts. */
  readonly id: string
  readonly type: string
  /** `null` for `TEST_EVENT`. */
  readonly runId: string | null
  readonly state: DeliveryState
  /** How often it was sent; one that is being sent counts. */
  readonly attempts: number
  /** RFC 3339. */
  readonly createdAt: string
  /** When it is sent next, RFC 3339; `null` unless it is `waiting`. */
  readonly nextAt: string | null
  /** The status of the last response; `null` without one. */
  readonly lastStatus: number | null
  /** Why the last attempt failed; `null` if it did not. */
  readonly lastProblem: string | null
}

/** A message to be delivered. */
export interface NewDelivery {
  readonly type: string
  readonly runId: string | null
  /** JSON text, which is sent as it is. */
  readonly body: string
}

/** An attempt at a delivery, which this process makes alone. */
export interface ClaimedDelivery {
  readonly serial: number
  readonly id: string
  readonly type: string
  /** From 1 on. */
  readonly attempt: number
  readonly body: string
  /** Since the delivery was created, in milliseconds. */
  readonly ageMs: number
  readonly url: string
  readonly secret: string
  /** `base_url_norm`. */
  readonly site: string
  /** Whether its run was deleted, or hidden by an operator. */
  readonly isWithdrawn: boolean
}

/** The end of an attempt. `status`: of the response; `null` without one. */
export type DeliveryOutcome =
  | { readonly _tag: "Delivered"; readonly status: number }
  | { readonly _tag: "Later"; readonly status: number | null; readonly problem: string; readonly afterMs: number }
  /** It is not sent again. `ends`: nor is anything else of its webhook, for this reason. */
  | {
      readonly _tag: "Failed"
      readonly status: number | null
      readonly problem: string
      readonly ends: string | null
    }
  | { readonly _tag: "Dropped"; readonly problem: string }
  /** This process could not send it, so the attempt does not count. */
  | { readonly _tag: "Unsent"; readonly afterMs: number }

/** After as many deliveries in a row that failed, nothing is sent to a webhook any more. */
export const MOST_FAILURES = 5

/** An attempt without an end by then was made by a process that died, in milliseconds: none takes as long, a second process included. */
export const LEASE_MS = 120_000

/** How long deliveries are kept, in milliseconds. */
const KEPT_MS = 30 * (DAY_MICROS / 1_000)

/** How often old ones are deleted, in milliseconds. */
export const SWEEP_INTERVAL_MS = 60 * 60_000

/** The deliveries of webhooks, and the finished runs that they tell of. Times are by the database's clock. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Whether there is neither a run to take nor a delivery that is due. */
    readonly isIdle: Stored<boolean>
    /**
     * Takes the oldest finished run of a site with webhooks; `null` if there is none that no other process has taken. Call it in the
     * transaction that adds its deliveries: a process that dies leaves it to the next.
     */
    readonly takeRun: Stored<string | null>
    /** Adds a delivery that is due at once, unless its webhook has been deleted; returns its id. */
    readonly add: (webhookId: string, delivery: NewDelivery) => Stored<string>
    /** Begins an attempt at each of the deliveries that are due, at most `limit`, those that have waited longest. */
    readonly claimDue: (limit: number) => Stored<ReadonlyArray<ClaimedDelivery>>
    /** Writes the end of an attempt; false if it counts as lost already. */
    readonly settle: (claimed: ClaimedDelivery, outcome: DeliveryOutcome) => Stored<boolean>
    /** The newest deliveries of a webhook, newest first. */
    readonly newest: (webhookId: string, limit: number) => Stored<ReadonlyArray<Delivery>>
    /** Deletes deliveries of more than 30 days ago, once in `SWEEP_INTERVAL_MS` over all processes. */
    readonly sweep: Stored<void>
  }
>()("docgauge/store/DeliveryStore") {
  static readonly layerNone: Layer.Layer<DeliveryStore> = Layer.succeed(DeliveryStore, {
    isIdle: Effect.succeed(true),
    takeRun: Effect.succeed(null),
    add: () => Effect.die(new Error("there is no database to keep deliveries in")),
    claimDue: () => Effect.succeed([]),
    settle: () => Effect.succeed(false),
    newest: () => Effect.succeed([]),
    sweep: Effect.void
  })

  static readonly layerSql: Layer.Layer<DeliveryStore, never, SqlClient | ReadClient> = Layer.effect(
    DeliveryStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient

      // SQLite's transactions lock the database.
      const skipLocked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE SKIP LOCKED`, orElse: () => sql`` })

      // Its owner may delete it at the same time.
      const keyShared = sql.onDialectOrElse({ pg: () => sql`FOR KEY SHARE`, orElse: () => sql`` })

      const locked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE`, orElse: () => sql`` })

      const takeRun = Effect.gen(function* () {
        const [row] = yield* sql<{
          readonly run_id: string
        }>`SELECT run_id FROM webhook_runs ORDER BY run_id LIMIT 1 ${skipLocked}`
        if (row === undefined) return null
        yield* sql`DELETE FROM webhook_runs WHERE run_id = ${row.run_id}`
        return row.run_id
      })

      const add = Effect.fnUntraced(function* (webhookId: string, { body, runId, type }: NewDelivery) {
        const [id, now] = [randomUUID(), yield* databaseNow(sql)]
        const [webhook] = yield* sql<{
          readonly serial: Int
        }>`SELECT serial FROM webhooks WHERE id = ${webhookId} ${keyShared}`
        if (webhook !== undefined)
          yield* sql`
            INSERT INTO webhook_deliveries (id, webhook, run_id, type, body, created_at, next_at)
            VALUES (${id}, ${Number(webhook.serial)}, ${runId}, ${type}, ${body}, ${now}, ${now})`
        return id
      })

      const isIdle = Effect.gen(function* () {
        const now = yield* databaseNow(read)
        const rows = yield* read`
          SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM webhook_runs)
            OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'waiting' AND next_at <= ${now})`
        return rows.length === 0
      })

      const claimDue = Effect.fnUntraced(function* (limit: number) {
        const now = yield* databaseNow(sql)
        const due = yield* sql<{ readonly serial: Int }>`
          SELECT serial FROM webhook_deliveries WHERE state = 'waiting' AND next_at <= ${now} ORDER BY next_at, serial LIMIT ${limit} ${skipLocked}`
        if (due.length === 0) return []
        const serials = due.map(({ serial }) => Number(serial))
        yield* sql`UPDATE webhook_deliveries SET attempts = attempts + 1, next_at = ${now} + ${LEASE_MS} WHERE ${sql.in("serial", serials)}`
        const rows = yield* sql<ClaimedRow>`
          SELECT deliveries.serial, deliveries.id, deliveries.type, deliveries.attempts, deliveries.body, ${now} - deliveries.created_at AS age,
            webhooks.url, webhooks.secret, webhooks.site, deliveries.run_id IS NOT NULL AND (runs.id IS NULL OR runs.hidden) AS withdrawn
          FROM webhook_deliveries deliveries JOIN webhooks ON webhooks.serial = deliveries.webhook
          LEFT JOIN runs ON runs.id = deliveries.run_id
          WHERE ${sql.in("deliveries.serial", serials)} ORDER BY deliveries.serial`
        return rows.map(claimedOf)
      })

      const settle = Effect.fnUntraced(function* (claimed: ClaimedDelivery, outcome: DeliveryOutcome) {
        // First, in the order of all who change both: else two deliveries of a webhook that fail at once could wait for each other.
        yield* sql`
          SELECT serial FROM webhooks WHERE serial = (SELECT webhook FROM webhook_deliveries WHERE serial = ${claimed.serial}) ${locked}`
        const change = changeOf(sql, outcome, yield* databaseNow(sql))
        const [row] = yield* sql<{ readonly webhook: Int }>`
          UPDATE webhook_deliveries SET ${change}
          WHERE serial = ${claimed.serial} AND attempts = ${claimed.attempt} AND state = 'waiting' RETURNING webhook`
        if (row === undefined) return false
        if (claimed.type !== TEST_EVENT) yield* countFor(sql, Number(row.webhook), outcome)
        return true
      })

      const newest = (webhookId: string, limit: number) => read<DeliveryRow>`
        SELECT * FROM webhook_deliveries WHERE webhook = (SELECT serial FROM webhooks WHERE id = ${webhookId}) ORDER BY serial DESC LIMIT ${limit}`

      const sweep = Effect.gen(function* () {
        if (!(yield* isDue(sql, "webhook sweep", SWEEP_INTERVAL_MS / 2))) return
        yield* sql`DELETE FROM webhook_deliveries WHERE created_at <= ${yield* databaseNow(sql)} - ${KEPT_MS}`
      })

      return {
        takeRun: orUnavailable(takeRun),
        isIdle: orUnavailable(isIdle),
        add: (webhookId, delivery) => orUnavailable(withinTransaction(sql, add(webhookId, delivery))),
        claimDue: (limit) => orUnavailable(inTransaction(sql, claimDue(limit))),
        settle: (claimed, outcome) => orUnavailable(inTransaction(sql, settle(claimed, outcome))),
        newest: (webhookId, limit) =>
          orUnavailable(Effect.map(newest(webhookId, limit), (rows) => rows.map(deliveryOf))),
        sweep: orUnavailable(sweep)
      }
    })
  )
}

/** What an outcome makes of its delivery's row. */
const changeOf = (sql: SqlClient, outcome: DeliveryOutcome, now: Fragment): Fragment => {
  switch (outcome._tag) {
    case "Delivered":
      return sql`state = 'delivered', last_status = ${outcome.status}, last_problem = NULL`
    case "Later":
      return sql`next_at = ${now} + ${outcome.afterMs}, last_status = ${outcome.status}, last_problem = ${outcome.problem}`
    case "Failed":
      return sql`state = 'failed', last_status = ${outcome.status}, last_problem = ${outcome.problem}`
    case "Dropped":
      return sql`state = 'dropped', last_problem = ${outcome.problem}`
    case "Unsent":
      return sql`attempts = attempts - 1, next_at = ${now} + ${outcome.afterMs}`
  }
}

/** Counts failures in a row, and ends a webhook that has too many of them. */
const countFor = Effect.fnUntraced(function* (sql: SqlClient, webhook: number, outcome: DeliveryOutcome) {
  if (outcome._tag === "Delivered")
    yield* sql`UPDATE webhooks SET failures = 0 WHERE serial = ${webhook} AND failures > 0`
  if (outcome._tag !== "Failed") return
  const [row] = yield* sql<{ readonly failures: number }>`
    UPDATE webhooks SET failures = failures + 1 WHERE serial = ${webhook} RETURNING failures`
  const problem = outcome.ends ?? ((row?.failures ?? 0) >= MOST_FAILURES ? TOO_MANY_FAILURES : null)
  if (problem === null) return
  yield* sql`UPDATE webhooks SET problem = ${problem} WHERE serial = ${webhook} AND problem IS NULL`
  yield* sql`UPDATE webhook_deliveries SET state = 'dropped' WHERE webhook = ${webhook} AND state = 'waiting'`
})

const TOO_MANY_FAILURES = `${MOST_FAILURES} deliveries in a row failed.`

interface ClaimedRow {
  readonly serial: Int
  readonly id: string
  readonly type: string
  readonly attempts: number
  readonly body: string
  readonly age: number
  readonly url: string
  readonly secret: string
  readonly site: string
  readonly withdrawn: boolean | number
}

const claimedOf = ({ age, attempts, serial, withdrawn, ...row }: ClaimedRow): ClaimedDelivery => ({
  ...row,
  serial: Number(serial),
  attempt: attempts,
  ageMs: age,
  isWithdrawn: Boolean(withdrawn)
})

interface DeliveryRow {
  readonly id: string
  readonly type: string
  readonly run_id: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly created_at: number
  readonly next_at: number
  readonly last_status: number | null
  readonly last_problem: string | null
}

const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  type: row.type,
  runId: row.run_id,
  state: row.state,
  attempts: row.attempts,
  createdAt: formatMillis(row.created_at),
  nextAt: row.state === "waiting" ? formatMillis(row.next_at) : null,
  lastStatus: row.last_status,
  lastProblem: row.last_problem
})
