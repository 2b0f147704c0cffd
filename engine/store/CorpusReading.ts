import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { formatInstant } from "./Instant.ts"
import { needleOf } from "./Haystack.ts"
import { type NamedFigures, namedFiguresOf, rowsBySite } from "./NamedFigures.ts"
import type { Int } from "./RunRows.ts"
import type { CorpusStats, CorpusSummary, SiteSummary, TopOrder, TopWindow } from "./RunStore.ts"
import { meanScore, type SiteFigures } from "./SiteFigures.ts"
import { searchSites } from "./SiteSearch.ts"
import { rankedSites } from "./Standings.ts"

interface SummaryRow {
  readonly sites: Int
  readonly score_sum: Int
  readonly runs: Int
  readonly latest_run_at: Int | null
}

export const readSummary = Effect.fnUntraced(function*(sql: SqlClient): Effect.fn.Return<CorpusSummary, SqlError> {
  const [row] = yield* sql<SummaryRow>`
    SELECT runs, latest_run_at,
      (SELECT CAST(SUM(sites) AS bigint) FROM score_counts) AS sites,
      (SELECT CAST(SUM(sites * score) AS bigint) FROM score_counts) AS score_sum
    FROM corpus`
  if (row === undefined) return { sites: 0, runs: 0, averageScore: 0, latestRunAt: null }
  return {
    sites: Number(row.sites),
    runs: Number(row.runs),
    averageScore: meanScore(Number(row.score_sum), Number(row.sites)),
    latestRunAt: row.latest_run_at === null ? null : formatInstant(Number(row.latest_run_at))
  }
})

/** Entries of each distribution that are told. */
const MOST = 50

export const readStats = Effect.fnUntraced(function*(sql: SqlClient): Effect.fn.Return<CorpusStats, SqlError> {
  const scores = yield* sql<{ readonly score: number; readonly sites: Int }>`SELECT score, sites FROM score_counts WHERE sites > 0`
  const tlds = yield* sql<{ readonly tld: string; readonly sites: Int }>`SELECT tld, sites FROM tlds ORDER BY sites DESC, tld LIMIT ${MOST}`
  const organisations = yield* sql<{ readonly organisation: string; readonly sites: Int }>`
    SELECT organisation, sites FROM organisations ORDER BY sites DESC, organisation LIMIT ${MOST}`
  return {
    scores: TENS.map((from) => {
      const to = from === 90 ? 100 : from + 9
      const count = scores.reduce((sum, { score, sites }) => (score >= from && score <= to ? sum + Number(sites) : sum), 0)
      return { from, to, count }
    }),
    tlds: tlds.map(({ sites, tld }) => ({ tld, count: Number(sites) })),
    organisations: organisations.map(({ organisation, sites }) => ({ organisation, count: Number(sites) }))
  }
})

const TENS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]

const DAYS: Readonly<Record<TopWindow, number | null>> = { "7d": 7, "30d": 30, all: null }

/** Ranked by the best or worst score of the runs accepted within the window, and told with the figures of those runs. */
export const readTop = Effect.fnUntraced(function*(sql: SqlClient, window: TopWindow, order: TopOrder, limit: number) {
  const days = DAYS[window]
  const since = days === null ? 0 : (yield* Clock.currentTimeMillis) * 1_000 - days * DAY
  const sites = yield* rankedSites(sql, order, since, limit)
  const rows = yield* rowsBySite(sql, sites)
  const within = days === null ? new Map<number, WindowFigures>() : yield* figuresWithin(sql, sites, since)
  return summaries(sites, new Map([...rows].map(([site, row]) => [site, { ...namedFiguresOf(row), ...within.get(site) }])))
})

const DAY = 24 * 60 * 60 * 1_000_000

export const readSearch = Effect.fnUntraced(function*(sql: SqlClient, text: string, limit: number, trigrams: boolean) {
  const needle = needleOf(text)
  if (needle === null) return []
  const rows = yield* searchSites(sql, needle, limit, trigrams)
  return rows.map((row) => summaryOf(namedFiguresOf(row)))
})

type WindowFigures = Omit<SiteFigures, "url" | "latestScore">

interface WindowRow {
  readonly site: Int
  readonly run_count: Int
  readonly score_sum: Int
  readonly best_score: number
  readonly worst_score: number
  readonly first_run_at: Int
  readonly latest_run_at: Int
}

const figuresWithin = Effect.fnUntraced(function*(sql: SqlClient, sites: ReadonlyArray<number>, since: number) {
  const rows = yield* sql<WindowRow>`
    SELECT site, COUNT(*) AS run_count, SUM(total_score) AS score_sum, MAX(total_score) AS best_score, MIN(total_score) AS worst_score,
      MIN(started_at) AS first_run_at, MAX(started_at) AS latest_run_at
    FROM runs WHERE ${sql.in("site", sites)} AND started_at >= ${since} AND status = 'done' AND NOT hidden GROUP BY site`
  return new Map(rows.map((row): readonly [number, WindowFigures] => [Number(row.site), {
    runCount: Number(row.run_count),
    scoreSum: Number(row.score_sum),
    bestScore: row.best_score,
    worstScore: row.worst_score,
    firstRunAt: Number(row.first_run_at),
    latestRunAt: Number(row.latest_run_at)
  }]))
})

const summaries = (sites: ReadonlyArray<number>, figures: ReadonlyMap<number, NamedFigures>): ReadonlyArray<SiteSummary> =>
  sites.flatMap((site) => {
    const known = figures.get(site)
    return known === undefined ? [] : [summaryOf(known)]
  })

const summaryOf = ({ name, ...figures }: NamedFigures): SiteSummary => ({
  site: name,
  url: figures.url,
  runCount: figures.runCount,
  latestRunAt: formatInstant(figures.latestRunAt),
  firstRunAt: formatInstant(figures.firstRunAt),
  bestScore: figures.bestScore,
  worstScore: figures.worstScore,
  averageScore: meanScore(figures.scoreSum, figures.runCount)
})
