import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { searchTextOf } from "./SearchText.ts"
import type { Int } from "../database/ColumnValues.ts"
import { countedScore, type CountedRun, type SiteFigures, tldOf, withRun } from "./SiteFigures.ts"

/**
 * Adds a run that has just finished to the figures of its site and of the corpus. Call it once for each run, in the
 * transaction in which the run becomes `done`. `site` is the site's serial number.
 */
export const recordFinish = Effect.fnUntraced(function*(sql: SqlClient, site: number, run: CountedRun) {
  // First, so that two transactions that finish runs cannot deadlock: the second one waits here.
  yield* sql`
    UPDATE corpus SET runs = runs + 1, latest_run_at =
      CASE WHEN latest_run_at IS NULL OR latest_run_at < ${run.startedAt} THEN ${run.startedAt} ELSE latest_run_at END`
  const known = yield* findSite(sql, site)
  if (known === null) return
  const { figures } = known
  const next = withRun(figures, run)
  yield* keepFigures(sql, site, next, searchTextOf(next.url, known.name))
  if (figures === null) yield* sql`UPDATE corpus SET sites = sites + 1`
  yield* countInStatistics(sql, known, countedScore(next))
})

/** Call it before any other update of figures, so that two transactions cannot deadlock: the second one waits here. */
export const lockCorpus = (sql: SqlClient): Effect.Effect<unknown, SqlError> => sql`UPDATE corpus SET runs = runs`

/** A site and its figures. */
export interface KnownSite {
  readonly name: string
  readonly domain: string
  /** `null` before its first `done` run. */
  readonly figures: SiteFigures | null
}

interface SiteRow {
  readonly site: string
  readonly domain: string
}

/** The site of this serial number. */
export const findSite = Effect.fnUntraced(function*(sql: SqlClient, site: number): Effect.fn.Return<KnownSite | null, SqlError> {
  const [names] = yield* sql<SiteRow>`SELECT site, domain FROM sites WHERE serial = ${site}`
  if (names === undefined) return null
  const [row] = yield* sql<FiguresRow>`SELECT * FROM site_figures WHERE site = ${site}`
  return { name: names.site, domain: names.domain, figures: row === undefined ? null : figuresOf(row) }
})

/** A row of `site_figures`, but for the search text. */
export interface FiguresRow {
  readonly site: Int
  readonly reliable: boolean | number
  readonly done_runs: Int
  readonly url: string
  readonly run_count: Int
  readonly score_sum: Int
  readonly best_score: number
  readonly worst_score: number
  readonly latest_score: number
  readonly first_run_at: Int
  readonly latest_run_at: Int
}

export const figuresOf = (row: FiguresRow): SiteFigures => ({
  reliable: Boolean(row.reliable),
  doneRuns: Number(row.done_runs),
  url: row.url,
  runCount: Number(row.run_count),
  scoreSum: Number(row.score_sum),
  bestScore: row.best_score,
  worstScore: row.worst_score,
  latestScore: row.latest_score,
  firstRunAt: Number(row.first_run_at),
  latestRunAt: Number(row.latest_run_at)
})

/** A row of `site_figures`. */
export const figuresRow = (site: number, figures: SiteFigures, searchText: string) => ({
  site,
  reliable: figures.reliable,
  done_runs: figures.doneRuns,
  url: figures.url,
  search_text: searchText,
  run_count: figures.runCount,
  score_sum: figures.scoreSum,
  best_score: figures.bestScore,
  worst_score: figures.worstScore,
  latest_score: figures.latestScore,
  first_run_at: figures.firstRunAt,
  latest_run_at: figures.latestRunAt
})

/** Replaces the figures of a site. */
export const keepFigures = (sql: SqlClient, site: number, figures: SiteFigures, searchText: string): Effect.Effect<unknown, SqlError> =>
  sql`
    INSERT INTO site_figures ${sql.insert(figuresRow(site, figures, searchText))}
    ON CONFLICT (site) DO UPDATE SET reliable = excluded.reliable, done_runs = excluded.done_runs, url = excluded.url, search_text = excluded.search_text, run_count = excluded.run_count,
      score_sum = excluded.score_sum, best_score = excluded.best_score, worst_score = excluded.worst_score,
      latest_score = excluded.latest_score, first_run_at = excluded.first_run_at, latest_run_at = excluded.latest_run_at`

/** Moves a site to another newest score in the statistics, which it joins with its first reliable one; `null`: no reliable score. */
export const countInStatistics = Effect.fnUntraced(function*(sql: SqlClient, { domain, figures, name }: KnownSite, after: number | null) {
  const before = countedScore(figures)
  yield* countScores(sql, before, after)
  if (before === null && after !== null) yield* countSite(sql, name, domain)
  if (before !== null && after === null) yield* discountSite(sql, name, domain)
})

const countScores = Effect.fnUntraced(function*(sql: SqlClient, before: number | null, after: number | null) {
  if (before === after) return
  if (before !== null) yield* sql`UPDATE score_counts SET sites = sites - 1 WHERE score = ${before}`
  if (after !== null) yield* sql`UPDATE score_counts SET sites = sites + 1 WHERE score = ${after}`
})

const countSite = Effect.fnUntraced(function*(sql: SqlClient, site: string, organisation: string) {
  const tld = tldOf(site)
  if (tld !== null) yield* sql`INSERT INTO tlds (tld, sites) VALUES (${tld}, 1) ON CONFLICT (tld) DO UPDATE SET sites = tlds.sites + 1`
  yield* sql`
    INSERT INTO organisations (organisation, sites) VALUES (${organisation}, 1)
    ON CONFLICT (organisation) DO UPDATE SET sites = organisations.sites + 1`
})

const discountSite = Effect.fnUntraced(function*(sql: SqlClient, site: string, organisation: string) {
  const tld = tldOf(site)
  if (tld !== null) yield* sql`UPDATE tlds SET sites = sites - 1 WHERE tld = ${tld}`
  yield* sql`DELETE FROM tlds WHERE tld = ${tld} AND sites <= 0`
  yield* sql`UPDATE organisations SET sites = sites - 1 WHERE organisation = ${organisation}`
  yield* sql`DELETE FROM organisations WHERE organisation = ${organisation} AND sites <= 0`
})
