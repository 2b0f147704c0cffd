import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "./RunRows.ts"

/*
 * Substrings of addresses, most recently audited first. What many sites contain is found among the newest of them; what
 * few contain is found through an index of trigrams, or, for one or two letters, of grams: single letters and pairs. So a
 * search looks at some thousand sites, or at those that match, never at all of them.
 */

/** Sites looked at first of all. */
const NEWEST = 1_000

/** How many times as many are, rather than an index, where that many promise a full answer. */
const MOST = 3

/** What is searched: the address in lower case, and the site where the address does not contain it. No white space. */
export const haystackOf = (url: string, site: string): string => {
  const [address, name] = [url.toLowerCase(), site.toLowerCase()]
  return address.includes(name) ? address : `${address} ${name}`
}

/** What is searched for, as haystacks have it; `null` where nothing can contain it. */
export const needleOf = (text: string): string | null => {
  const needle = text.trim().toLowerCase()
  return needle === "" || needle.length > 2_048 || /[\s\p{Cc}]/u.test(needle) || !needle.isWellFormed() ? null : needle
}

/** Every letter and every pair of letters, each once. */
export const gramsOf = (haystack: string): ReadonlyArray<string> => {
  const letters = Array.from(haystack)
  const pairs = letters.map((letter, index) => letter + (letters[index + 1] ?? ""))
  return [...new Set([...letters, ...pairs])].filter((gram) => !gram.includes(" "))
}

/** Makes a site findable by its new haystack, and no longer by its old one. PostgreSQL's indexes do so by themselves. */
export const indexSite = (sql: SqlClient, site: number, haystack: string): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () => Effect.gen(function*() {
      yield* sql`DELETE FROM site_trigrams WHERE rowid = ${site}`
      yield* sql`INSERT INTO site_trigrams (rowid, haystack) VALUES (${site}, ${haystack})`
      yield* sql`DELETE FROM site_grams WHERE rowid = ${site}`
      yield* sql`INSERT INTO site_grams (rowid, grams) VALUES (${site}, ${gramsOf(haystack).map(tokenOf).join(" ")})`
    })
  })

/** The site has no haystack any more. */
export const unindexSite = (sql: SqlClient, site: number): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () => Effect.gen(function*() {
      yield* sql`DELETE FROM site_trigrams WHERE rowid = ${site}`
      yield* sql`DELETE FROM site_grams WHERE rowid = ${site}`
    })
  })

/** A gram as a word that the tokenizer leaves whole: its bytes, hexadecimal. */
export const tokenOf = (gram: string): string => Buffer.from(gram).toString("hex")

/** Whether the database has an index of trigrams: always on SQLite; on PostgreSQL where it was let have the extension. */
export const hasTrigrams = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.map(sql`SELECT 1 FROM pg_class WHERE oid = to_regclass('site_figures_trigrams')`, (rows) => rows.length > 0),
    orElse: () => Effect.succeed(true)
  })

interface HitRow {
  readonly site: Int
}

/** The sites whose haystack contains the needle, most recently audited first. */
export const searchSites = Effect.fnUntraced(function*(sql: SqlClient, needle: string, limit: number, trigrams: boolean) {
  const few = yield* amongNewest(sql, needle, limit, NEWEST)
  const newest = few.length >= limit || few.length * MOST < limit
    ? few
    // As many as promise to hold a full answer, with some to spare.
    : yield* amongNewest(sql, needle, limit, Math.ceil((1.3 * NEWEST * limit) / few.length))
  const rows = newest.length >= limit ? newest : yield* throughIndex(sql, needle, limit, trigrams)
  return rows.map((row) => Number(row.site))
})

const amongNewest = (sql: SqlClient, needle: string, limit: number, most: number): Effect.Effect<ReadonlyArray<HitRow>, SqlError> =>
  sql<HitRow>`
    SELECT site FROM (SELECT site, haystack, latest_run_at FROM site_figures ORDER BY latest_run_at DESC, site DESC LIMIT ${most}) newest
    WHERE ${contains(sql, sql`newest.haystack`, needle)} ORDER BY newest.latest_run_at DESC, newest.site DESC LIMIT ${limit}`

const contains = (sql: SqlClient, haystack: Fragment, needle: string): Fragment =>
  sql.onDialectOrElse({ pg: () => sql`strpos(${haystack}, ${needle}) > 0`, orElse: () => sql`instr(${haystack}, ${needle}) > 0` })

/** All hits first, then their recency: the other way round would read all sites where few match. */
const throughIndex = (sql: SqlClient, needle: string, limit: number, trigrams: boolean): Effect.Effect<ReadonlyArray<HitRow>, SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql<HitRow>`
      WITH hits AS MATERIALIZED (
        SELECT site, latest_run_at FROM site_figures WHERE ${trigrams && SERVED.test(needle) ? like(sql, needle) : hasPairs(sql, needle)}
      )
      SELECT site FROM hits ORDER BY latest_run_at DESC, site DESC LIMIT ${limit}`,
    orElse: () => sql<HitRow>`
      WITH hits AS MATERIALIZED (${matches(sql, needle)})
      SELECT site_figures.site FROM hits CROSS JOIN site_figures WHERE site_figures.site = hits.site
      ORDER BY latest_run_at DESC, site_figures.site DESC LIMIT ${limit}`
  })

const matches = (sql: SqlClient, needle: string): Fragment =>
  Array.from(needle).length >= 3
    ? sql`SELECT rowid AS site FROM site_trigrams WHERE site_trigrams MATCH ${`"${needle.replaceAll("\"", "\"\"")}"`}`
    : sql`SELECT rowid AS site FROM site_grams WHERE site_grams MATCH ${tokenOf(needle)}`

/** PostgreSQL's trigrams are of letters and digits only: without three in a row it would read its whole index. */
const SERVED = /[a-z\d]{3}/

const like = (sql: SqlClient, needle: string): Fragment => sql`haystack LIKE ${`%${needle.replaceAll(/[\\%_]/g, "\\$&")}%`}`

const hasPairs = (sql: SqlClient, needle: string): Fragment => {
  const letters = Array.from(needle)
  const grams = letters.length < 2 ? letters : gramsOf(needle).filter((gram) => Array.from(gram).length === 2)
  return sql`docgauge_grams(haystack) @> ${grams}::text[] AND ${contains(sql, sql`haystack`, needle)}`
}
