import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseHealth, inTransaction, ReadClient, withinWait } from "../database/SqlDatabase.ts"
import { DAY_MICROS, digestKey, formatInstant, type Int } from "../database/ColumnValues.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"
import {
  ALL_SCORES,
  Corpus,
  type CorpusStatistics,
  type CorpusSummary,
  scoreBands,
  type ScoreRange,
  type ScoreStanding,
  type SiteSummary,
  type TopOrder,
  type TopWindow
} from "./Corpus.ts"
import { foldChanges } from "./CorpusChanges.ts"
import { searchedText } from "./CorpusFigures.ts"
import { readAdoption } from "./OutcomeCounts.ts"
import { meanScore, type NamedFigures, type SiteFigures, summaryOf } from "./SiteFigures.ts"
import { namedFiguresOf, type NamedRow, namedRows, rowsBySite, searchSites } from "./SiteSearch.ts"

export const layerSql: Layer.Layer<Corpus, StoreUnavailable, SqlClient | ReadClient | DatabaseHealth> = Layer.effect(
  Corpus,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = yield* ReadClient
    const { watch } = yield* DatabaseHealth
    const answered = <A>(effect: Effect.Effect<A, SqlError>) => withinWait(watch(effect))
    return {
      summary: answered(readSummary(read)),
      statistics: answered(readStatistics(read)),
      standing: (score) => answered(readStanding(read, score)),
      recent: (limit) => answered(readRecent(read, limit)),
      top: (window, order, limit, within = ALL_SCORES) => answered(readTop(read, window, order, limit, within)),
      adoption: answered(readAdoption(read)),
      search: (text, limit) => answered(readSearch(read, text, limit)),
      sites: (names) => answered(readSites(read, names)),
      fold: sql.onDialectOrElse({
        pg: () =>
          Effect.flatMap(watch(read`SELECT 1 FROM corpus_changes LIMIT 1`), (rows) =>
            rows.length === 0
              ? Effect.void
              : Effect.asVoid(
                  Effect.repeat(watch(inTransaction(sql, foldChanges(sql))), { while: (count) => count > 0 })
                )
          ),
        orElse: () => Effect.void
      })
    }
  })
)

interface SummaryRow {
  readonly sites: Int
  readonly scored_sites: Int
  readonly score_sum: Int
  readonly runs: Int
  readonly latest_run_at: Int | null
}

const readSummary = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<CorpusSummary, SqlError> {
  const [row] = yield* sql<SummaryRow>`
    SELECT sites, runs, latest_run_at,
      (SELECT CAST(SUM(sites) AS bigint) FROM score_counts) AS scored_sites,
      (SELECT CAST(SUM(sites * score) AS bigint) FROM score_counts) AS score_sum
    FROM corpus`
  if (row === undefined) return { sites: 0, runs: 0, averageScore: 0, latestRunAt: null }
  return {
    sites: Number(row.sites),
    runs: Number(row.runs),
    averageScore: meanScore(Number(row.score_sum), Number(row.scored_sites)),
    latestRunAt: row.latest_run_at === null ? null : formatInstant(Number(row.latest_run_at))
  }
})

interface StandingRow {
  readonly sites: Int | null
  readonly below: Int | null
  readonly score_sum: Int | null
}

const readStanding = Effect.fnUntraced(function* (
  sql: SqlClient,
  score: number
): Effect.fn.Return<ScoreStanding, SqlError> {
  const [row] = yield* sql<StandingRow>`
    SELECT CAST(SUM(sites) AS bigint) AS sites, CAST(SUM(CASE WHEN score < ${score} THEN sites ELSE 0 END) AS bigint) AS below,
      CAST(SUM(sites * score) AS bigint) AS score_sum FROM score_counts`
  const [sites, below, sum] = [Number(row?.sites ?? 0), Number(row?.below ?? 0), Number(row?.score_sum ?? 0)]
  return { sites, below, averageScore: meanScore(sum, sites) }
})

/** The number of entries of each distribution that are returned. */
const ENTRIES = 50

const readStatistics = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<CorpusStatistics, SqlError> {
  const scores = yield* sql<{
    readonly score: number
    readonly sites: Int
  }>`SELECT score, sites FROM score_counts WHERE sites > 0`
  const tlds = yield* sql<{
    readonly tld: string
    readonly sites: Int
  }>`SELECT tld, sites FROM tlds ORDER BY sites DESC, tld LIMIT ${ENTRIES}`
  const organisations = yield* sql<{ readonly organisation: string; readonly sites: Int }>`
    SELECT organisation, sites FROM organisations ORDER BY sites DESC, organisation LIMIT ${ENTRIES}`
  return {
    scores: scoreBands((from, to) =>
      scores.reduce((sum, { score, sites }) => (score >= from && score <= to ? sum + Number(sites) : sum), 0)
    ),
    tlds: tlds.map(({ sites, tld }) => ({ tld, count: Number(sites) })),
    organisations: organisations.map(({ organisation, sites }) => ({ organisation, count: Number(sites) }))
  }
})

const DAYS: Readonly<Record<TopWindow, number | null>> = { "7d": 7, "30d": 30, all: null }

/** When the window began, in microseconds. */
const sinceOf = (window: TopWindow): Effect.Effect<number> => {
  const days = DAYS[window]
  return days === null
    ? Effect.succeed(0)
    : Effect.map(Clock.currentTimeMillis, (now) => now * 1_000 - days * DAY_MICROS)
}

const readTop = Effect.fnUntraced(function* (
  sql: SqlClient,
  window: TopWindow,
  order: TopOrder,
  limit: number,
  range: ScoreRange
) {
  const since = yield* sinceOf(window)
  const sites = yield* topSites(sql, order, since, limit, range)
  const rows = yield* rowsBySite(sql, sites)
  const within = window === "all" ? new Map<number, WindowFigures>() : yield* figuresWithin(sql, sites, since)
  return summaries(
    sites,
    new Map([...rows].map(([site, row]) => [site, { ...namedFiguresOf(row), ...within.get(site) }]))
  )
})

const readRecent = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<SiteSummary>, SqlError> =>
  Effect.map(
    sql<NamedRow>`
      ${namedRows(sql)} ORDER BY latest_run_at DESC, site_figures.site DESC LIMIT ${limit}`,
    (rows) => rows.map((row) => summaryOf(namedFiguresOf(row)))
  )

const readSearch = Effect.fnUntraced(function* (sql: SqlClient, text: string, limit: number) {
  const searched = searchedText(text)
  if (searched === null) return []
  const rows = yield* searchSites(sql, searched, limit)
  return rows.map((row) => summaryOf(namedFiguresOf(row)))
})

const readSites = (sql: SqlClient, names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<SiteSummary>, SqlError> =>
  names.length === 0
    ? Effect.succeed([])
    : Effect.map(
        sql<NamedRow>`${namedRows(sql)} WHERE ${sql.in(
          "sites.key",
          names.map((name) => digestKey(name))
        )}`,
        (rows) => rows.map((row) => summaryOf(namedFiguresOf(row)))
      )

type WindowFigures = Pick<
  SiteFigures,
  "runCount" | "scoreSum" | "bestScore" | "worstScore" | "firstRunAt" | "latestRunAt"
>

interface WindowRow {
  readonly site: Int
  readonly run_count: Int
  readonly score_sum: Int
  readonly best_score: number
  readonly worst_score: number
  readonly first_run_at: Int
  readonly latest_run_at: Int
}

const figuresWithin = Effect.fnUntraced(function* (sql: SqlClient, sites: ReadonlyArray<number>, since: number) {
  const rows = yield* sql<WindowRow>`
    SELECT site, COUNT(*) AS run_count, SUM(total_score) AS score_sum, MAX(total_score) AS best_score, MIN(total_score) AS worst_score,
      MIN(started_at) AS first_run_at, MAX(started_at) AS latest_run_at
    FROM runs WHERE ${sql.in("site", sites)} AND started_at >= ${since} AND status = 'done' AND reliable AND NOT hidden GROUP BY site`
  return new Map(
    rows.map((row): readonly [number, WindowFigures] => [
      Number(row.site),
      {
        runCount: Number(row.run_count),
        scoreSum: Number(row.score_sum),
        bestScore: row.best_score,
        worstScore: row.worst_score,
        firstRunAt: Number(row.first_run_at),
        latestRunAt: Number(row.latest_run_at)
      }
    ])
  )
})

const summaries = (
  sites: ReadonlyArray<number>,
  figures: ReadonlyMap<number, NamedFigures>
): ReadonlyArray<SiteSummary> =>
  sites.flatMap((site) => {
    const known = figures.get(site)
    return known === undefined ? [] : [summaryOf(known)]
  })

interface RankedRow {
  readonly site: Int
}

/**
 * The sites with the best or worst newest reliable scores in a range, of those whose newest reliable run was accepted at or after `since`
 * (microseconds); of equal scores, the one reached last comes first. As a window ends now, the newest run in it is the newest of
 * all. Score by score, so that the index skips the sites before the window.
 */
const topSites = (
  sql: SqlClient,
  order: TopOrder,
  since: number,
  limit: number,
  { from, to }: ScoreRange
): Effect.Effect<ReadonlyArray<number>, SqlError> => {
  const direction = order === "best" ? sql.literal("DESC") : sql.literal("ASC")
  const rows = sql.onDialectOrElse({
    pg: () => sql<RankedRow>`
      SELECT ranked.site FROM score_counts CROSS JOIN LATERAL (
        SELECT site, latest_run_at FROM site_figures WHERE reliable AND latest_score = score_counts.score AND latest_run_at >= ${since}
        ORDER BY latest_run_at DESC, site LIMIT ${limit}
      ) ranked
      WHERE score_counts.score BETWEEN ${from} AND ${to}
      ORDER BY score_counts.score ${direction}, ranked.latest_run_at DESC, ranked.site LIMIT ${limit}`,
    orElse: () => sql<RankedRow>`
      SELECT site_figures.site FROM score_counts CROSS JOIN site_figures
      WHERE reliable AND latest_score = score_counts.score AND latest_run_at >= ${since} AND score_counts.score BETWEEN ${from} AND ${to}
      ORDER BY score_counts.score ${direction}, latest_run_at DESC, site_figures.site LIMIT ${limit}`
  })
  return Effect.map(rows, (ranked) => ranked.map(({ site }) => Number(site)))
}
