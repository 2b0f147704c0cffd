import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** What anyone can download of the corpus, and how many sites met each criterion, week by week. Times are microseconds since the epoch. */
export const addOpenData = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { bytes, text, uuid } = columnTypes(sql)
  // The documentation generator of the site's pages; NULL if the audit recognised none, and of runs of before.
  yield* sql`ALTER TABLE runs ADD COLUMN generator ${text}`

  // All but the first four columns are NULL while the parts are being written. See Snapshots.ts.
  yield* sql`
    CREATE TABLE snapshots (
      id ${uuid} PRIMARY KEY,
      week ${text} NOT NULL,
      format ${text} NOT NULL,
      begun_at bigint NOT NULL,
      made_at bigint,
      sites bigint,
      parts integer,
      bytes bigint,
      sha256 ${text},
      gzip_bytes bigint,
      gzip_sha256 ${text},
      crc32 bigint
    )`
  // Without a reference: parts of a withdrawn snapshot are deleted later, because there may be hundreds of megabytes.
  yield* sql`CREATE TABLE snapshot_parts (snapshot ${uuid} NOT NULL, part integer NOT NULL, content ${bytes} NOT NULL, PRIMARY KEY (snapshot, part))`
  yield* sql.onDialectOrElse({
    // The content is already compressed.
    pg: () => sql`ALTER TABLE snapshot_parts ALTER COLUMN content SET STORAGE EXTERNAL`,
    orElse: () => Effect.void
  })

  // Kept for ever. The generator is empty in the rows of all sites together.
  yield* sql`
    CREATE TABLE adoption_weeks (
      week ${text} NOT NULL,
      generator ${text} NOT NULL,
      counted_at bigint NOT NULL,
      sites bigint NOT NULL,
      PRIMARY KEY (week, generator)
    )`
  yield* sql`
    CREATE TABLE adoption_counts (
      generator ${text} NOT NULL,
      week ${text} NOT NULL,
      criterion ${text} NOT NULL,
      present bigint NOT NULL,
      partial bigint NOT NULL,
      absent bigint NOT NULL,
      inconclusive bigint NOT NULL,
      not_applicable bigint NOT NULL,
      PRIMARY KEY (generator, week, criterion)
    )`
})
