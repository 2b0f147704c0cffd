import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction, orUnavailable } from "../store/database/Availability.ts"
import { databaseNow } from "../store/database/DatabaseClock.ts"
import { ReadClient } from "../store/database/ReadClient.ts"
import { runColumns, runOf, type RunRow } from "../store/runs/RunRows.ts"
import type { Int } from "../store/database/ColumnValues.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { Claim, QueueStore } from "./QueueStore.ts"
import { Leases } from "./Leases.ts"
import { monotonicMillis } from "./MonotonicClock.ts"
import type { Submitter, SubmitterClass } from "./Submitter.ts"
import { classesAfter } from "./TurnOrder.ts"

/** The values of `queue_turns.class`. */
const NUMBERS: Readonly<Record<SubmitterClass, number>> = { guest: 0, operator: 1 }

/** How long PostgreSQL waits for the next statement of a transaction that has locked the queue. */
const IDLE_TIMEOUT = "4s"

interface Turn {
  readonly submitter: string
  readonly turn: Int
  /** `runs.serial` */
  readonly run: Int
}

/**
 * The queue in a database. Every change of the order first locks the only row of `queue_state`, so that all processes see one
 * order. Locks of runs and leases are taken after that one or without it, never before, to avoid deadlocks.
 */
export const makeSqlQueue: Effect.Effect<QueueStore, never, SqlClient | ReadClient | Leases> = Effect.gen(function*() {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const leases = yield* Leases

  // A process that loses its connection within a transaction must not block the queue for long.
  const idleTimeout = sql.onDialectOrElse({
    pg: () => sql`, set_config('idle_in_transaction_session_timeout', ${IDLE_TIMEOUT}, true)`,
    orElse: () => sql``
  })

  /** Locks the order until the transaction ends, and returns the number of the next turn. */
  const lock = Effect.gen(function*() {
    const [state] = yield* sql<{ readonly turn: Int; readonly last_class: number }>`
      UPDATE queue_state SET turn = turn + 1 RETURNING turn, last_class${idleTimeout}`
    if (state === undefined) return yield* Effect.die(new Error("the queue has no state"))
    return { next: Number(state.turn), lastClass: state.last_class === NUMBERS.guest ? "guest" as const : "operator" as const }
  })

  const offer = Effect.fnUntraced(function*(runId: string, { class: its, key }: Submitter) {
    const { next } = yield* lock
    yield* sql`UPDATE runs SET submitter = ${key} WHERE id = ${runId}`
    // A submitter that is waiting keeps its turn; a new one goes to the end.
    yield* sql`INSERT INTO queue_turns (submitter, class, turn) VALUES (${key}, ${NUMBERS[its]}, ${next}) ON CONFLICT (submitter) DO NOTHING`
  })

  const load = Effect.fnUntraced(function*({ key }: Submitter) {
    yield* lock
    const [row] = yield* sql<{ readonly waiting: Int; readonly of_submitter: Int }>`
      SELECT
        (SELECT COUNT(*) FROM runs WHERE status IN ('pending', 'running') AND status = 'pending' AND submitter IS NOT NULL) AS waiting,
        (SELECT COUNT(*) FROM runs WHERE status IN ('pending', 'running') AND submitter = ${key}) AS of_submitter`
    return { waiting: Number(row?.waiting ?? 0), ofSubmitter: Number(row?.of_submitter ?? 0) }
  })

  /** The first submitter of a class, in the order of turns, that has a run whose domain is free; and that run. */
  const firstOf = (its: SubmitterClass, held: ReadonlySet<string>, now: Fragment) =>
    Effect.map(
      sql<Turn>`
        SELECT * FROM (
          SELECT submitter, turn, (
            SELECT runs.serial FROM runs JOIN sites ON sites.serial = runs.site
            WHERE runs.submitter = queue_turns.submitter AND runs.status IN ('pending', 'running') AND runs.status = 'pending'
              AND sites.domain NOT IN (SELECT domain FROM audit_leases WHERE expires_at > ${now})
              ${held.size === 0 ? sql`` : sql`AND NOT ${sql.in("runs.id", [...held])}`}
            ORDER BY runs.serial LIMIT 1
          ) AS run
          FROM queue_turns WHERE class = ${NUMBERS[its]}
        ) turns WHERE run IS NOT NULL ORDER BY turn LIMIT 1`,
      ([first]) => first ?? null
    )

  /** Deletes the submitters without runs that the search has passed, so that the next search does not read them. */
  const dropIdle = (its: SubmitterClass, before: Int | null) =>
    sql`
      DELETE FROM queue_turns
      WHERE class = ${NUMBERS[its]} AND turn < ${before === null ? Number.MAX_SAFE_INTEGER : Number(before)}
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.submitter = queue_turns.submitter AND runs.status IN ('pending', 'running'))`

  const endTurn = Effect.fnUntraced(function*({ run, submitter }: Turn, next: number) {
    yield* sql`UPDATE queue_turns SET turn = ${next} WHERE submitter = ${submitter}`
    const [row] = yield* sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE serial = ${Number(run)}`
    return row === undefined ? null : runOf(row)
  })

  const takeTurn = Effect.fnUntraced(function*(held: ReadonlySet<string>) {
    const { lastClass, next } = yield* lock
    const now = yield* databaseNow(sql)
    for (const its of classesAfter(lastClass)) {
      const first = yield* firstOf(its, held, now)
      yield* dropIdle(its, first?.turn ?? null)
      if (first === null) continue
      if (its !== lastClass) yield* sql`UPDATE queue_state SET last_class = ${NUMBERS[its]}`
      const run = yield* endTurn(first, next)
      if (run !== null && (yield* leases.take(run.domain, run.id))) return run
    }
    return null
  })

  const isAnyWaiting = Effect.map(
    read`SELECT 1 AS one FROM runs WHERE status IN ('pending', 'running') AND status = 'pending' AND submitter IS NOT NULL LIMIT 1`,
    ({ length }) => length > 0
  )

  const claim = Effect.fnUntraced(function*(held: ReadonlySet<string>): Effect.fn.Return<Claim | null, SqlError | StoreUnavailable> {
    if (!(yield* isAnyWaiting)) return null
    // Read first, because the lease cannot begin earlier.
    const askedAt = yield* monotonicMillis
    const run = yield* inTransaction(sql, takeTurn(held))
    return run === null ? null : { run, endsAt: askedAt + leases.validMs }
  })

  const recover = Effect.fnUntraced(function*(held: ReadonlySet<string>) {
    const now = yield* databaseNow(read)
    const left = yield* read<{ readonly id: string; readonly worker: string; readonly begun: Int }>`
      SELECT id, worker, begun FROM runs WHERE status = 'running' AND submitter IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM audit_leases WHERE run_id = CAST(runs.id AS text) AND expires_at > ${now})`
    let count = 0
    for (const { begun, id, worker } of left) {
      if (held.has(id)) continue
      const changed = yield* sql`
        UPDATE runs SET status = 'pending', worker = NULL, progress_done = 0
        WHERE id = ${id} AND status = 'running' AND worker = ${worker} AND begun = ${Number(begun)} RETURNING serial`
      count += changed.length
    }
    return count
  })

  return {
    offer: (runId, submitter) => orUnavailable(offer(runId, submitter)),
    load: (submitter) => orUnavailable(load(submitter)),
    claim: (held) => orUnavailable(claim(held)),
    recover: (held) => orUnavailable(recover(held)),
    afterCommit: sql.afterCommit
  }
})
