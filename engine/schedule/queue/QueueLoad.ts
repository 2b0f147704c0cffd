import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "../../store/database/ColumnValues.ts"
import type { Submitter } from "./Submitter.ts"

/** How full the queue is. */
export interface QueueLoad {
  /** Waiting runs. */
  readonly waiting: number
  /** Unfinished runs of the submitter. */
  readonly ofSubmitter: number
  /** Unfinished runs of all submitters in each of the submitter's wider networks (`within`). */
  readonly ofNetworks: ReadonlyArray<number>
}

/** How full the queue is now. The doubled condition makes it use the index of unfinished runs. */
export const countLoad = Effect.fnUntraced(function* (
  sql: SqlClient,
  { key, within }: Submitter
): Effect.fn.Return<QueueLoad, SqlError> {
  const unfinished = (which: Fragment) =>
    sql`(SELECT COUNT(*) FROM runs WHERE status IN ('pending', 'running') AND ${which})`
  const [row] = yield* sql<Readonly<Record<string, Int>>>`SELECT ${sql.csv([
    sql`${unfinished(sql`status = 'pending' AND submitter IS NOT NULL`)} AS waiting`,
    sql`${unfinished(sql`submitter = ${key}`)} AS of_submitter`,
    ...within.map((prefix, index) => sql`${unfinished(beginsWith(sql, prefix))} AS ${sql(`of_network_${index}`)}`)
  ])}`
  const count = (column: string): number => Number(row?.[column] ?? 0)
  return {
    waiting: count("waiting"),
    ofSubmitter: count("of_submitter"),
    ofNetworks: within.map((_, index) => count(`of_network_${index}`))
  }
})

/** Submitters whose keys begin so, by the index: a prefix ends in a slash, and the digit 0 is the next character. */
const beginsWith = (sql: SqlClient, prefix: string): Fragment =>
  sql`submitter >= ${prefix} AND submitter < ${`${prefix.slice(0, -1)}0`}`
