import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "../database/ColumnValues.ts"
import { type NamedRow, rowsBySite } from "./NamedFigures.ts"

/** Whether the database has an index of trigrams. On PostgreSQL it takes the extension `pg_trgm`. */
export const hasTrigrams = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.map(sql`SELECT 1 FROM pg_class WHERE oid = to_regclass('site_figures_trigrams')`, (rows) => rows.length > 0),
    orElse: () => Effect.succeed(true)
  })

/** Number of the newest sites that the first step reads. */
const NEWEST = 1_000

/** The second step reads up to three times as many sites if that is likely to fill the result, and uses the index otherwise. */
const MOST = 3

/**
 * The sites whose search text contains the text, most recently audited first. A frequent text is found among the newest sites,
 * a rare one through the index, so that no search reads or sorts more than a few thousand sites.
 */
export const searchSites = Effect.fnUntraced(function*(sql: SqlClient, text: string, limit: number, trigrams: boolean): Effect.fn.Return<ReadonlyArray<NamedRow>, SqlError> {
  const first = yield* amongNewest(sql, text, limit, NEWEST)
  const second = first.length >= limit || first.length * MOST < limit
    ? first
    : yield* amongNewest(sql, text, limit, Math.ceil((1.3 * NEWEST * limit) / first.length))
  const hits = (second.length >= limit ? second : yield* throughIndex(sql, text, limit, trigrams)).map(({ site }) => Number(site))
  const rows = yield* rowsBySite(sql, hits)
  return hits.flatMap((site) => rows.get(site) ?? [])
})

interface HitRow {
  readonly site: Int
}

const amongNewest = (sql: SqlClient, text: string, limit: number, most: number) =>
  sql<HitRow>`
    SELECT site FROM (SELECT site, search_text, latest_run_at FROM site_figures ORDER BY latest_run_at DESC, site DESC LIMIT ${most}) newest
    WHERE ${contains(sql, text)} ORDER BY latest_run_at DESC, site DESC LIMIT ${limit}`

/** Materialized, or the planner may walk all sites by their recency and test each. */
const throughIndex = (sql: SqlClient, text: string, limit: number, trigrams: boolean) =>
  sql<HitRow>`
    WITH hits AS MATERIALIZED (
      SELECT site, latest_run_at FROM ${sql.onDialectOrElse({ pg: () => indexedOnPostgres(sql, text, trigrams), orElse: () => indexedOnSqlite(sql, text) })}
        AND ${contains(sql, text)}
    )
    SELECT site FROM hits ORDER BY latest_run_at DESC, site DESC LIMIT ${limit}`

const contains = (sql: SqlClient, text: string): Fragment =>
  sql.onDialectOrElse({ pg: () => sql`strpos(search_text, ${text}) > 0`, orElse: () => sql`instr(search_text, ${text}) > 0` })

/** Letters of a text that are looked up in the index: more would read more of it than they exclude. */
const LOOKED_UP = 64

/** One or two letters are the beginnings of trigrams. A URL's scheme is in every search text, and is not worth looking up. */
const indexedOnSqlite = (sql: SqlClient, text: string): Fragment => {
  const phrase = Array.from(text.replace(/^https?:\/\/(?=...)/u, "")).slice(-LOOKED_UP).join("")
  const match = Array.from(phrase).length >= 3
    ? sql`${quoted(phrase)}`
    : sql`(SELECT COALESCE(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), ${NO_TEXT}) FROM site_trigrams WHERE term >= ${phrase} AND term < ${`${phrase}\u{10FFFF}`})`
  return sql`site_search CROSS JOIN site_figures ON site_figures.site = site_search.rowid WHERE site_search MATCH ${match}`
}

const quoted = (phrase: string): string => `"${phrase.replaceAll("\"", "\"\"")}"`

/** No search text has three spaces in a row. */
const NO_TEXT = quoted("   ")

/** `pg_trgm` indexes letters and digits only: a text without three in a row is looked up by its pairs. */
const indexedOnPostgres = (sql: SqlClient, text: string, trigrams: boolean): Fragment => {
  if (trigrams && /[a-z\d]{3}/.test(text)) return sql`site_figures WHERE search_text LIKE ${`%${text.replaceAll(/[\\%_]/g, "\\$&")}%`}`
  const letters = Array.from(text)
  const pairs = letters.length < 2 ? letters : [...new Set(letters.slice(1).map((last, index) => `${letters[index]}${last}`))]
  return sql`site_figures WHERE docgauge_pairs(search_text) @> ${pairs}::text[]`
}
