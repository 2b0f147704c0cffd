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

/** Submitters that are looked up one by one before the place of the next one is searched among the runs whose domains are free. */
const LOOKED_UP = 500

/** Submitters of which one without runs is deleted when a run is taken. */
const CHECKED = 100

/** The order of runs on SQLite, whose transactions follow one another. */
export const sqliteTurns = (sql: SqlClient, read: SqlClient, leases: LeaseHolder): SqlTurns => {
  /** Returns the number of the next turn, and the class of the last. */
  const nextTurn = Effect.gen(function* () {
    const [state] = yield* sql<{ readonly turn: Int; readonly last_class: number }>`
      UPDATE queue_state SET turn = turn + 1 RETURNING turn, last_class`
    if (state === undefined) return yield* Effect.die(new Error("the queue has no state"))
    return {
      next: Number(state.turn),
      lastClass: state.last_class === CLASS_NUMBERS.guest ? ("guest" as const) : ("operator" as const)
    }
  })

  const offer = Effect.fnUntraced(function* (runId: string, { class: its, key }: Submitter) {
    const { next } = yield* nextTurn
    yield* sql`UPDATE runs SET submitter = ${key}, queued_at = ${yield* databaseNow(sql)} WHERE id = ${runId}`
    // A submitter that is waiting keeps its turn; a new one goes to the end.
    yield* sql`INSERT INTO queue_turns (submitter, class, turn) VALUES (${key}, ${CLASS_NUMBERS[its]}, ${next}) ON CONFLICT (submitter) DO NOTHING`
  })

  /** A run that a worker with its rubric could take is left to it, as during a deploy. */
  const mayJudge = (rubric: string, now: Fragment) => sql`(runs.rubric_digest = ${rubric} OR (
    runs.queued_at <= ${now} - ${LIVE_MS}
    AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.rubric_digest = runs.rubric_digest AND seen_at > ${now} - ${LIVE_MS})
  ))`

  /** Which waiting runs may be taken, besides those whose domains are being audited. */
  const mayTake = (held: ReadonlySet<string>, rubric: string | null, now: Fragment) => sql`
    runs.status IN ('pending', 'running') AND runs.status = 'pending'
    ${rubric === null ? sql`` : sql`AND ${mayJudge(rubric, now)}`}
    ${held.size === 0 ? sql`` : sql`AND NOT ${sql.in("runs.id", [...held])}`}`

  /** The first of some submitters of a class, in the order of turns, that has a run whose domain is free; and that run. */
  const firstFrom = (its: SubmitterClass, from: number, may: Fragment, now: Fragment) => {
    const places = sql`FROM queue_turns WHERE class = ${CLASS_NUMBERS[its]} AND turn >= ${from}`
    return sql<Turn>`
      SELECT * FROM (
        SELECT submitter, turn, (
          SELECT runs.serial FROM runs
          WHERE runs.submitter = queue_turns.submitter AND ${may}
            AND NOT EXISTS (SELECT 1 FROM audit_leases WHERE audit_leases.domain = runs.domain AND expires_at > ${now})
          ORDER BY runs.serial LIMIT 1
        ) AS run
        ${places} AND turn < COALESCE((SELECT turn ${places} ORDER BY turn LIMIT 1 OFFSET ${LOOKED_UP}), ${Number.MAX_SAFE_INTEGER})
      ) WHERE run IS NOT NULL ORDER BY turn LIMIT 1`
  }

  /**
   * The first turn of a class with a run whose domain is free; \`null\` if there is none. It passes only such runs, which are between two
   * domains that are being audited in the order of the alphabet.
   */
  const firstPlace = (its: SubmitterClass, may: Fragment, now: Fragment) =>
    Effect.map(
      sql<{ readonly place: Int | null }>`
        SELECT MIN(queue_turns.turn) AS place
        FROM (
          SELECT busy, COALESCE(lead(busy) OVER (ORDER BY busy), '~') AS next_busy
          FROM (SELECT '' AS busy UNION ALL SELECT domain FROM audit_leases WHERE expires_at > ${now})
        )
        CROSS JOIN runs INDEXED BY runs_domains ON runs.domain > busy AND runs.domain < next_busy AND ${may}
        CROSS JOIN queue_turns ON queue_turns.submitter = runs.submitter AND class = ${CLASS_NUMBERS[its]}`,
      ([found]) => (found === undefined || found.place === null ? null : Number(found.place))
    )

  /** The first submitter of a class, in the order of turns, that has a run whose domain is free; and that run. */
  const firstOf = Effect.fnUntraced(function* (its: SubmitterClass, may: Fragment, now: Fragment) {
    const [first] = yield* firstFrom(its, 0, may, now)
    if (first !== undefined) return first
    const others =
      yield* sql`SELECT 1 AS one FROM queue_turns WHERE class = ${CLASS_NUMBERS[its]} ORDER BY turn LIMIT 1 OFFSET ${LOOKED_UP}`
    const place = others.length === 0 ? null : yield* firstPlace(its, may, now)
    if (place === null) return null
    const [later] = yield* firstFrom(its, place, may, now)
    return later ?? null
  })

  /**
   * Deletes some of the submitters without runs that the search has passed, so that the next search does not read them: every other time
   * from the first places, and else from any, because those behind many busy domains are not among the first.
   */
  const dropIdle = Effect.fnUntraced(function* (its: SubmitterClass, first: Int | null) {
    const before = first === null ? Number.MAX_SAFE_INTEGER : Number(first)
    const passed = sql`FROM queue_turns WHERE class = ${CLASS_NUMBERS[its]} AND turn < ${before}`
    yield* sql`
      WITH ends AS (SELECT (SELECT turn ${passed} ORDER BY turn LIMIT 1) AS low, (SELECT turn ${passed} ORDER BY turn DESC LIMIT 1) AS high),
        place AS MATERIALIZED (SELECT CASE random() % 2 WHEN 0 THEN low ELSE low + abs(random()) % (high - low + 1) END AS start FROM ends)
      DELETE FROM queue_turns WHERE submitter IN (
        SELECT submitter FROM (SELECT submitter ${passed} AND turn >= (SELECT start FROM place) ORDER BY turn LIMIT ${CHECKED}) checked
        WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.submitter = checked.submitter AND runs.status IN ('pending', 'running'))
      )`
  })

  const leased = Effect.fnUntraced(function* (run: number) {
    const [row] = yield* sql<{ readonly id: string; readonly domain: string }>`
      SELECT id, domain FROM runs WHERE serial = ${run}`
    return row !== undefined && (yield* leases.take(row.domain, row.id))
  })

  const takeTurn = Effect.fnUntraced(function* (held: ReadonlySet<string>, rubric: string | null) {
    const { lastClass, next } = yield* nextTurn
    const now = yield* databaseNow(sql)
    const may = mayTake(held, rubric, now)
    for (const its of classesAfter(lastClass)) {
      const first = yield* firstOf(its, may, now)
      yield* dropIdle(its, first?.turn ?? null)
      if (first === null) continue
      if (its !== lastClass) yield* sql`UPDATE queue_state SET last_class = ${CLASS_NUMBERS[its]}`
      yield* sql`UPDATE queue_turns SET turn = ${next} WHERE submitter = ${first.submitter}`
      const run = Number(first.run)
      if (yield* leased(run)) return run
    }
    return null
  })

  const isAnyWaiting = Effect.map(
    read`SELECT 1 AS one FROM runs WHERE status IN ('pending', 'running') AND status = 'pending' AND submitter IS NOT NULL LIMIT 1`,
    ({ length }) => length > 0
  )

  return {
    offer,
    load: (submitter) => countLoad(sql, submitter),
    // A transaction that finds nothing would make other writers wait.
    take: (held, rubric) =>
      Effect.flatMap(isAnyWaiting, (any) => (any ? inTransaction(sql, takeTurn(held, rubric)) : Effect.succeed(null)))
  }
}
