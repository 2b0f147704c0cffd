import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/**
 * The queue of audits: runs that are `pending` and have a submitter, and the order in which submitters take turns. It
 * replaces the table `audit_queue`, which stays for an older version that is still running.
 */
export const createFairQueue = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)

  // Rises each time the run is begun. With `worker` it names one attempt, whose writes stop counting once another is begun.
  yield* sql`ALTER TABLE runs ADD COLUMN begun integer NOT NULL DEFAULT 0`
  // Who asked, as far as the queue is concerned, until the run is over; empty where an older version accepted the run.
  yield* sql`ALTER TABLE runs ADD COLUMN submitter ${text}`
  yield* sql`UPDATE runs SET submitter = '' WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_submitters ON runs (submitter, serial) WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_running ON runs (worker) WHERE status = 'running'`

  // Every submitter that has a run waiting or running, in the order of `turn`: whose turn it was goes to the end.
  yield* sql`
    CREATE TABLE queue_turns (
      submitter ${text} PRIMARY KEY,
      class smallint NOT NULL,
      turn bigint NOT NULL
    )`
  yield* sql`CREATE INDEX queue_turns_order ON queue_turns (class, turn)`
  yield* sql`INSERT INTO queue_turns (submitter, class, turn) VALUES ('', 0, 0)`

  // One row: the last number that was given out, and the class whose turn it was last. Changing it locks the queue.
  yield* sql`CREATE TABLE queue_state (one smallint PRIMARY KEY CHECK (one = 1), turn bigint NOT NULL, last_class smallint NOT NULL)`
  yield* sql`INSERT INTO queue_state (one, turn, last_class) VALUES (1, 0, 1)`
})
