import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { Int } from "../database/ColumnValues.ts"
import { recordChange, scoresAndOutcomes } from "./CorpusChanges.ts"
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

interface KnownSite {
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
const lockSite = Effect.fnUntraced(function* (
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

const keepFigures = (sql: SqlClient, site: number, figures: SiteFigures, searchText: string): Statement<object> =>
  sql`
    INSERT INTO site_figures ${sql.insert(figuresRow(site, figures, searchText))}
    ON CONFLICT (site) DO UPDATE SET reliable = excluded.reliable, done_runs = excluded.done_runs, url = excluded.url, search_text = excluded.search_text, run_count = excluded.run_count,
      score_sum = excluded.score_sum, best_score = excluded.best_score, worst_score = excluded.worst_score,
      latest_score = excluded.latest_score, first_run_at = excluded.first_run_at, latest_run_at = excluded.latest_run_at,
      latest_rubric = excluded.latest_rubric, latest_outcomes = excluded.latest_outcomes`

/** The text of a site that is searched: its URL in lower case, and its name unless the URL contains it. Free of white space but for one space between. */
export const searchTextOf = (url: string, site: string): string => {
  const [address, name] = [url.toLowerCase(), site.toLowerCase()]
  return address.includes(name) ? address : `${address} ${name}`
}

/** A user's search in the form of search texts; `null` if no search text can contain it. */
export const searchedText = (query: string): string | null => {
  const text = query.trim().toLowerCase()
  return text === "" || text.length > 2_048 || /[\s\p{Cc}]/u.test(text) || !text.isWellFormed() ? null : text
}

/**
 * Recomputes a site's figures from its `done` runs that are not hidden, and corrects those of the corpus. Call it in the
 * transaction that hid, showed or deleted runs, after that. `site` is a serial number.
 */
export const recountSite = Effect.fnUntraced(function* (sql: SqlClient, site: number) {
  const known = yield* lockSite(sql, site)
  if (known === null) return
  const runs = yield* countedRuns(sql, site)
  const figures = yield* withOutcomes(sql, site, runs.reduce<SiteFigures | null>(withRun, null))
  const kept =
    figures === null
      ? sql`DELETE FROM site_figures WHERE site = ${site}`
      : keepFigures(sql, site, figures, searchTextOf(figures.url, known.name))
  yield* recordChange(sql, kept, {
    site: known.name,
    domain: known.domain,
    runs: runs.length - (known.figures?.doneRuns ?? 0),
    sites: Number(figures !== null) - Number(known.figures !== null),
    latestRunAt: null,
    ...scoresAndOutcomes(known.figures, figures)
  })
})

interface CountedRow {
  readonly url: string
  readonly started_at: Int
  readonly total_score: number
  readonly reliable: boolean | number
  readonly rubric_digest: string
}

const countedRuns = (sql: SqlClient, site: number): Effect.Effect<ReadonlyArray<CountedRun>, SqlError> =>
  Effect.map(
    sql<CountedRow>`
      SELECT url, started_at, total_score, reliable, rubric_digest FROM runs WHERE site = ${site} AND status = 'done' AND NOT hidden ORDER BY started_at`,
    (rows) =>
      rows.map((row) => ({
        url: row.url,
        startedAt: Number(row.started_at),
        score: row.total_score,
        reliable: Boolean(row.reliable),
        rubric: row.rubric_digest,
        outcomes: ""
      }))
  )

/** Only the newest run's outcomes count, so those of the others are not read. */
const withOutcomes = Effect.fnUntraced(function* (
  sql: SqlClient,
  site: number,
  figures: SiteFigures | null
): Effect.fn.Return<SiteFigures | null, SqlError> {
  if (figures === null) return null
  const [row] = yield* sql<{
    readonly outcomes: string
  }>`SELECT outcomes FROM runs WHERE site = ${site} AND started_at = ${figures.latestRunAt}`
  return { ...figures, latestOutcomes: row?.outcomes ?? "" }
})
