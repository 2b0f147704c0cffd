import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** The figures of the corpus, kept up in the transaction in which a run finishes. Only `done` runs count. */
export const createCorpus = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { key, text } = columnTypes(sql)

  // One row: whoever finishes a run takes it first, so that finishing runs wait for each other in one place only.
  yield* sql`CREATE TABLE corpus (one smallint PRIMARY KEY CHECK (one = 1), runs bigint NOT NULL, latest_run_at bigint)`
  yield* sql`INSERT INTO corpus (one, runs) VALUES (1, 0)`

  yield* sql`
    CREATE TABLE site_figures (
      site ${key} REFERENCES sites (serial),
      url ${text} NOT NULL,
      haystack ${text} NOT NULL,
      run_count bigint NOT NULL,
      score_sum bigint NOT NULL,
      best_score smallint NOT NULL,
      worst_score smallint NOT NULL,
      latest_score smallint NOT NULL,
      first_run_at bigint NOT NULL,
      latest_run_at bigint NOT NULL
    )`
  yield* sql`CREATE INDEX site_figures_recency ON site_figures (latest_run_at, site)`

  // Ranking 0 is by best score, 1 by worst; see Standings.ts.
  yield* sql`
    CREATE TABLE standings (
      ranking smallint NOT NULL,
      site bigint NOT NULL REFERENCES sites (serial),
      started_at bigint NOT NULL,
      score smallint NOT NULL,
      PRIMARY KEY (ranking, site, started_at)
    )`
  yield* sql`CREATE INDEX standings_score ON standings (ranking, score, started_at DESC, site)`

  // Sites by newest score, every score from 0 to 100.
  yield* sql`CREATE TABLE score_counts (score smallint PRIMARY KEY, sites bigint NOT NULL)`
  yield* sql`
    INSERT INTO score_counts (score, sites)
    WITH RECURSIVE scores (score) AS (SELECT 0 UNION ALL SELECT score + 1 FROM scores WHERE score < 100) SELECT score, 0 FROM scores`

  yield* sql`CREATE TABLE tlds (tld ${text} PRIMARY KEY, sites bigint NOT NULL)`
  yield* sql`CREATE INDEX tlds_frequency ON tlds (sites DESC, tld)`
  yield* sql`CREATE TABLE organisations (organisation ${text} PRIMARY KEY, sites bigint NOT NULL)`
  yield* sql`CREATE INDEX organisations_frequency ON organisations (sites DESC, organisation)`
})
