import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** What operators decide: which runs and sites are shown and audited, when sites are audited again, and who decided what. */
export const createAdmin = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { serial, text } = columnTypes(sql)

  // A hidden run counts nowhere and stands for nothing; it is read by its id.
  yield* sql`ALTER TABLE runs ADD COLUMN hidden boolean NOT NULL DEFAULT FALSE`
  // Microseconds; of the newest attempt.
  yield* sql`ALTER TABLE runs ADD COLUMN begun_at bigint`
  yield* sql`CREATE INDEX runs_age ON runs (started_at)`

  // By the site's name rather than by its row: a site can be blocked that nobody has audited.
  yield* sql`
    CREATE TABLE site_blocks (
      key ${text} PRIMARY KEY,
      site ${text} NOT NULL,
      reason ${text} NOT NULL,
      blocked_at bigint NOT NULL
    )`

  // Times are milliseconds since the epoch.
  yield* sql`
    CREATE TABLE schedules (
      id ${text} PRIMARY KEY,
      url ${text} NOT NULL UNIQUE,
      every_ms bigint NOT NULL,
      next_at double precision NOT NULL,
      last_at double precision,
      last_run ${text},
      last_problem ${text}
    )`
  yield* sql`CREATE INDEX schedules_due ON schedules (next_at)`

  // Paused where there is a row.
  yield* sql`CREATE TABLE queue_pause (one smallint PRIMARY KEY CHECK (one = 1), paused_at bigint NOT NULL, paused_by ${text} NOT NULL)`

  // Only ever added to. Its newest serial number tells other processes that something changed.
  yield* sql`
    CREATE TABLE admin_log (
      serial ${serial},
      at bigint NOT NULL,
      who ${text} NOT NULL,
      action ${text} NOT NULL,
      subject ${text} NOT NULL,
      before ${text},
      after ${text}
    )`
})
