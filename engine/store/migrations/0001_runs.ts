import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** Sites and their runs, and what each run left behind. Times are microseconds since the epoch. */
export const createRuns = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { bytes, key, serial, text, uuid } = columnTypes(sql)

  // Addresses are longer than what PostgreSQL takes in an index: `key` and `target` are digests of them.
  yield* sql`
    CREATE TABLE sites (
      serial ${serial},
      key ${text} NOT NULL UNIQUE,
      site ${text} NOT NULL,
      domain ${text} NOT NULL,
      last_started_at bigint NOT NULL
    )`

  yield* sql`
    CREATE TABLE runs (
      serial ${serial},
      id ${uuid} NOT NULL UNIQUE,
      site bigint NOT NULL REFERENCES sites (serial),
      url ${text} NOT NULL,
      rubric_digest ${text} NOT NULL,
      target ${text} NOT NULL,
      status ${text} NOT NULL CHECK (status IN ('pending', 'running', 'done', 'error')),
      started_at bigint NOT NULL,
      finished_at bigint,
      attempts smallint NOT NULL DEFAULT 0,
      worker ${text},
      progress_done smallint NOT NULL DEFAULT 0,
      progress_total smallint NOT NULL DEFAULT 0,
      total_score smallint,
      error_code ${text},
      error_message ${text},
      UNIQUE (site, started_at)
    )`
  yield* sql`CREATE INDEX runs_under_way ON runs (target) WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_done ON runs (target, finished_at) WHERE status = 'done'`

  // A report is written once and read whole.
  yield* sql`
    CREATE TABLE reports (
      run ${key} REFERENCES runs (serial),
      content ${bytes} NOT NULL,
      duration_ms bigint NOT NULL,
      requests bigint NOT NULL,
      bytes bigint NOT NULL
    )`
  yield* sql`CREATE TABLE facts (run ${key} REFERENCES runs (serial), content ${bytes} NOT NULL)`
  yield* sql`CREATE TABLE exchanges (run ${key} REFERENCES runs (serial), content ${bytes} NOT NULL)`
  yield* sql.onDialectOrElse({
    // The content is compressed already.
    pg: () => Effect.forEach(["reports", "facts", "exchanges"], (table) => sql`ALTER TABLE ${sql(table)} ALTER COLUMN content SET STORAGE EXTERNAL`),
    orElse: () => Effect.void
  })
})
