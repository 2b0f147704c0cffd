import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The indexes that `SiteSearch.ts` looks substrings up in: trigrams for three letters and more, and every letter and pair
 * of letters for fewer, which trigrams do not serve. On SQLite, 0008 has better ones.
 */
export const createSiteSearch = Effect.gen(function*() {
  const sql = yield* SqlClient
  yield* sql.onDialectOrElse({ pg: () => createForPostgres(sql), orElse: () => createForSqlite(sql) })
})

const createForSqlite = Effect.fnUntraced(function*(sql: SqlClient) {
  yield* sql`CREATE VIRTUAL TABLE site_trigrams USING fts5 (haystack, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`
  yield* sql`CREATE VIRTUAL TABLE site_grams USING fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none)`
})

const createForPostgres = Effect.fnUntraced(function*(sql: SqlClient) {
  // Every letter and every pair of letters, each once.
  yield* sql`
    CREATE FUNCTION docgauge_grams (haystack text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
      SELECT array_agg(DISTINCT substr(haystack, place, length)) FROM generate_series(1, length(haystack)) place, generate_series(1, 2) length
    $$`
  yield* sql`CREATE INDEX site_figures_grams ON site_figures USING gin (docgauge_grams(haystack)) WITH (fastupdate = off)`
  // Where the extension is not there or may not be created, grams serve all searches.
  yield* sql`
    DO $$ BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX site_figures_trigrams ON site_figures USING gin (haystack gin_trgm_ops) WITH (fastupdate = off);
    EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
      RAISE NOTICE 'docgauge: no pg_trgm here, searching by pairs of letters';
    END $$`
})
