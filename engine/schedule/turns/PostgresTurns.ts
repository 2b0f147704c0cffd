import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { databaseNow } from "../../store/database/DatabaseClock.ts"
import type { Int } from "../../store/database/ColumnValues.ts"
import { CLASS_NUMBERS, countLoad, type LeaseHolder, LIVE_MS, type SqlTurns } from "./SqlTurns.ts"

/** Accepted runs that may be in flight without one being counted by another: closer to the limit of the queue they wait for each other. */
const IN_FLIGHT = 100

/**
 * The order of runs on PostgreSQL. A run is taken by one statement, which holds the only row of `queue_state` while it takes a run, and
 * accepting a run does not lock what all runs share: only its submitter and the wider networks that are limited, so that their limits
 * hold, and, where the queue is nearly full, a lock that those who accept runs then share.
 */
export const postgresTurns = (sql: SqlClient, leases: LeaseHolder): SqlTurns => ({
  // A submitter that is waiting keeps its turn; a new one goes to the end. The lock keeps `docgauge_drop_idle_turns` from deleting it.
  offer: (runId, { class: its, key }) =>
    Effect.flatMap(databaseNow(sql), (now) =>
      Effect.asVoid(sql`
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended(${`submitter ${key}`}, 0))),
      queued AS (UPDATE runs SET submitter = ${key}, queued_at = ${now} WHERE id = ${runId})
    INSERT INTO queue_turns (submitter, class, turn) SELECT ${key}::text, ${CLASS_NUMBERS[its]}::smallint, nextval('queue_turn_numbers') FROM locked
    ON CONFLICT (submitter) DO NOTHING`)
    ),

  load: Effect.fnUntraced(function* (submitter, limit) {
    // Operators and schedules have no limit of their own. The widest network first, so that none waits for one that waits for it.
    const limited = submitter.class === "guest" ? [...submitter.within, submitter.key] : []
    if (limited.length > 0)
      yield* sql`SELECT ${sql.csv(limited.map((key) => sql`pg_advisory_xact_lock(hashtextextended(${`submitter ${key}`}, 0))`))}`
    const load = yield* countLoad(sql, submitter)
    if (limit === null || load.waiting >= limit || load.waiting < limit - IN_FLIGHT) return load
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('queue limit', 0))`
    return yield* countLoad(sql, submitter)
  }),

  take: Effect.fnUntraced(function* (held, rubric) {
    const [row] = yield* sql<{ readonly run: Int | null }>`
      SELECT docgauge_claim(${leases.worker}::text, ${leases.lastsMs}::double precision, ${rubric}::text, string_to_array(${[...held].join(",")}, ',')::uuid[], ${LIVE_MS}::double precision) AS run`
    return row === undefined || row.run === null ? null : Number(row.run)
  })
})
