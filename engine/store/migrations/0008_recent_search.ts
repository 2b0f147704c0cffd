import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * SQLite's index of substrings anew, in the order in which `SiteSearch.ts` answers, so that a search reads the newest hits
 * and stops. Triggers keep it up, whoever writes `site_figures`. The tables of 0003 stay for an older version, which still
 * writes them. PostgreSQL keeps the indexes that it has.
 */
export const createRecentSearch = Effect.gen(function*() {
  const sql = yield* SqlClient
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => createForSqlite(sql) })
})

const createForSqlite = Effect.fnUntraced(function*(sql: SqlClient) {
  // A site's row in the index: the time of its newest run, or the next number after it that was free.
  yield* sql`CREATE TABLE search_places (place INTEGER PRIMARY KEY, site bigint NOT NULL UNIQUE)`
  // Letters, pairs and trigrams as hexadecimal words, which the tokenizer leaves whole.
  yield* sql`CREATE VIRTUAL TABLE search_grams USING fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none)`
  // In how many haystacks a trigram is: of a needle's, the rarest are looked up.
  yield* sql`CREATE TABLE search_trigrams (gram text PRIMARY KEY, sites bigint NOT NULL) WITHOUT ROWID`
  // From 1 to 256, to walk along haystacks with: statements of triggers cannot recur.
  yield* sql`CREATE TABLE search_numbers (number INTEGER PRIMARY KEY)`
  yield* sql`INSERT INTO search_numbers WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 256) SELECT i FROM n`
  yield* indexAll(sql)
  for (const trigger of TRIGGERS) yield* sql.unsafe(trigger)
})

/**
 * A haystack's letters as `number` in `piece`, of which the last two are the next one's first: `substr` counts from the
 * start of a text, and addresses may have thousands of letters. The limit keeps SQLite from working a piece out for each.
 */
const pieces = (haystack: string): string => `
  (SELECT substr(${haystack}, 254 * number - 253, 256) AS piece FROM search_numbers WHERE number <= (length(${haystack}) + 253) / 254 LIMIT 256)
  CROSS JOIN search_numbers`

const gramsOf = (haystack: string): string => `
  (SELECT group_concat(hex(substr(piece, number, 1)) || ' ' || hex(substr(piece, number, 2)) || ' ' || hex(substr(piece, number, 3)), ' ')
    FROM ${pieces(haystack)} WHERE number <= min(254, length(piece)))`

const trigramsOf = (haystack: string): string => `SELECT DISTINCT substr(piece, number, 3) AS gram FROM ${pieces(haystack)} WHERE number <= length(piece) - 2`

const counted = (haystack: string, times: 1 | -1): string => `
  INSERT INTO search_trigrams (gram, sites) SELECT gram, ${times} FROM (${trigramsOf(haystack)}) WHERE TRUE
    ON CONFLICT (gram) DO UPDATE SET sites = sites + excluded.sites`

const FORGOTTEN = `DELETE FROM search_trigrams WHERE sites = 0 AND gram IN (${trigramsOf("old.haystack")})`

const PLACED = `
  INSERT INTO search_places (place, site) SELECT
    CASE WHEN NOT EXISTS (SELECT 1 FROM search_places WHERE place = new.latest_run_at) THEN new.latest_run_at ELSE (
      SELECT taken.place + 1 FROM search_places taken
      WHERE taken.place >= new.latest_run_at AND NOT EXISTS (SELECT 1 FROM search_places WHERE place = taken.place + 1)
      ORDER BY taken.place LIMIT 1
    ) END, new.site;
  INSERT INTO search_grams (rowid, grams) SELECT place, ${gramsOf("new.haystack")} FROM search_places WHERE site = new.site`

const DISPLACED = `
  DELETE FROM search_grams WHERE rowid = (SELECT place FROM search_places WHERE site = old.site);
  DELETE FROM search_places WHERE site = old.site`

const TRIGGERS = [
  `CREATE TRIGGER search_added AFTER INSERT ON site_figures BEGIN
    ${PLACED}; ${counted("new.haystack", 1)};
  END`,
  `CREATE TRIGGER search_moved AFTER UPDATE OF latest_run_at, haystack ON site_figures
  WHEN old.latest_run_at <> new.latest_run_at OR old.haystack <> new.haystack BEGIN
    ${DISPLACED}; ${PLACED};
  END`,
  `CREATE TRIGGER search_renamed AFTER UPDATE OF haystack ON site_figures WHEN old.haystack <> new.haystack BEGIN
    ${counted("old.haystack", -1)}; ${counted("new.haystack", 1)}; ${FORGOTTEN};
  END`,
  `CREATE TRIGGER search_removed AFTER DELETE ON site_figures BEGIN
    ${DISPLACED}; ${counted("old.haystack", -1)}; ${FORGOTTEN};
  END`
]

/** What the triggers would have done, for all sites at once: in the order of their places, which is far faster. */
const indexAll = Effect.fnUntraced(function*(sql: SqlClient) {
  // Each site after the one before, wherever that had to make room.
  yield* sql`
    INSERT INTO search_places (place, site)
    SELECT MAX(latest_run_at - nth) OVER (ORDER BY nth) + nth, site
    FROM (SELECT site, latest_run_at, row_number() OVER (ORDER BY latest_run_at, site) AS nth FROM site_figures)`
  yield* sql.unsafe(`
    INSERT INTO search_grams (rowid, grams)
    SELECT place, ${gramsOf("haystack")} FROM search_places CROSS JOIN site_figures ON site_figures.site = search_places.site ORDER BY place`)
  yield* sql`INSERT INTO search_grams (search_grams) VALUES ('optimize')`
  yield* sql`CREATE VIRTUAL TABLE search_words USING fts5vocab (search_grams, row)`
  yield* sql`
    INSERT INTO search_trigrams (gram, sites)
    SELECT gram, doc FROM (SELECT CAST(unhex(term) AS text) AS gram, doc FROM search_words) WHERE length(gram) = 3`
  yield* sql`DROP TABLE search_words`
})
