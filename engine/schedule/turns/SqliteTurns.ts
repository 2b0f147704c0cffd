import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction } from "../../store/database/Availability.ts"
import { databaseNow } from "../../store/database/DatabaseClock.ts"
import type { Int } from "../../store/database/ColumnValues.ts"
import { CLASS_NUMBERS, countLoad, type LeaseHolder, LIVE_MS, type SqlTurns } from "./SqlTurns.ts"
import type { Submitter, SubmitterClass } from "./Submitter.ts"
import { classesAfter } from "./TurnOrder.ts"

interface Turn {
  readonly submitter: string
  readonly turn: Int
  /** `runs.serial` */
  readonly run: Int
}

/** The order of runs on SQLite, whose transactions follow one another. */
export const sqliteTurns = (sql: SqlClient, leases: LeaseHolder): SqlTurns => {
  /** Returns the number of the next turn, and the class of the last. */
  const nextTurn = Effect.gen(function*() {
    const [state] = yield* sql<{ readonly turn: Int; readonly last_class: number }>`
      UPDATE queue_state SET turn = turn + 1 RETURNING turn, last_class`
    if (state === undefined) return yield* Effect.die(new Error("the queue has no state"))
    return { next: Number(state.turn), lastClass: state.last_class === CLASS_NUMBERS.guest ? "guest" as const : "operator" as const }
  })

  const offer = Effect.fnUntraced(function*(runId: string, { class: its, key }: Submitter) {
    const { next } = yield* nextTurn
    yield* sql`UPDATE runs SET submitter = ${key} WHERE id = ${runId}`
    // A submitter that is waiting keeps its turn; a new one goes to the end.
    yield* sql`INSERT INTO queue_turns (submitter, class, turn) VALUES (${key}, ${CLASS_NUMBERS[its]}, ${next}) ON CONFLICT (submitter) DO NOTHING`
  })

  /** A run that a worker with its rubric could take is left to it, as during a deploy. */
  const mayJudge = (rubric: string, now: Fragment) => sql`(runs.rubric_digest = ${rubric} OR (
    runs.started_at <= (${now} - ${LIVE_MS}) * 1000
    AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.rubric_digest = runs.rubric_digest AND seen_at > ${now} - ${LIVE_MS})
  ))`

  /** The first submitter of a class, in the order of turns, that has a run whose domain is free; and that run. */
  const firstOf = (its: SubmitterClass, held: ReadonlySet<string>, rubric: string | null, now: Fragment) =>
    Effect.map(
      sql<Turn>`
        SELECT * FROM (
          SELECT submitter, turn, (
            SELECT runs.serial FROM runs JOIN sites ON sites.serial = runs.site
            WHERE runs.submitter = queue_turns.submitter AND runs.status IN ('pending', 'running') AND runs.status = 'pending'
              AND NOT EXISTS (SELECT 1 FROM audit_leases WHERE audit_leases.domain = sites.domain AND expires_at > ${now})
              ${rubric === null ? sql`` : sql`AND ${mayJudge(rubric, now)}`}
              ${held.size === 0 ? sql`` : sql`AND NOT ${sql.in("runs.id", [...held])}`}
            ORDER BY runs.serial LIMIT 1
          ) AS run
          FROM queue_turns WHERE class = ${CLASS_NUMBERS[its]}
        ) turns WHERE run IS NOT NULL ORDER BY turn LIMIT 1`,
      ([first]) => first ?? null
    )

  /** Deletes the submitters without runs that the search has passed, so that the next search does not read them. */
  const dropIdle = (its: SubmitterClass, before: Int | null) =>
    sql`
      DELETE FROM queue_turns
      WHERE class = ${CLASS_NUMBERS[its]} AND turn < ${before === null ? Number.MAX_SAFE_INTEGER : Number(before)}
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.submitter = queue_turns.submitter AND runs.status IN ('pending', 'running'))`

  const leased = Effect.fnUntraced(function*(run: number) {
    const [row] = yield* sql<{ readonly id: string; readonly domain: string }>`
      SELECT runs.id, sites.domain FROM runs JOIN sites ON sites.serial = runs.site WHERE runs.serial = ${run}`
    return row !== undefined && (yield* leases.take(row.domain, row.id))
  })

  const takeTurn = Effect.fnUntraced(function*(held: ReadonlySet<string>, rubric: string | null) {
    const { lastClass, next } = yield* nextTurn
    const now = yield* databaseNow(sql)
    for (const its of classesAfter(lastClass)) {
      const first = yield* firstOf(its, held, rubric, now)
      yield* dropIdle(its, first?.turn ?? null)
      if (first === null) continue
      if (its !== lastClass) yield* sql`UPDATE queue_state SET last_class = ${CLASS_NUMBERS[its]}`
      yield* sql`UPDATE queue_turns SET turn = ${next} WHERE submitter = ${first.submitter}`
      const run = Number(first.run)
      if (yield* leased(run)) return run
    }
    return null
  })

  return {
    offer,
    load: (submitter) => countLoad(sql, submitter),
    take: (held, rubric) => inTransaction(sql, takeTurn(held, rubric))
  }
}
