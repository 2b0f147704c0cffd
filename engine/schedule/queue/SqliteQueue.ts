import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable } from "../../store/database/Availability.ts"
import { ReadClient } from "../../store/database/ReadClient.ts"
import { runColumns, runOf, type RunRow } from "../../store/runs/RunRows.ts"
import { putInQueue, tagsOf } from "./FairTag.ts"
import { makeLocalClaims } from "./LocalClaims.ts"
import { countLoad } from "./QueueLoad.ts"
import type { QueueStore } from "./QueueStore.ts"
import { classesAfter, type SubmitterClass } from "./Submitter.ts"

/** The queue in an SQLite file, from which one process takes runs: `OnlyProcess` sees to that. */
export const makeSqliteQueue: Effect.Effect<QueueStore, SqlError, SqlClient | ReadClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const claims = makeLocalClaims()
  let lastClass: SubmitterClass = "operator"

  const but = (column: string, values: ReadonlyArray<string>) =>
    values.length === 0 ? sql`` : sql`AND NOT ${sql.in(column, values)}`

  /** The doubled condition makes it use the index of unfinished runs. */
  const next = (its: SubmitterClass) => read<RunRow>`
    SELECT ${runColumns(read)} FROM runs
    WHERE status IN ('pending', 'running') AND status = 'pending' AND ${tagsOf(read, its)} ${but("domain", claims.domains())}
    ORDER BY tag, serial LIMIT 1`

  const claim = Effect.gen(function* () {
    for (const its of classesAfter(lastClass)) {
      const [row] = yield* next(its)
      if (row === undefined) continue
      lastClass = its
      return yield* claims.add(runOf(row))
    }
    return null
  })

  /** Whatever runs without a claim of this process was under way in one that died. */
  const recover = Effect.suspend(
    () => sql`
      UPDATE runs SET status = 'pending', progress_done = 0, progress_steps = NULL
      WHERE status = 'running' AND submitter IS NOT NULL ${but("id", claims.runs())} RETURNING serial`
  )

  // The process before this one is gone, so there is nothing to wait for.
  yield* recover
  return {
    ...claims,
    offer: ({ id }, submitter) => orUnavailable(Effect.asVoid(putInQueue(sql, id, submitter))),
    load: (submitter) => orUnavailable(countLoad(sql, submitter)),
    claim: () => orUnavailable(claim),
    recover: orUnavailable(Effect.map(recover, ({ length }) => length)),
    afterCommit: sql.afterCommit
  }
})
