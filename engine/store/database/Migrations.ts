import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"
import { createSchema } from "./FirstSchema.ts"
import { createQueueFunctions } from "./QueueFunctions.ts"

/** Secrets of the service that all its processes share, by name. */
const createServerKeys = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { bytes, text } = columnTypes(sql)
  yield* sql`CREATE TABLE server_keys (name ${text} PRIMARY KEY, material ${bytes} NOT NULL)`
})

/**
 * What each run found for each criterion, how many sites found what, and the run before a site's newest one. Runs that finished
 * before have no outcomes: their sites are counted from their next audit on.
 */
const addOutcomes = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE runs ADD COLUMN outcomes ${text} NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE site_figures ADD COLUMN latest_rubric ${text} NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE site_figures ADD COLUMN latest_outcomes ${text} NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE site_figures ADD COLUMN previous_run_at bigint`
  yield* sql`ALTER TABLE site_figures ADD COLUMN previous_score smallint`
  yield* sql`ALTER TABLE site_figures ADD COLUMN previous_rubric ${text}`
  yield* sql`ALTER TABLE site_figures ADD COLUMN score_change smallint`
  // See Movers.ts.
  yield* sql`CREATE INDEX site_figures_change ON site_figures (score_change, latest_run_at DESC, site) WHERE score_change IS NOT NULL`
  yield* sql`
    CREATE TABLE outcome_counts (
      criterion ${text} NOT NULL,
      state ${text} NOT NULL,
      sites bigint NOT NULL,
      points bigint NOT NULL,
      max_points bigint NOT NULL,
      PRIMARY KEY (criterion, state)
    )`
})

/** Changes of the figures of the corpus that are not counted yet, on PostgreSQL; see CorpusChanges.ts. */
const createCorpusChanges = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { serial, text } = columnTypes(sql)
  yield* sql.onDialectOrElse({
    pg: () => sql`
      CREATE TABLE corpus_changes (
        serial ${serial},
        site ${text} NOT NULL,
        domain ${text} NOT NULL,
        runs integer NOT NULL,
        sites smallint NOT NULL,
        latest_run_at bigint,
        score_before smallint,
        score_after smallint,
        outcomes_before ${text} NOT NULL,
        outcomes_after ${text} NOT NULL
      )`,
    orElse: () => Effect.void
  })
})

/**
 * Objects in the object store that belong to runs. An object is `sent` before it is written, `kept` once the store has it, and
 * `dropped` until it is deleted there: then its row is deleted. So no object is without a row. Times are milliseconds since the epoch.
 */
const createObjects = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text, uuid } = columnTypes(sql)
  yield* sql`
    CREATE TABLE objects (
      key ${text} PRIMARY KEY,
      run_id ${uuid} NOT NULL,
      site bigint NOT NULL,
      domain ${text} NOT NULL,
      kind ${text} NOT NULL,
      attempt integer NOT NULL,
      bytes bigint NOT NULL,
      sha256 ${text} NOT NULL,
      state ${text} NOT NULL CHECK (state IN ('sent', 'kept', 'dropped')),
      changed_at double precision NOT NULL
    )`
  yield* sql`CREATE INDEX objects_run ON objects (run_id)`
  yield* sql`CREATE INDEX objects_site ON objects (site, run_id) WHERE state = 'kept'`
  yield* sql`CREATE INDEX objects_domain ON objects (domain, run_id) WHERE state = 'kept'`
  yield* sql`CREATE INDEX objects_age ON objects (run_id) WHERE state = 'kept'`
  yield* sql`CREATE INDEX objects_to_delete ON objects (changed_at) WHERE state <> 'kept'`
})

/** The live processes that run audits, and the rubric of each. Times are milliseconds since the epoch. */
const createWorkers = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)
  yield* sql`CREATE TABLE workers (worker ${text} PRIMARY KEY, rubric_digest ${text} NOT NULL, seen_at double precision NOT NULL)`
})

/** What a run under way is shown with: the criteria that were measured, and the last URLs. */
const addProgressSteps = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE runs ADD COLUMN progress_steps ${text}`
})

/**
 * The domain of a run, so that a search for the next one needs no row of its site; NULL for runs of versions before. On PostgreSQL also
 * the functions that take a run.
 */
const addRunDomains = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE runs ADD COLUMN domain ${text}`
  yield* sql.onDialectOrElse({ pg: () => createQueueFunctions(sql), orElse: () => Effect.void })
})

/**
 * An index of the letters of search texts on PostgreSQL, by one, two and three in a row, whatever they are. It replaces one of pairs and one
 * of `pg_trgm`, which knows letters and digits only. Processes of the version before go on without an index until they end.
 */
const addSiteGrams = Effect.gen(function*() {
  const sql = yield* SqlClient
  yield* sql.onDialectOrElse({
    pg: () => Effect.gen(function*() {
      yield* sql`
        CREATE OR REPLACE FUNCTION docgauge_grams (search_text text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
          SELECT array_agg(substr(search_text, start, length)) FROM generate_series(1, length(search_text)) start, generate_series(1, 3) length
        $$`
      yield* sql`CREATE INDEX IF NOT EXISTS site_figures_grams ON site_figures USING gin (docgauge_grams(search_text)) WITH (fastupdate = off)`
      // Last, because it locks the table for readers too until the migration ends.
      yield* sql`DROP INDEX IF EXISTS site_figures_pairs, site_figures_trigrams`
    }),
    orElse: () => Effect.void
  })
})

/** By number and name, without gaps. */
export const MIGRATIONS = {
  "0001_schema": createSchema,
  "0002_server_keys": createServerKeys,
  "0003_outcomes": addOutcomes,
  "0004_corpus_changes": createCorpusChanges,
  "0005_objects": createObjects,
  "0006_workers": createWorkers,
  "0007_progress_steps": addProgressSteps,
  "0008_run_domains": addRunDomains,
  "0009_site_grams": addSiteGrams
}
