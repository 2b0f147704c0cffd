import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ColumnTypes, columnTypes } from "./SqlDialect.ts"
import type { SqlError } from "effect/sql/SqlError"

/** The tables of the first migration. */
export const createSchema = Effect.gen(function* () {
  const sql = yield* SqlClient
  const types = columnTypes(sql)
  yield* createRuns(sql, types)
  yield* createQueue(sql, types)
  yield* createCorpus(sql, types)
  yield* sql.onDialectOrElse({ pg: () => createSearchOnPostgres(sql), orElse: () => createSearchOnSqlite(sql) })
  yield* createObjects(sql, types)
  yield* createLimits(sql, types)
  yield* createOperators(sql, types)
  yield* createOAuth(sql, types)
  yield* createProcesses(sql, types)
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.all([createSiteFunctions(sql), createCorpusChanges(sql, types)], {
        discard: true
      }),
    orElse: () => Effect.void
  })
})

/** Sites and their runs, and what each run left behind. Times are microseconds since the epoch. */
const createRuns = Effect.fnUntraced(function* (sql: SqlClient, { bytes, key, serial, text, uuid }: ColumnTypes) {
  // URLs can be longer than an index entry of PostgreSQL: `key` and `target` are digests of them.
  yield* sql`
    CREATE TABLE sites (
      serial ${serial},
      key ${text} NOT NULL UNIQUE,
      site ${text} NOT NULL,
      domain ${text} NOT NULL,
      last_started_at bigint NOT NULL
    )`
  // Finds a site and everything below it. See Moderation.ts for the length.
  yield* sql`CREATE INDEX sites_beginning ON sites (substr(site, 1, 1000))`
  // `begun` rises each time the run is begun; with `worker` it identifies one attempt. `begun_at` is the time of the newest
  // attempt. `submitter` is set while the run is in the queue or running. A hidden run is found by its id alone. `domain` is that of
  // the site, so that a search for the next run needs no other row. `queued_at` is when the run was put in the queue, by the database's
  // clock, in milliseconds. `progress_steps` is what a run under way is shown with: the criteria
  // that were measured, and the last URLs. `outcomes` is what a run found for each criterion.
  yield* sql`
    CREATE TABLE runs (
      serial ${serial},
      id ${uuid} NOT NULL UNIQUE,
      site bigint NOT NULL REFERENCES sites (serial),
      domain ${text} NOT NULL,
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
      progress_steps ${text},
      total_score smallint,
      reliable boolean,
      outcomes ${text} NOT NULL DEFAULT '',
      error_code ${text},
      error_message ${text},
      hidden boolean NOT NULL DEFAULT FALSE,
      begun_at bigint,
      begun integer NOT NULL DEFAULT 0,
      submitter ${text},
      queued_at double precision,
      UNIQUE (site, started_at)
    )`
  yield* sql`CREATE INDEX runs_under_way ON runs (target) WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_done ON runs (target, finished_at) WHERE status = 'done'`
  yield* sql`CREATE INDEX runs_age ON runs (started_at)`
  // By these two the next run is searched, that of a submitter and between two domains that are being audited: on PostgreSQL for one rubric
  // at a time, so that runs which wait for a worker of another version are not passed.
  const [ofSubmitters, ofDomains] = sql.onDialectOrElse({
    pg: () => [sql`submitter, rubric_digest, serial`, sql`rubric_digest, domain`] as const,
    orElse: () => [sql`submitter, serial`, sql`domain`] as const
  })
  yield* sql`CREATE INDEX runs_submitters ON runs (${ofSubmitters}) WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_domains ON runs (${ofDomains}) WHERE status IN ('pending', 'running')`
  yield* sql`CREATE INDEX runs_running ON runs (worker) WHERE status = 'running'`
  // Lists of operators, newest first: they are few, and may all be old.
  yield* sql`CREATE INDEX runs_hidden ON runs (serial) WHERE hidden`
  yield* sql`CREATE INDEX runs_errors ON runs (serial) WHERE status = 'error'`

  // One row, where runs are deleted beyond the newest of a site: how many are kept, and until when the sites of all runs were looked at.
  yield* sql`CREATE TABLE retention_progress (one smallint PRIMARY KEY CHECK (one = 1), keep integer NOT NULL, looked_until bigint NOT NULL)`

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
    // The content is already compressed.
    pg: () =>
      Effect.forEach(
        ["reports", "facts", "exchanges"],
        (table) => sql`ALTER TABLE ${sql(table)} ALTER COLUMN content SET STORAGE EXTERNAL`
      ),
    orElse: () => Effect.void
  })
})

/** The queue of audits: runs that are `pending` and have a submitter, and the order in which submitters take turns. */
const createQueue = Effect.fnUntraced(function* (sql: SqlClient, { text }: ColumnTypes) {
  // Every submitter with a run waiting or running. The lowest `turn` is next; a submitter whose turn is over gets the highest.
  yield* sql`
    CREATE TABLE queue_turns (
      submitter ${text} PRIMARY KEY,
      class smallint NOT NULL,
      turn bigint NOT NULL
    )`
  yield* sql`CREATE INDEX queue_turns_order ON queue_turns (class, turn)`
  // One row: the turn of the run that was taken last, and its class. Taking a run updates the row, which locks the queue. On SQLite, where
  // offering one updates it too, it is the highest turn; on PostgreSQL a sequence has that.
  yield* sql`CREATE TABLE queue_state (one smallint PRIMARY KEY CHECK (one = 1), turn bigint NOT NULL, last_class smallint NOT NULL)`
  yield* sql`INSERT INTO queue_state (one, turn, last_class) VALUES (1, 0, 1)`
  yield* sql.onDialectOrElse({ pg: () => sql`CREATE SEQUENCE queue_turn_numbers`, orElse: () => Effect.void })
  // The queue is paused while there is a row.
  yield* sql`CREATE TABLE queue_pause (one smallint PRIMARY KEY CHECK (one = 1), paused_at bigint NOT NULL, paused_by ${text} NOT NULL)`
  // Milliseconds since the epoch.
  yield* sql`
    CREATE TABLE audit_leases (
      domain ${text} PRIMARY KEY,
      run_id ${text} NOT NULL,
      worker ${text} NOT NULL,
      expires_at double precision NOT NULL
    )`
})

/**
 * The figures of the corpus. Those of a site are updated in the transaction in which a run finishes, and on SQLite those of the whole corpus,
 * too; PostgreSQL notes a change of those, which is counted later. Only `done` runs that are not hidden count, and only reliable ones in
 * scores, statistics and leaderboards.
 */
const createCorpus = Effect.fnUntraced(function* (sql: SqlClient, { key, text }: ColumnTypes) {
  // One row. The process that folds changes into the figures locks it; see CorpusChanges.ts.
  yield* sql`CREATE TABLE corpus (one smallint PRIMARY KEY CHECK (one = 1), sites bigint NOT NULL, runs bigint NOT NULL, latest_run_at bigint)`
  yield* sql`INSERT INTO corpus (one, sites, runs) VALUES (1, 0, 0)`

  yield* sql`
    CREATE TABLE site_figures (
      site ${key} REFERENCES sites (serial),
      reliable boolean NOT NULL,
      done_runs bigint NOT NULL,
      url ${text} NOT NULL,
      search_text ${text} NOT NULL,
      run_count bigint NOT NULL,
      score_sum bigint NOT NULL,
      best_score smallint NOT NULL,
      worst_score smallint NOT NULL,
      latest_score smallint NOT NULL,
      first_run_at bigint NOT NULL,
      latest_run_at bigint NOT NULL,
      latest_rubric ${text} NOT NULL,
      latest_outcomes ${text} NOT NULL,
      previous_run_at bigint,
      previous_score smallint,
      previous_rubric ${text},
      score_change smallint
    )`
  yield* sql`CREATE INDEX site_figures_recency ON site_figures (latest_run_at, site)`

  // Leaderboards; see SqlCorpus.ts.
  yield* sql`CREATE INDEX site_figures_score ON site_figures (latest_score, latest_run_at DESC, site) WHERE reliable`

  // Of a list of the sites that moved most, which there is no more: processes of earlier versions read it.
  yield* sql`CREATE INDEX site_figures_change ON site_figures (score_change, latest_run_at DESC, site) WHERE score_change IS NOT NULL`

  // How many sites found what for each criterion.
  yield* sql`
    CREATE TABLE outcome_counts (
      criterion ${text} NOT NULL,
      state ${text} NOT NULL,
      sites bigint NOT NULL,
      points bigint NOT NULL,
      max_points bigint NOT NULL,
      PRIMARY KEY (criterion, state)
    )`

  // Sites by newest reliable score: a row for every score from 0 to 100.
  yield* sql`CREATE TABLE score_counts (score smallint PRIMARY KEY, sites bigint NOT NULL)`
  yield* sql`
    INSERT INTO score_counts (score, sites)
    WITH RECURSIVE scores (score) AS (SELECT 0 UNION ALL SELECT score + 1 FROM scores WHERE score < 100) SELECT score, 0 FROM scores`

  yield* sql`CREATE TABLE tlds (tld ${text} PRIMARY KEY, sites bigint NOT NULL)`
  yield* sql`CREATE INDEX tlds_frequency ON tlds (sites DESC, tld)`
  yield* sql`CREATE TABLE organisations (organisation ${text} PRIMARY KEY, sites bigint NOT NULL)`
  yield* sql`CREATE INDEX organisations_frequency ON organisations (sites DESC, organisation)`
})

/** Changes of the figures of the corpus that are not counted yet, on PostgreSQL; see CorpusChanges.ts. */
const createCorpusChanges = (sql: SqlClient, { serial, text }: ColumnTypes) => sql`
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
  )`

/** An index of the letters of search texts by one, two and three in a row, whatever they are: \`pg_trgm\` knows letters and digits only. */
const createSearchOnPostgres = Effect.fnUntraced(function* (sql: SqlClient) {
  yield* sql`
    CREATE FUNCTION docgauge_grams (search_text text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
      SELECT array_agg(substr(search_text, start, length)) FROM generate_series(1, length(search_text)) start, generate_series(1, 3) length
    $$`
  yield* sql`CREATE INDEX site_figures_grams ON site_figures USING gin (docgauge_grams(search_text)) WITH (fastupdate = off)`
})

/**
 * An FTS5 trigram index of the search texts. Two spaces after each text, which no search contains, make every letter and pair
 * of letters the beginning of a trigram; `site_trigrams` lists the trigrams.
 */
const createSearchOnSqlite = Effect.fnUntraced(function* (sql: SqlClient) {
  yield* sql`CREATE VIRTUAL TABLE site_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`
  yield* sql`CREATE VIRTUAL TABLE site_trigrams USING fts5vocab (site_search, row)`
  yield* sql`
    CREATE TRIGGER site_search_added AFTER INSERT ON site_figures BEGIN
      INSERT INTO site_search (rowid, text) VALUES (new.site, new.search_text || '  ');
    END`
  yield* sql`
    CREATE TRIGGER site_search_changed AFTER UPDATE OF search_text ON site_figures WHEN old.search_text <> new.search_text BEGIN
      UPDATE site_search SET text = new.search_text || '  ' WHERE rowid = new.site;
    END`
  yield* sql`CREATE TRIGGER site_search_removed AFTER DELETE ON site_figures BEGIN DELETE FROM site_search WHERE rowid = old.site; END`
})

/**
 * Objects in the object store that belong to runs. An object is `sent` before it is written, `kept` once the store has it, and
 * `dropped` until it is deleted there: then its row is deleted. So no object is without a row. Times are milliseconds since the epoch.
 */
const createObjects = Effect.fnUntraced(function* (sql: SqlClient, { text, uuid }: ColumnTypes) {
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
  // Kind and bytes, so that the size of all archives is read from the index alone.
  yield* sql`CREATE INDEX objects_age ON objects (run_id, kind, bytes) WHERE state = 'kept'`
  yield* sql`CREATE INDEX objects_to_delete ON objects (changed_at) WHERE state <> 'kept'`
})

/** Rate limits and quotas. Times are milliseconds since the epoch. */
const createLimits = Effect.fnUntraced(function* (sql: SqlClient, { text }: ColumnTypes) {
  yield* sql`CREATE TABLE limit_buckets (bucket ${text} PRIMARY KEY, full_at double precision NOT NULL)`
  yield* sql`CREATE INDEX limit_buckets_idle ON limit_buckets (full_at)`
  yield* sql`CREATE TABLE limit_reservations (run_id ${text} PRIMARY KEY, bucket ${text} NOT NULL, amount integer NOT NULL)`

  yield* sql`CREATE TABLE quota_holds (run_id ${text} NOT NULL, holder ${text} NOT NULL, taken_at double precision NOT NULL, PRIMARY KEY (run_id, holder))`
  yield* sql`CREATE INDEX quota_holds_holder ON quota_holds (holder, taken_at)`
  yield* sql`CREATE INDEX quota_holds_age ON quota_holds (taken_at)`
})

/** What operators provision and decide, and the log of it. */
const createOperators = Effect.fnUntraced(function* (sql: SqlClient, { serial, text }: ColumnTypes) {
  // `version` is the time of creation, so that a dashboard that is deleted and created again has another one, and rises when figures that
  // were computed before must not be stored any more.
  yield* sql`
    CREATE TABLE dashboards (
      serial ${serial},
      slug ${text} NOT NULL UNIQUE,
      title ${text} NOT NULL,
      is_public boolean NOT NULL,
      definition ${text} NOT NULL,
      version bigint NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`
  yield* sql`
    CREATE TABLE dashboard_results (
      dashboard bigint NOT NULL REFERENCES dashboards (serial) ON DELETE CASCADE,
      bucket ${text} NOT NULL,
      computed_at bigint NOT NULL,
      content ${text} NOT NULL,
      PRIMARY KEY (dashboard, bucket)
    )`

  // By the site's name rather than its row: a site can be blocked before its first audit.
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

  // Append-only. A new highest serial number tells other processes that something changed.
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

/** The keys and grants of the authorization server, which does not store clients and codes. Times are milliseconds since the epoch. */
const createOAuth = Effect.fnUntraced(function* (sql: SqlClient, { text }: ColumnTypes) {
  yield* sql`
    CREATE TABLE oauth_keys (
      id ${text} PRIMARY KEY,
      use ${text} NOT NULL,
      period bigint NOT NULL,
      material ${text} NOT NULL
    )`
  // `network` opened the grant; the number of grants is limited for each network.
  yield* sql`
    CREATE TABLE oauth_grants (
      id ${text} PRIMARY KEY,
      client ${text} NOT NULL,
      generation bigint NOT NULL,
      expires_at double precision NOT NULL,
      revoked smallint NOT NULL,
      network ${text} NOT NULL DEFAULT ''
    )`
  yield* sql`CREATE INDEX oauth_grants_expiry ON oauth_grants (expires_at)`
  yield* sql`CREATE INDEX oauth_grants_network ON oauth_grants (network, expires_at)`
})

/**
 * What the processes of a service share: its secrets by name, which of them run audits, by which rubric, and when work was begun that
 * one of them does at a time. Times are milliseconds since the epoch.
 */
const createProcesses = Effect.fnUntraced(function* (sql: SqlClient, { bytes, text }: ColumnTypes) {
  yield* sql`CREATE TABLE server_keys (name ${text} PRIMARY KEY, material ${bytes} NOT NULL)`
  yield* sql`CREATE TABLE workers (worker ${text} PRIMARY KEY, rubric_digest ${text} NOT NULL, seen_at double precision NOT NULL)`
  yield* sql`CREATE TABLE background_work (name ${text} PRIMARY KEY, begun_at double precision NOT NULL)`
})

/**
 * What PostgreSQL does in one round trip to lock a site and read its figures. They are read by a statement of their own, because one that
 * waited for the lock sees them as they were before. `CorpusFigures.ts` calls it.
 */
const createSiteFunctions = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`
  CREATE OR REPLACE FUNCTION docgauge_locked_figures (of_site bigint) RETURNS SETOF site_figures LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM sites WHERE serial = of_site FOR NO KEY UPDATE;
    RETURN QUERY SELECT * FROM site_figures WHERE site = of_site;
  END $$`)
