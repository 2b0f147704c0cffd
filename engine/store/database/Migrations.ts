import { createSchema } from "./FirstSchema.ts"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./SqlDialect.ts"

/** Indexes that `FirstSchema.ts` has had only since 27 November 2026: databases that it made the day before lack them. */
const indexLists = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE INDEX IF NOT EXISTS runs_hidden ON runs (serial) WHERE hidden`
  yield* sql`CREATE INDEX IF NOT EXISTS runs_errors ON runs (serial) WHERE status = 'error'`
})

/** Whether the site's owner asked what named agents are served. Runs of before have `false`. */
const addAsAgents = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE runs ADD COLUMN as_agents boolean NOT NULL DEFAULT FALSE`
})

/**
 * The order of the queue by tags of its runs (`QueueStore.ts`), in place of turns of submitters. On PostgreSQL, processes of an earlier version
 * go on during a deploy: they take no runs any more, and finish those that they have. The tables `queue_turns` and `queue_state` are unused
 * from here on, and `audit_leases` says what those processes still audit.
 */
const addFairTags = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE runs ADD COLUMN tag bigint`
  yield* sql`CREATE INDEX runs_tags ON runs (tag, serial) WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_submitter_tags ON runs (submitter, tag) WHERE status IN ('pending', 'running')`
  yield* sql`DROP INDEX runs_submitters`
  yield* sql.onDialectOrElse({ pg: () => endTurns(sql), orElse: () => tagWaiting(sql) })
})

/** On PostgreSQL the queue gives tags to runs that have none, because processes of an earlier version may still accept some. */
const endTurns = Effect.fnUntraced(function* (sql: SqlClient) {
  yield* sql`
    CREATE OR REPLACE FUNCTION docgauge_claim (for_worker text, lease_ms double precision, for_rubric text, held uuid[], live_ms double precision)
    RETURNS bigint LANGUAGE sql AS $$ SELECT NULL::bigint $$`
  yield* sql`DROP FUNCTION IF EXISTS docgauge_drop_idle_turns (smallint, bigint, integer)`
  yield* sql`DROP FUNCTION IF EXISTS docgauge_next_turn (smallint, bigint, double precision, text[], double precision[], uuid[])`
  yield* sql`DROP FUNCTION IF EXISTS docgauge_takeable (double precision, text, double precision, uuid[])`
  yield* sql`DROP FUNCTION IF EXISTS docgauge_accepted (double precision, text, double precision)`
})

/** The first runs of all submitters come first, then the second ones, each as they were accepted. 1073741824 is where operators begin. */
const tagWaiting = Effect.fnUntraced(function* (sql: SqlClient) {
  yield* sql`DROP INDEX runs_domains`
  yield* sql`
    UPDATE runs SET tag = places.place + CASE WHEN runs.submitter IN ('operator', 'schedule') THEN 1073741824 ELSE 0 END
    FROM (
      SELECT serial, ROW_NUMBER() OVER (PARTITION BY submitter ORDER BY serial) AS place
      FROM runs WHERE status IN ('pending', 'running') AND submitter IS NOT NULL
    ) places
    WHERE places.serial = runs.serial`
})

/**
 * Where the bytes of a row of `objects` are: in the object store, as those of all earlier rows, or in the folder of archives, which had an
 * index of its own files until then (`ArchiveFolder.ts`). Nothing is `sent` any more, except by processes of an earlier version.
 */
const addBlobStores = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE objects ADD COLUMN store ${columnTypes(sql).text} NOT NULL DEFAULT 'objects'`
})

/** What anyone can download of the corpus, and how many sites met each criterion, week by week. Times are microseconds since the epoch. */
const addOpenData = Effect.gen(function* () {
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

/**
 * Webhooks of sites, and what is sent to them. Times of deliveries are milliseconds since the epoch, by the database's clock. A site is
 * named by the digest of its name, because it may have a webhook before its first audit.
 */
const addWebhooks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { serial, text, uuid } = columnTypes(sql)
  // `problem`: why nothing is sent to it any more; NULL while it is active. `failures`: deliveries in a row that failed.
  yield* sql`
    CREATE TABLE webhooks (
      serial ${serial},
      id ${uuid} NOT NULL UNIQUE,
      key ${text} NOT NULL,
      site ${text} NOT NULL,
      base_url ${text} NOT NULL,
      url ${text} NOT NULL,
      secret ${text} NOT NULL,
      events ${text} NOT NULL,
      created_at bigint NOT NULL,
      failures smallint NOT NULL DEFAULT 0,
      problem ${text}
    )`
  yield* sql`CREATE INDEX webhooks_site ON webhooks (key)`
  // Finished runs of sites with webhooks whose deliveries are not written yet.
  yield* sql`CREATE TABLE webhook_runs (run_id ${uuid} PRIMARY KEY)`
  // `attempts` with the row identifies one attempt. While one is under way, `next_at` is when it counts as lost.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      serial ${serial},
      id ${uuid} NOT NULL UNIQUE,
      webhook bigint NOT NULL REFERENCES webhooks (serial) ON DELETE CASCADE,
      run_id ${uuid},
      type ${text} NOT NULL,
      body ${text} NOT NULL,
      created_at double precision NOT NULL,
      state ${text} NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'dropped')),
      attempts smallint NOT NULL DEFAULT 0,
      next_at double precision NOT NULL,
      last_status smallint,
      last_problem ${text}
    )`
  yield* sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, serial)`
  yield* sql`CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at)`
})

/**
 * By number and name, without gaps. What has landed stays as it is, because databases have been made by it: a change of the schema is another
 * migration. `test/upgrades/` has a database of each.
 */
export const MIGRATIONS = {
  "0001_schema": createSchema,
  "0002_list_indexes": indexLists,
  "0003_as_agents": addAsAgents,
  "0004_fair_tags": addFairTags,
  "0005_blob_stores": addBlobStores,
  "0006_open_data": addOpenData,
  "0007_webhooks": addWebhooks
}
