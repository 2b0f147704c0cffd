import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { haystackOf } from "./Haystack.ts"
import type { Int } from "./RunRows.ts"
import { type ScoredRun, type SiteFigures, tldOf, withRun } from "./SiteFigures.ts"
import { recordStanding } from "./Standings.ts"

/**
 * Counts a run that has just finished: its site's figures and standing, and those of the corpus. To be called in the
 * transaction in which the run becomes `done`, once for each run. `site` is the site's serial number.
 */
export const recordFinish = Effect.fnUntraced(function*(sql: SqlClient, site: number, run: ScoredRun) {
  // First of all: whoever else finishes a run waits here, so that no two of them can wait for each other.
  yield* sql`
    UPDATE corpus SET runs = runs + 1, latest_run_at =
      CASE WHEN latest_run_at IS NULL OR latest_run_at < ${run.startedAt} THEN ${run.startedAt} ELSE latest_run_at END`
  const known = yield* siteOf(sql, site)
  if (known === null) return
  const { figures } = known
  const next = withRun(figures, run)
  yield* keepFigures(sql, site, next, haystackOf(next.url, known.name))
  yield* countScores(sql, figures?.latestScore ?? null, next.latestScore)
  if (figures === null) yield* countSite(sql, known.name, known.domain)
  yield* recordStanding(sql, { site, startedAt: run.startedAt, score: run.score })
})

/** First of all figures: whoever else changes any waits here, so that no two of them can wait for each other. */
export const lockCorpus = (sql: SqlClient): Effect.Effect<unknown, SqlError> => sql`UPDATE corpus SET runs = runs`

/** A site with what is kept of it. */
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
export const siteOf = Effect.fnUntraced(function*(sql: SqlClient, site: number): Effect.fn.Return<KnownSite | null, SqlError> {
  const [names] = yield* sql<SiteRow>`SELECT site, domain FROM sites WHERE serial = ${site}`
  if (names === undefined) return null
  const [row] = yield* sql<FiguresRow>`SELECT * FROM site_figures WHERE site = ${site}`
  return { name: names.site, domain: names.domain, figures: row === undefined ? null : figuresOf(row) }
})

/** A row of `site_figures`, without the haystack, which only searches look at. */
export interface FiguresRow {
  readonly site: Int
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
  url: row.url,
  runCount: Number(row.run_count),
  scoreSum: Number(row.score_sum),
  bestScore: row.best_score,
  worstScore: row.worst_score,
  latestScore: row.latest_score,
  firstRunAt: Number(row.first_run_at),
  latestRunAt: Number(row.latest_run_at)
})

/** Puts figures in the place of those that are there. */
export const keepFigures = (sql: SqlClient, site: number, figures: SiteFigures, haystack: string): Effect.Effect<unknown, SqlError> =>
  sql`
    INSERT INTO site_figures ${sql.insert({
      site,
      url: figures.url,
      haystack,
      run_count: figures.runCount,
      score_sum: figures.scoreSum,
      best_score: figures.bestScore,
      worst_score: figures.worstScore,
      latest_score: figures.latestScore,
      first_run_at: figures.firstRunAt,
      latest_run_at: figures.latestRunAt
    })}
    ON CONFLICT (site) DO UPDATE SET url = excluded.url, haystack = excluded.haystack, run_count = excluded.run_count,
      score_sum = excluded.score_sum, best_score = excluded.best_score, worst_score = excluded.worst_score,
      latest_score = excluded.latest_score, first_run_at = excluded.first_run_at, latest_run_at = excluded.latest_run_at`

/** Moves a site from one newest score to another; `null`: it has none. */
export const countScores = Effect.fnUntraced(function*(sql: SqlClient, before: number | null, after: number | null) {
  if (before === after) return
  if (before !== null) yield* sql`UPDATE score_counts SET sites = sites - 1 WHERE score = ${before}`
  if (after !== null) yield* sql`UPDATE score_counts SET sites = sites + 1 WHERE score = ${after}`
})

/** Counts a site that has its first run. */
export const countSite = Effect.fnUntraced(function*(sql: SqlClient, site: string, organisation: string) {
  const tld = tldOf(site)
  if (tld !== null) yield* sql`INSERT INTO tlds (tld, sites) VALUES (${tld}, 1) ON CONFLICT (tld) DO UPDATE SET sites = tlds.sites + 1`
  yield* sql`
    INSERT INTO organisations (organisation, sites) VALUES (${organisation}, 1)
    ON CONFLICT (organisation) DO UPDATE SET sites = organisations.sites + 1`
})

/** The site has no run any more. */
export const discountSite = Effect.fnUntraced(function*(sql: SqlClient, site: string, organisation: string) {
  const tld = tldOf(site)
  if (tld !== null) yield* sql`UPDATE tlds SET sites = sites - 1 WHERE tld = ${tld}`
  yield* sql`DELETE FROM tlds WHERE tld = ${tld} AND sites <= 0`
  yield* sql`UPDATE organisations SET sites = sites - 1 WHERE organisation = ${organisation}`
  yield* sql`DELETE FROM organisations WHERE organisation = ${organisation} AND sites <= 0`
})
