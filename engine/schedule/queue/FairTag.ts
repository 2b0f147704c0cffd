import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "../../store/database/ColumnValues.ts"
import { databaseNow, greatest } from "../../store/database/DatabaseClock.ts"
import type { Submitter, SubmitterClass } from "./Submitter.ts"

/*
 * The order of the queue is start-time fair queueing (Goyal and others, 1996): each run has a tag, and the lowest is next. The tag of a new
 * run is one more than the highest of its submitter's unfinished runs, so that these follow one another, and not below the runs of others
 * that are under way or next, so that a submitter who comes now is as far as they are. Submitters thus take turns, and none needs a row of its own.
 */

/** Tags of operators begin here, above all tags of guests, so that one index has the runs of each class in order. */
export const OPERATORS_FROM = 2 ** 30

/** Which tags the runs of a class have. */
export const tagsOf = (sql: SqlClient, its: SubmitterClass): Fragment =>
  its === "guest" ? sql`tag < ${OPERATORS_FROM}` : sql`tag >= ${OPERATORS_FROM}`

/** Puts a run in the queue as a run of the submitter, and returns its tag. */
export const putInQueue = Effect.fnUntraced(function* (
  sql: SqlClient,
  runId: string,
  { class: its, key }: Pick<Submitter, "class" | "key">
): Effect.fn.Return<number, SqlError> {
  const first = its === "guest" ? 0 : OPERATORS_FROM
  const orFirst = (tag: Fragment): Fragment => sql`COALESCE(${tag}, ${first})`
  const underWay = sql`(SELECT MAX(tag) FROM runs WHERE status = 'running' AND ${tagsOf(sql, its)})`
  // The doubled conditions make them use the indexes of unfinished runs.
  const next = sql`(SELECT MIN(tag) - 1 FROM runs WHERE status IN ('pending', 'running') AND status = 'pending' AND ${tagsOf(sql, its)})`
  const own = sql`(SELECT MAX(tag) FROM runs WHERE status IN ('pending', 'running') AND submitter = ${key})`
  const last = greatest(sql, orFirst(own), greatest(sql, orFirst(underWay), orFirst(next)))
  const [row] = yield* sql<{ readonly tag: Int }>`
    UPDATE runs SET submitter = ${key}, queued_at = ${yield* databaseNow(sql)}, tag = 1 + ${last} WHERE id = ${runId} RETURNING tag`
  if (row === undefined) return yield* Effect.die(new Error(`there is no run ${runId} to put in the queue`))
  return Number(row.tag)
})
