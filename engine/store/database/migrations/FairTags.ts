import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The order of the queue by tags of its runs (`QueueStore.ts`), in place of turns of submitters. On PostgreSQL, processes of an earlier version
 * go on during a deploy: they take no runs any more, and finish those that they have. The tables `queue_turns` and `queue_state` are unused
 * from here on, and `audit_leases` says what those processes still audit.
 */
export const addFairTags = Effect.gen(function* () {
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
