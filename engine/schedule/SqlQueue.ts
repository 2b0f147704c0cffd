import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction, orUnavailable } from "../store/Availability.ts"
import { databaseNow } from "../store/DatabaseClock.ts"
import { currentMicros } from "../store/Instant.ts"
import { ReadClient } from "../store/ReadClient.ts"
import { type Int, runColumns, runOf, type RunRow } from "../store/RunRows.ts"
import type { StoreUnavailable } from "../store/RunStore.ts"
import type { Claim, QueueStore } from "./AuditQueue.ts"
import { Leases } from "./Leases.ts"
import { monotonicMillis } from "./MonotonicClock.ts"
import type { Submitter, SubmitterClass } from "./Submitter.ts"
import { classesAfter } from "./TurnOrder.ts"

/** The classes as `queue_turns.class` has them. */
const NUMBERS: Readonly<Record<SubmitterClass, number>> = { guest: 0, operator: 1 }

/** How long an older version has for beginning a run that it accepted, in microseconds. */
const ADOPTION_AGE = 10 * 60 * 1_000_000

/** How long PostgreSQL waits for the next statement of a transaction that has locked the queue. */
const CUT_OFF_TIMEOUT = "4s"

interface Turn {
  readonly submitter: string
  readonly turn: Int
  /** `runs.serial` */
  readonly run: Int
}

/**
 * The queue in a database. Changes of the order lock the one row of `queue_state`, so that it is the same order over all
 * processes. Runs and leases are locked after it or without it, never before.
 */
export const makeSqlQueue: Effect.Effect<QueueStore, never, SqlClient | ReadClient | Leases> = Effect.gen(function*() {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const leases = yield* Leases

  // A process that is cut off in the middle of a transaction must not hold up the queue of all others for long.
  const untilCutOff = sql.onDialectOrElse({
    pg: () => sql`, set_config('idle_in_transaction_session_timeout', ${CUT_OFF_TIMEOUT}, true)`,
    orElse: () => sql``
  })

  /** Until the transaction ends no other process changes the order. Gives the number of the next turn. */
  const lock = Effect.gen(function*() {
    const [state] = yield* sql<{ readonly turn: Int; readonly last_class: number }>`
      UPDATE queue_state SET turn = turn + 1 RETURNING turn, last_class${untilCutOff}`
    if (state === undefined) return yield* Effect.die(new Error("the queue has no state"))
    return { next: Number(state.turn), lastClass: state.last_class === NUMBERS.guest ? "guest" as const : "operator" as const }
  })

  const offer = Effect.fnUntraced(function*(runId: string, { class: its, key }: Submitter) {
    const { next } = yield* lock
    yield* sql`UPDATE runs SET submitter = ${key} WHERE id = ${runId}`
    // A submitter that waits already keeps its turn; another comes after all that wait.
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

  /** Drops submitters that have no run left, as far as the search came past them, so that the next one does not. */
  const dropIdle = (its: SubmitterClass, before: Int | null) =>
    sql`
      DELETE FROM queue_turns
      WHERE class = ${NUMBERS[its]} AND turn < ${before === null ? Number.MAX_SAFE_INTEGER : Number(before)} AND submitter <> ''
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
      // Only an older version, which knows nothing of this lock, can have come first.
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
    // Before it is asked for: the lease cannot begin earlier than that.
    const askedAt = yield* monotonicMillis
    const run = yield* inTransaction(sql, takeTurn(held))
    return run === null ? null : { run, endsAt: askedAt + leases.validMs }
  })

  /** An older version that is still running accepts runs without a submitter, which no process begins once it has ended. */
  const adopt = Effect.gen(function*() {
    const before = (yield* currentMicros) - ADOPTION_AGE
    const old = yield* read<{ readonly serial: Int }>`
      SELECT serial FROM runs WHERE status IN ('pending', 'running') AND submitter IS NULL AND started_at < ${before}`
    if (old.length === 0) return 0
    const adopted = yield* sql`
      UPDATE runs SET submitter = '' WHERE ${sql.in("serial", old.map(({ serial }) => Number(serial)))} AND status IN ('pending', 'running') RETURNING serial`
    return adopted.length
  })

  const recover = Effect.fnUntraced(function*(held: ReadonlySet<string>) {
    const now = yield* databaseNow(read)
    const left = yield* read<{ readonly id: string; readonly worker: string; readonly begun: Int }>`
      SELECT id, worker, begun FROM runs WHERE status = 'running' AND submitter IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM audit_leases WHERE run_id = CAST(runs.id AS text) AND expires_at > ${now})`
    let count = yield* adopt
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
