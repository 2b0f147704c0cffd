import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { Int } from "../database/ColumnValues.ts"
import { inOneRoundTrip } from "../database/SqlDatabase.ts"
import { addOutcomes } from "./OutcomeCounts.ts"
import { countedOutcomes, countedScore, type SiteFigures, tldOf } from "./SiteFigures.ts"

/** How a transaction changes the figures of the whole corpus, by finishing a run or recounting a site. */
interface CorpusChange {
  readonly site: string
  readonly domain: string
  /** `done` runs that are added; negative if some were removed. */
  readonly runs: number
  /** 1: the site has its first `done` run; -1: it has none any more. */
  readonly sites: number
  /** When the added run started; `null`: runs were removed, so the newest run has to be searched. */
  readonly latestRunAt: number | null
  /** What the site counts for in the statistics before and after; `null` while it has no reliable run. */
  readonly scoreBefore: number | null
  readonly scoreAfter: number | null
  /** Packed. */
  readonly outcomesBefore: string
  readonly outcomesAfter: string
}

/** What a site counts for in the statistics, before and after a change of its figures. */
export const scoresAndOutcomes = (before: SiteFigures | null, after: SiteFigures | null) => ({
  scoreBefore: countedScore(before),
  scoreAfter: countedScore(after),
  outcomesBefore: countedOutcomes(before),
  outcomesAfter: countedOutcomes(after)
})

/**
 * Writes the figures of a site, and records how they change those of the corpus, in the current transaction. On PostgreSQL it only adds
 * a row, which `foldChanges` counts later: transactions that updated the figures of the corpus themselves would wait for each other.
 * SQLite has one writer anyway, so it counts at once.
 */
export const recordChange = (
  sql: SqlClient,
  figures: Statement<object>,
  change: CorpusChange
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => inOneRoundTrip(sql, figures, sql`INSERT INTO corpus_changes ${sql.insert(rowOf(change))}`),
    orElse: () => Effect.andThen(figures, countChanges(sql, [change]))
  })

/** Changes that one transaction folds. */
const BATCH = 500

/**
 * Counts up to 500 recorded changes, and returns their number; 0 while another process does so. For PostgreSQL; call it in a
 * transaction.
 */
export const foldChanges = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<number, SqlError> {
  const lock = yield* sql`SELECT one FROM corpus WHERE EXISTS (SELECT 1 FROM corpus_changes) FOR UPDATE SKIP LOCKED`
  if (lock.length === 0) return 0
  const rows = yield* sql<ChangeRow>`
    DELETE FROM corpus_changes WHERE serial IN (SELECT serial FROM corpus_changes ORDER BY serial LIMIT ${BATCH}) RETURNING *`
  if (rows.length > 0) yield* countChanges(sql, rows.map(changeOf))
  return rows.length
})

interface ChangeRow {
  readonly site: string
  readonly domain: string
  readonly runs: number
  readonly sites: number
  readonly latest_run_at: Int | null
  readonly score_before: number | null
  readonly score_after: number | null
  readonly outcomes_before: string
  readonly outcomes_after: string
}

const rowOf = (change: CorpusChange) => ({
  site: change.site,
  domain: change.domain,
  runs: change.runs,
  sites: change.sites,
  latest_run_at: change.latestRunAt,
  score_before: change.scoreBefore,
  score_after: change.scoreAfter,
  outcomes_before: change.outcomesBefore,
  outcomes_after: change.outcomesAfter
})

const changeOf = (row: ChangeRow): CorpusChange => ({
  site: row.site,
  domain: row.domain,
  runs: row.runs,
  sites: row.sites,
  latestRunAt: row.latest_run_at === null ? null : Number(row.latest_run_at),
  scoreBefore: row.score_before,
  scoreAfter: row.score_after,
  outcomesBefore: row.outcomes_before,
  outcomesAfter: row.outcomes_after
})

const countChanges = Effect.fnUntraced(function* (
  sql: SqlClient,
  changes: ReadonlyArray<CorpusChange>
): Effect.fn.Return<void, SqlError> {
  yield* countRuns(sql, changes)
  yield* countScores(sql, changes)
  yield* countNames(sql, "tlds", "tld", changes, ({ site }) => tldOf(site))
  yield* countNames(sql, "organisations", "organisation", changes, ({ domain }) => domain)
  yield* addOutcomes(
    sql,
    changes.filter(({ outcomesAfter, outcomesBefore }) => outcomesAfter !== outcomesBefore)
  )
})

const countRuns = Effect.fnUntraced(function* (sql: SqlClient, changes: ReadonlyArray<CorpusChange>) {
  const [runs, sites] = [sumOf(changes, ({ runs }) => runs), sumOf(changes, ({ sites }) => sites)]
  const latest = Math.max(...changes.map(({ latestRunAt }) => latestRunAt ?? 0))
  const newest = changes.some(({ latestRunAt }) => latestRunAt === null)
    ? sql`(SELECT started_at FROM runs WHERE status = 'done' AND NOT hidden ORDER BY started_at DESC LIMIT 1)`
    : sql`CASE WHEN latest_run_at IS NULL OR latest_run_at < ${latest} THEN ${latest} ELSE latest_run_at END`
  yield* sql`UPDATE corpus SET runs = runs + ${runs}, sites = sites + ${sites}, latest_run_at = ${newest}`
})

const countScores = Effect.fnUntraced(function* (sql: SqlClient, changes: ReadonlyArray<CorpusChange>) {
  const counts = tally(
    changes.flatMap(
      ({ scoreAfter, scoreBefore }) =>
        [
          [scoreBefore, -1],
          [scoreAfter, 1]
        ] as const
    )
  )
  const [first, ...rest] = counts.map(([score, sites]) => ({ score, sites }))
  if (first === undefined) return
  yield* sql`INSERT INTO score_counts ${sql.insert([first, ...rest])} ON CONFLICT (score) DO UPDATE SET sites = score_counts.sites + excluded.sites`
})

/** A site counts under its names from its first reliable run on. */
const countNames = Effect.fnUntraced(function* (
  sql: SqlClient,
  table: "tlds" | "organisations",
  column: "tld" | "organisation",
  changes: ReadonlyArray<CorpusChange>,
  nameOf: (change: CorpusChange) => string | null
) {
  const counts = tally(
    changes.map(
      (change) => [nameOf(change), Number(change.scoreAfter !== null) - Number(change.scoreBefore !== null)] as const
    )
  )
  const [first, ...rest] = counts.map(([name, sites]) => ({ [column]: name, sites }))
  if (first === undefined) return
  yield* sql`
    INSERT INTO ${sql(table)} ${sql.insert([first, ...rest])} ON CONFLICT (${sql(column)}) DO UPDATE SET sites = ${sql(table)}.sites + excluded.sites`
  const fewer = counts.filter(([, sites]) => sites < 0).map(([name]) => name)
  if (fewer.length > 0) yield* sql`DELETE FROM ${sql(table)} WHERE ${sql.in(column, fewer)} AND sites <= 0`
})

/** The sums by key, without zeros and without `null`. */
const tally = <K extends string | number>(
  amounts: ReadonlyArray<readonly [K | null, number]>
): ReadonlyArray<readonly [K, number]> => {
  const sums = new Map<K, number>()
  for (const [key, amount] of amounts) if (key !== null) sums.set(key, (sums.get(key) ?? 0) + amount)
  return [...sums].filter(([, sum]) => sum !== 0)
}

const sumOf = (changes: ReadonlyArray<CorpusChange>, amount: (change: CorpusChange) => number): number =>
  changes.reduce((sum, change) => sum + amount(change), 0)
