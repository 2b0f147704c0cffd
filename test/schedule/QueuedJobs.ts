import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { guest } from "../../engine/schedule/queue/QueueStore.ts"
import { AUDITS, JOB_SCHEMA } from "../../engine/schedule/queue/JobEngine.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"

/** Puts all unfinished runs in the queue of a PostgreSQL database, which has no jobs after that but theirs: the queue makes that of one run, and the others are copies. */
export const queueRuns = Effect.fnUntraced(function* (sql: SqlClient) {
  const jobs = sql.literal(`${JOB_SCHEMA}.job`)
  yield* sql`DELETE FROM ${jobs}`
  const [queue, store] = [yield* AuditQueue, yield* RunStore]
  const [first] = yield* store.unfinished(1)
  if (first === undefined) return yield* Effect.die("there are no runs")
  const { id } = first.run
  const [place = {}] = yield* sql`SELECT submitter, tag FROM runs WHERE id = ${id}`
  yield* queue.offer(first.run, guest("192.0.2.0/24"))
  yield* sql`UPDATE runs SET ${sql.update(place)} WHERE id = ${id}`
  yield* sql`
    INSERT INTO ${jobs}
    SELECT (jsonb_populate_record(job, jsonb_build_object(
      'id', runs.id, 'singleton_key', domain, 'group_id', rubric_digest, 'priority', -tag, 'created_on', job.created_on + serial * interval '1 microsecond'
    ))).*
    FROM runs JOIN ${jobs} ON job.id <> runs.id WHERE job.name = ${AUDITS} AND status IN ('pending', 'running')`
  yield* sql`UPDATE ${jobs} SET priority = -tag FROM runs WHERE job.id = runs.id AND runs.id = ${id}`
})
