import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { digestKey, type Int } from "../../store/database/ColumnValues.ts"
import { databaseNow, greatest } from "../../store/database/SqlDialect.ts"

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

/** The classes of submitters take turns, so that neither guests nor operators block the others. */
export type SubmitterClass = "guest" | "operator"

/** The submitter of a run, for the queue: submitters of a class take turns. */
export interface Submitter {
  readonly key: string
  readonly class: SubmitterClass
  /** For each wider network whose runs are counted, the widest first: what the keys of all submitters in it begin with, and no others. */
  readonly within: ReadonlyArray<string>
}

/**
 * A client network, and the wider networks of which it is one, the widest first. Its runs store digests of them, only until they are
 * over: those of the wider ones come first in the key, so that an index finds all runs of a wider network.
 */
export const guest = (network: string, wider: ReadonlyArray<string> = []): Submitter => {
  const digests = wider.map((each) => `${digestKey("wider network", each)}/`)
  return {
    key: `${digests.join("")}${digestKey("client network", network)}`,
    class: "guest",
    within: digests.map((_, index) => digests.slice(0, index + 1).join(""))
  }
}

/** Operators who submit single audits. */
export const OPERATOR: Submitter = { key: "operator", class: "operator", within: [] }

/** Scheduled audits. */
export const SCHEDULE: Submitter = { key: "schedule", class: "operator", within: [] }

export const classOf = (key: string): SubmitterClass =>
  key === OPERATOR.key || key === SCHEDULE.key ? "operator" : "guest"

/** The classes in the order of their turns: the class of the last turn comes second. */
export const classesAfter = (last: SubmitterClass): ReadonlyArray<SubmitterClass> =>
  last === "guest" ? ["operator", "guest"] : ["guest", "operator"]
