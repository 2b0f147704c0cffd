import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type NamedRow, rowsBySite } from "./NamedFigures.ts"
import type { Int } from "./RunRows.ts"

/*
 * Substrings of addresses, most recently audited first. SQLite has an index of letters, pairs and trigrams whose rows stand
 * in that order: the newest hits are read, and no more of them than are asked for. On PostgreSQL what many sites contain is
 * found among the newest of them, and what few contain through an index of trigrams or, for one or two letters, of grams:
 * single letters and pairs. So a search looks at some thousand sites, or at those that match, never at all of them.
 */

/** Whether the database has an index of trigrams: always on SQLite; on PostgreSQL where it was let have the extension. */
export const hasTrigrams = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.map(sql`SELECT 1 FROM pg_class WHERE oid = to_regclass('site_figures_trigrams')`, (rows) => rows.length > 0),
    orElse: () => Effect.succeed(true)
  })

/** The sites whose haystack contains the needle, most recently audited first. */
export const searchSites = (
  sql: SqlClient,
  needle: string,
  limit: number,
  trigrams: boolean
): Effect.Effect<ReadonlyArray<NamedRow>, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.flatMap(searchPostgres(sql, needle, limit, trigrams), (hits) => toldInOrder(sql, hits.map(({ site }) => Number(site)))),
    orElse: () => searchSqlite(sql, needle, limit)
  })

const toldInOrder = (sql: SqlClient, sites: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<NamedRow>, SqlError> =>
  Effect.map(rowsBySite(sql, sites), (rows) => sites.flatMap((site) => rows.get(site) ?? []))

interface HitRow {
  readonly site: Int
}

type PlacedRow = NamedRow & { readonly place: number }

/**
 * A site's place is never below its time, and above it only where sites had one time. So what stands below the hits with
 * the newest places is older than all of these if the oldest of them stands at its very time. Otherwise whatever may be as
 * new as that one is read as well.
 */
const searchSqlite = Effect.fnUntraced(function*(sql: SqlClient, needle: string, limit: number) {
  const hits = yield* placed(sql, limit, sql`${matches(sql, needle)} ORDER BY search_grams.rowid DESC LIMIT ${limit}`)
  const oldest = hits.at(-1)
  if (oldest === undefined || hits.length < limit || hits.some(({ place }) => place === oldest.latest_run_at)) return hits
  return yield* placed(sql, limit, sql`${matches(sql, needle)} AND search_grams.rowid >= CAST(${oldest.latest_run_at} AS INTEGER)`)
})

/** All of them as one value: fifty rows of ten columns take the driver three times as long as their text takes to be parsed. */
const placed = (sql: SqlClient, limit: number, hits: Fragment): Effect.Effect<ReadonlyArray<PlacedRow>, SqlError> =>
  Effect.map(
    sql<{ readonly hits: string }>`
      SELECT json_group_array(json_object(${sql.literal(PLACED.map((column) => `'${column}', ${column}`).join(", "))})) AS hits
      FROM (SELECT * FROM (${hits}) ORDER BY latest_run_at DESC, site DESC LIMIT ${limit})`,
    ([row]): ReadonlyArray<PlacedRow> => (row === undefined ? [] : JSON.parse(row.hits))
  )

const PLACED: ReadonlyArray<keyof PlacedRow> = [
  "site", "name", "url", "run_count", "score_sum", "best_score", "worst_score", "latest_score", "first_run_at", "latest_run_at", "place"
]

/** Trigrams of a needle that are looked up, the rarest; what else it consists of is looked for in the haystacks that have them. */
const RAREST = 2

const matches = (sql: SqlClient, needle: string): Fragment =>
  sql`
    SELECT site_figures.*, place, sites.site AS name
    FROM search_grams CROSS JOIN search_places ON place = search_grams.rowid CROSS JOIN site_figures ON site_figures.site = search_places.site
      CROSS JOIN sites ON sites.serial = site_figures.site
    WHERE search_grams MATCH (SELECT group_concat(hex(value), ' ') FROM (
      SELECT value FROM json_each(${JSON.stringify(trigramsOf(needle))}) LEFT JOIN search_trigrams ON gram = value
      ORDER BY COALESCE(sites, 0) LIMIT ${RAREST}
    )) AND instr(haystack, ${needle}) > 0`

/** Every three letters in a row, or all where there are fewer. */
const trigramsOf = (needle: string): ReadonlyArray<string> => {
  const letters = Array.from(needle)
  return letters.length <= 3 ? [needle] : [...new Set(letters.slice(2).map((last, index) => `${letters[index]}${letters[index + 1]}${last}`))]
}

/** Sites looked at first of all. */
const NEWEST = 1_000

/** How many times as many are, rather than an index, where that many promise a full answer. */
const MOST = 3

const searchPostgres = Effect.fnUntraced(function*(sql: SqlClient, needle: string, limit: number, trigrams: boolean) {
  const few = yield* amongNewest(sql, needle, limit, NEWEST)
  const newest = few.length >= limit || few.length * MOST < limit
    ? few
    // As many as promise to hold a full answer, with some to spare.
    : yield* amongNewest(sql, needle, limit, Math.ceil((1.3 * NEWEST * limit) / few.length))
  return newest.length >= limit ? newest : yield* throughIndex(sql, needle, limit, trigrams)
})

const amongNewest = (sql: SqlClient, needle: string, limit: number, most: number): Effect.Effect<ReadonlyArray<HitRow>, SqlError> =>
  sql<HitRow>`
    SELECT site FROM (SELECT site, haystack, latest_run_at FROM site_figures ORDER BY latest_run_at DESC, site DESC LIMIT ${most}) newest
    WHERE strpos(newest.haystack, ${needle}) > 0 ORDER BY newest.latest_run_at DESC, newest.site DESC LIMIT ${limit}`

/** All hits first, then their recency: the other way round would read all sites where few match. */
const throughIndex = (sql: SqlClient, needle: string, limit: number, trigrams: boolean): Effect.Effect<ReadonlyArray<HitRow>, SqlError> =>
  sql<HitRow>`
    WITH hits AS MATERIALIZED (
      SELECT site, latest_run_at FROM site_figures WHERE ${trigrams && SERVED.test(needle) ? like(sql, needle) : hasPairs(sql, needle)}
    )
    SELECT site FROM hits ORDER BY latest_run_at DESC, site DESC LIMIT ${limit}`

/** PostgreSQL's trigrams are of letters and digits only: without three in a row it would read its whole index. */
const SERVED = /[a-z\d]{3}/

const like = (sql: SqlClient, needle: string): Fragment => sql`haystack LIKE ${`%${needle.replaceAll(/[\\%_]/g, "\\$&")}%`}`

const hasPairs = (sql: SqlClient, needle: string): Fragment => {
  const letters = Array.from(needle)
  const grams = letters.length < 2 ? letters : [...new Set(letters.slice(1).map((last, index) => `${letters[index]}${last}`))]
  return sql`docgauge_grams(haystack) @> ${grams}::text[] AND strpos(haystack, ${needle}) > 0`
}
