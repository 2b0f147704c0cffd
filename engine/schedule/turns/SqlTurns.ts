import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "../../store/database/ColumnValues.ts"
import type { StoreUnavailable } from "../../store/database/StoreUnavailable.ts"
import type { Submitter, SubmitterClass } from "./Submitter.ts"

/** How full the queue is. */
export interface QueueLoad {
  /** Waiting runs. */
  readonly waiting: number
  /** Unfinished runs of the submitter. */
  readonly ofSubmitter: number
  /** Unfinished runs of all submitters in each of the submitter's wider networks (`within`). */
  readonly ofNetworks: ReadonlyArray<number>
}

/** What taking a run needs of `Leases`. */
export interface LeaseHolder {
  readonly worker: string
  readonly lastsMs: number
  readonly take: (domain: string, runId: string) => Effect.Effect<boolean, StoreUnavailable>
}

/** The order of the runs in a database. */
export interface SqlTurns {
  readonly offer: (runId: string, submitter: Submitter) => Effect.Effect<void, SqlError>
  /** See `QueueStore`. */
  readonly load: (submitter: Submitter, limit: number | null) => Effect.Effect<QueueLoad, SqlError>
  /** Takes the next run, with the lease of its domain, and returns its serial number; `null` if there is none. */
  readonly take: (
    held: ReadonlySet<string>,
    rubric: string | null
  ) => Effect.Effect<number | null, SqlError | StoreUnavailable>
}

/** The values of `queue_turns.class`. */
export const CLASS_NUMBERS: Readonly<Record<SubmitterClass, number>> = { guest: 0, operator: 1 }

/** How long a worker counts as live after it has announced itself, and how long a run waits for one, in milliseconds. */
export const LIVE_MS = 60_000

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
