import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Int } from "../../store/database/ColumnValues.ts"
import type { StoreUnavailable } from "../../store/database/StoreUnavailable.ts"
import type { Submitter, SubmitterClass } from "./Submitter.ts"

/** How full the queue is. */
export interface QueueLoad {
  /** Waiting runs. */
  readonly waiting: number
  /** Unfinished runs of the submitter. */
  readonly ofSubmitter: number
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
  readonly take: (held: ReadonlySet<string>, rubric: string | null) => Effect.Effect<number | null, SqlError | StoreUnavailable>
}

/** The values of `queue_turns.class`. */
export const CLASS_NUMBERS: Readonly<Record<SubmitterClass, number>> = { guest: 0, operator: 1 }

/** How long a worker counts as live after it has announced itself, and how long a run waits for one, in milliseconds. */
export const LIVE_MS = 60_000

/** How full the queue is now. The doubled condition makes it use the index of unfinished runs. */
export const countLoad = Effect.fnUntraced(function*(sql: SqlClient, { key }: Submitter): Effect.fn.Return<QueueLoad, SqlError> {
  const [row] = yield* sql<{ readonly waiting: Int; readonly of_submitter: Int }>`
    SELECT
      (SELECT COUNT(*) FROM runs WHERE status IN ('pending', 'running') AND status = 'pending' AND submitter IS NOT NULL) AS waiting,
      (SELECT COUNT(*) FROM runs WHERE status IN ('pending', 'running') AND submitter = ${key}) AS of_submitter`
  return { waiting: Number(row?.waiting ?? 0), ofSubmitter: Number(row?.of_submitter ?? 0) }
})
