import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { recordChange, scoresAndOutcomes } from "./CorpusChanges.ts"
import { searchTextOf } from "./SearchText.ts"
import type { Int } from "../database/ColumnValues.ts"
import { type CountedRun, type SiteFigures, withRun } from "./SiteFigures.ts"

/**
 * Adds a run that has just finished to the figures of its site and of the corpus. Call it once for each run, in the
 * transaction in which the run becomes `done`. `site` is the site's serial number.
 */
export const recordFinish = Effect.fnUntraced(function* (sql: SqlClient, site: number, run: CountedRun) {
  const known = yield* lockSite(sql, site)
  if (known === null) return
  const { domain, figures, name } = known
  const next = withRun(figures, run)
  const change = {
    site: name,
    domain,
    runs: 1,
    sites: figures === null ? 1 : 0,
    latestRunAt: run.startedAt,
    ...scoresAndOutcomes(figures, next)
  }
  yield* recordChange(sql, keepFigures(sql, site, next, searchTextOf(next.url, name)), change)
})

/** A site and its figures. */
export interface KnownSite {
  readonly name: string
  readonly domain: string
  /** `null` before its first `done` run. */
  readonly figures: SiteFigures | null
}

interface SiteRow {
  readonly name: string
  readonly domain: string
}

/** The site of this serial number. Its figures are locked until the transaction ends; lock several in the order of their numbers. */
export const lockSite = Effect.fnUntraced(function* (
  sql: SqlClient,
  site: number
): Effect.fn.Return<KnownSite | null, SqlError> {
  // SQLite's transactions lock the database from their first statement.
  const locked = sql.onDialectOrElse({
    pg: () => sql`docgauge_locked_figures(sites.serial)`,
    orElse: () => sql`site_figures`
  })
  const [row] = yield* sql<SiteRow & (FiguresRow | { readonly run_count: null })>`
    SELECT figures.*, sites.site AS name, sites.domain FROM sites LEFT JOIN ${locked} figures ON figures.site = sites.serial WHERE sites.serial = ${site}`
  return row === undefined
    ? null
    : { name: row.name, domain: row.domain, figures: row.run_count === null ? null : figuresOf(row) }
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
  readonly latest_rubric: string
  readonly latest_outcomes: string
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
  latestRunAt: Number(row.latest_run_at),
  latestRubric: row.latest_rubric,
  latestOutcomes: row.latest_outcomes
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
  latest_run_at: figures.latestRunAt,
  latest_rubric: figures.latestRubric,
  latest_outcomes: figures.latestOutcomes
})

/** Replaces the figures of a site. */
export const keepFigures = (
  sql: SqlClient,
  site: number,
  figures: SiteFigures,
  searchText: string
): Statement<object> =>
  sql`
    INSERT INTO site_figures ${sql.insert(figuresRow(site, figures, searchText))}
    ON CONFLICT (site) DO UPDATE SET reliable = excluded.reliable, done_runs = excluded.done_runs, url = excluded.url, search_text = excluded.search_text, run_count = excluded.run_count,
      score_sum = excluded.score_sum, best_score = excluded.best_score, worst_score = excluded.worst_score,
      latest_score = excluded.latest_score, first_run_at = excluded.first_run_at, latest_run_at = excluded.latest_run_at,
      latest_rubric = excluded.latest_rubric, latest_outcomes = excluded.latest_outcomes`
