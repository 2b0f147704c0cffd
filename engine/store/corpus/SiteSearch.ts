import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "../database/ColumnValues.ts"
import { figuresOf, type FiguresRow } from "./CorpusFigures.ts"
import type { NamedFigures } from "./SiteFigures.ts"

/** Number of the newest sites that are read first, whatever is searched. */
const NEWEST = 1_000

/**
 * The sites whose search text contains the text, most recently audited first. A frequent text is found among the newest sites,
 * a rare one through the index, so that no search reads or sorts more than a few thousand sites.
 */
export const searchSites = Effect.fnUntraced(function* (
  sql: SqlClient,
  text: string,
  limit: number
): Effect.fn.Return<ReadonlyArray<NamedRow>, SqlError> {
  const newest = yield* amongNewest(sql, text, limit, NEWEST)
  const found =
    newest.length >= limit
      ? newest
      : yield* sql.onDialectOrElse({
          pg: () => amongAllOnPostgres(sql, text, limit),
          orElse: () => amongAllOnSqlite(sql, text, limit, newest.length)
        })
  const hits = found.map(({ site }) => Number(site))
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
const throughIndex = (sql: SqlClient, text: string, limit: number, candidates: Fragment) =>
  sql<HitRow>`
    WITH hits AS MATERIALIZED (SELECT site, latest_run_at FROM ${candidates} AND ${contains(sql, text)})
    SELECT site FROM hits ORDER BY latest_run_at DESC, site DESC LIMIT ${limit}`

const contains = (sql: SqlClient, text: string): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`strpos(search_text, ${text}) > 0`,
    orElse: () => sql`instr(search_text, ${text}) > 0`
  })

/** Letters of a text that are looked up in the index: more would read more of it than they exclude. */
const LOOKED_UP = 64

/** A URL's scheme is in every search text, and is not worth looking up. */
const lookedUp = (text: string): ReadonlyArray<string> =>
  Array.from(text.replace(/^https?:\/\/(?=...)/u, "")).slice(-LOOKED_UP)

/**
 * First among the sites that were audited lately, then among all. PostgreSQL intersects the index of letters with that of recency
 * before it reads a site, so a text with tens of thousands of candidates does not cost more than a rare one.
 */
const amongAllOnPostgres = Effect.fnUntraced(function* (sql: SqlClient, text: string, limit: number) {
  // A subquery hides the letters from the planner, which would multiply their shares, take a frequent word for rare and read all candidates.
  const candidates = sql`site_figures WHERE docgauge_grams(search_text) @> (SELECT ${gramsOf(lookedUp(text))}::text[])`
  const since = yield* sinceLately(sql)
  // Not prepared, because a plan for any text and time would not use the index of recency.
  const recent = yield* throughIndex(sql, text, limit, sql`${candidates} AND latest_run_at >= ${since}`).unprepared
  return recent.length >= limit ? recent : yield* throughIndex(sql, text, limit, candidates)
})

/** Spread over the text: neighbours exclude almost the same sites, and each takes time. */
const gramsOf = (letters: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = Math.max(0, letters.length - GRAM)
  const step = Math.max(2, Math.ceil(last / MOST_GRAMS))
  return letters.flatMap((_, start) =>
    start === last || (start < last && start % step === 0) ? letters.slice(start, start + GRAM).join("") : []
  )
}

/** Number of those of a text that are looked up, besides the last. */
const MOST_GRAMS = 7

/** The longest text that the index contains. */
const GRAM = 3

/** How many times as far back as the newest sites the first look into the index goes: some 20,000 of a million sites. */
const LATELY = 20

/** Microseconds since the epoch. */
const sinceLately = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<number, SqlError> {
  const [row] = yield* sql<{ readonly newest: Int | null; readonly oldest: Int | null }>`
    SELECT MAX(latest_run_at) AS newest, MIN(latest_run_at) AS oldest
    FROM (SELECT latest_run_at FROM site_figures ORDER BY latest_run_at DESC, site DESC LIMIT ${NEWEST}) newest`
  const [newest, oldest] = [Number(row?.newest ?? 0), Number(row?.oldest ?? 0)]
  return Math.max(0, newest - LATELY * (newest - oldest))
})

/** More of the newest sites are read, up to three times as many, if that is likely to fill the result. */
const MOST = 3

const amongAllOnSqlite = Effect.fnUntraced(function* (sql: SqlClient, text: string, limit: number, found: number) {
  const more =
    found * MOST < limit ? [] : yield* amongNewest(sql, text, limit, Math.ceil((1.3 * NEWEST * limit) / found))
  return more.length >= limit ? more : yield* throughIndex(sql, text, limit, indexedOnSqlite(sql, lookedUp(text)))
})

/** One or two letters are the beginnings of trigrams. */
const indexedOnSqlite = (sql: SqlClient, letters: ReadonlyArray<string>): Fragment => {
  const phrase = letters.join("")
  const match =
    letters.length >= 3
      ? sql`${quoted(phrase)}`
      : sql`(SELECT COALESCE(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), ${NO_TEXT}) FROM site_trigrams WHERE term >= ${phrase} AND term < ${`${phrase}\u{10FFFF}`})`
  return sql`site_search CROSS JOIN site_figures ON site_figures.site = site_search.rowid WHERE site_search MATCH ${match}`
}

const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`

/** No search text has three spaces in a row. */
const NO_TEXT = quoted("   ")

/** A row of `site_figures`, with the site's name and its newest `done` run. */
export type NamedRow = FiguresRow & { readonly name: string; readonly latest_run: string | null }

export const namedFiguresOf = (row: NamedRow): NamedFigures => ({
  ...figuresOf(row),
  name: row.name,
  latestRunId: row.latest_run
})

/** Selects every `NamedRow`. The run is a subquery, which reads one entry of an index for each row that is returned. */
export const namedRows = (sql: SqlClient): Fragment =>
  sql.literal(`SELECT site_figures.*, sites.site AS name,
      (SELECT runs.id FROM runs WHERE runs.site = site_figures.site AND runs.status = 'done' AND NOT runs.hidden
        ORDER BY runs.started_at DESC LIMIT 1) AS latest_run
    FROM site_figures JOIN sites ON sites.serial = site_figures.site`)

/** The rows of sites, by their serial numbers. */
export const rowsBySite = Effect.fnUntraced(function* (sql: SqlClient, sites: ReadonlyArray<number>) {
  const rows = yield* sql<NamedRow>`
    ${namedRows(sql)} WHERE ${sql.in("site_figures.site", sites)}`
  return new Map(rows.map((row) => [Number(row.site), row] as const))
})
