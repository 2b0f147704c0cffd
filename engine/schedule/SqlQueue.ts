import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable } from "../store/database/Availability.ts"
import { databaseNow } from "../store/database/DatabaseClock.ts"
import { ReadClient } from "../store/database/ReadClient.ts"
import { runColumns, runOf, type RunRow } from "../store/runs/RunRows.ts"
import type { Int } from "../store/database/ColumnValues.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { Claim, QueueStore } from "./QueueStore.ts"
import { Leases } from "./Leases.ts"
import { monotonicMillis } from "../process/MonotonicClock.ts"
import { postgresTurns } from "./turns/PostgresTurns.ts"
import { LIVE_MS } from "./turns/SqlTurns.ts"
import { sqliteTurns } from "./turns/SqliteTurns.ts"

/** The queue in a database: the order of its runs is kept by `PostgresTurns` or `SqliteTurns`. */
export const makeSqlQueue: Effect.Effect<QueueStore, never, SqlClient | ReadClient | Leases> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const leases = yield* Leases
  const turns = sql.onDialectOrElse({
    pg: () => postgresTurns(sql, leases),
    orElse: () => sqliteTurns(sql, read, leases)
  })

  const announce = Effect.fnUntraced(function* (rubric: string) {
    const now = yield* databaseNow(sql)
    yield* sql`
      INSERT INTO workers (worker, rubric_digest, seen_at) VALUES (${leases.worker}, ${rubric}, ${now})
      ON CONFLICT (worker) DO UPDATE SET rubric_digest = excluded.rubric_digest, seen_at = excluded.seen_at`
    yield* sql`DELETE FROM workers WHERE seen_at <= ${now} - ${LIVE_MS}`
  })

  const claim = Effect.fnUntraced(function* (
    held: ReadonlySet<string>,
    rubric: string | null
  ): Effect.fn.Return<Claim | null, SqlError | StoreUnavailable> {
    // Read first, because the lease cannot begin earlier.
    const askedAt = yield* monotonicMillis
    const serial = yield* turns.take(held, rubric)
    if (serial === null) return null
    const [row] = yield* sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE serial = ${serial}`
    return row === undefined ? null : { run: runOf(row), endsAt: askedAt + leases.validMs }
  })

  const recover = Effect.fnUntraced(function* (held: ReadonlySet<string>) {
    const now = yield* databaseNow(read)
    const left = yield* read<{ readonly id: string; readonly worker: string; readonly begun: Int }>`
      SELECT id, worker, begun FROM runs WHERE status = 'running' AND submitter IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM audit_leases WHERE run_id = CAST(runs.id AS text) AND expires_at > ${now})`
    let count = 0
    for (const { begun, id, worker } of left) {
      if (held.has(id)) continue
      const changed = yield* sql`
        UPDATE runs SET status = 'pending', progress_done = 0, progress_steps = NULL
        WHERE id = ${id} AND status = 'running' AND worker = ${worker} AND begun = ${Number(begun)} RETURNING serial`
      count += changed.length
    }
    return count
  })

  return {
    offer: (runId, submitter) => orUnavailable(turns.offer(runId, submitter)),
    load: (submitter, limit) => orUnavailable(turns.load(submitter, limit)),
    claim: (held, rubric) => orUnavailable(claim(held, rubric)),
    announce: (rubric) => orUnavailable(announce(rubric)),
    recover: (held) => orUnavailable(recover(held)),
    afterCommit: sql.afterCommit
  }
})
