import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { byCriterion, type CriterionOutcome, type OutcomeState } from "../corpus/OutcomeCounts.ts"
import { formatInstant, type Int } from "../database/ColumnValues.ts"

/** How many sites have which outcome for a criterion. */
interface CountedCriterion extends Readonly<Record<OutcomeState, number>> {
  readonly id: string
}

/** The sites with a reliable run, by their newest ones, as they were counted in a week. */
interface AdoptionWeek {
  /** ISO 8601, such as `2026-W48`. */
  readonly week: string
  /** RFC 3339. */
  readonly countedAt: string
  /** Those counted, all or of one generator. */
  readonly sites: number
  readonly criteria: ReadonlyArray<CountedCriterion>
}

export interface AdoptionSeries {
  /** Oldest first. */
  readonly weeks: ReadonlyArray<AdoptionWeek>
  /** Those of the newest week of all, most sites first. */
  readonly generators: ReadonlyArray<{ readonly generator: string; readonly sites: number }>
}

/** Which part of the series is read; `null`: all criteria, all generators together. */
export interface AdoptionFilter {
  readonly criterion: string | null
  readonly generator: string | null
}

/** Weeks that are read at most: two years. */
const MOST_WEEKS = 104

/** The generator in rows of all sites together. */
const ALL = ""

/** The generator of sites whose generator is not known. */
export const UNKNOWN_GENERATOR = "unknown"

const NOTHING: Readonly<Record<OutcomeState, number>> = {
  present: 0,
  partial: 0,
  absent: 0,
  inconclusive: 0,
  not_applicable: 0
}

/** Counts sites by generator and criterion. */
export class AdoptionTally {
  private readonly sites = new Map<string, number>()
  private readonly counts = new Map<string, Map<string, Record<OutcomeState, number>>>()

  add(generator: string | null, outcomes: ReadonlyArray<CriterionOutcome>): void {
    for (const name of [ALL, generator ?? UNKNOWN_GENERATOR]) {
      this.sites.set(name, (this.sites.get(name) ?? 0) + 1)
      const criteria = this.counts.get(name) ?? new Map<string, Record<OutcomeState, number>>()
      this.counts.set(name, criteria)
      for (const { id, state } of outcomes) {
        const count = criteria.get(id) ?? { ...NOTHING }
        count[state] += 1
        criteria.set(id, count)
      }
    }
  }

  /** Rows of `adoption_weeks`. */
  weekRows(week: string, at: number) {
    return [...this.sites].map(([generator, sites]) => ({ week, generator, counted_at: at, sites }))
  }

  /** Rows of `adoption_counts`. */
  countRows(week: string) {
    return [...this.counts].flatMap(([generator, criteria]) =>
      [...criteria].map(([criterion, count]) => ({ generator, week, criterion, ...count }))
    )
  }
}

/** Rows of one statement, each of eight values. */
const ROWS = 500

/** Stores the counts of a week in place of those that it may have. Call it in a transaction. */
export const keepAdoption = Effect.fnUntraced(function* (
  sql: SqlClient,
  tally: AdoptionTally,
  week: string,
  at: number
): Effect.fn.Return<void, SqlError> {
  yield* sql`DELETE FROM adoption_weeks WHERE week = ${week}`
  yield* sql`DELETE FROM adoption_counts WHERE week = ${week}`
  yield* insertAll(sql, "adoption_weeks", tally.weekRows(week, at))
  yield* insertAll(sql, "adoption_counts", tally.countRows(week))
})

const insertAll = Effect.fnUntraced(function* (
  sql: SqlClient,
  table: string,
  rows: ReadonlyArray<Record<string, string | number>>
) {
  for (let start = 0; start < rows.length; start += ROWS) {
    const [first, ...rest] = rows.slice(start, start + ROWS)
    if (first !== undefined) yield* sql`INSERT INTO ${sql(table)} ${sql.insert([first, ...rest])}`
  }
})

interface WeekRow {
  readonly week: string
  readonly counted_at: Int
  readonly sites: Int
}

interface CountRow extends Readonly<Record<OutcomeState, Int>> {
  readonly week: string
  readonly criterion: string
}

/** The newest weeks in which sites of the generator were counted. */
export const readAdoptionSeries = Effect.fnUntraced(function* (
  sql: SqlClient,
  { criterion, generator }: AdoptionFilter
): Effect.fn.Return<AdoptionSeries, SqlError> {
  const name = generator ?? ALL
  const weeks = yield* sql<WeekRow>`
    SELECT week, counted_at, sites FROM adoption_weeks WHERE generator = ${name} ORDER BY week DESC LIMIT ${MOST_WEEKS}`
  const counts = yield* sql<CountRow>`
    SELECT week, criterion, present, partial, absent, inconclusive, not_applicable FROM adoption_counts
    WHERE generator = ${name} AND week >= ${weeks.at(-1)?.week ?? ""} ${criterion === null ? sql`` : sql`AND criterion = ${criterion}`}`
  const generators = yield* sql<{ readonly generator: string; readonly sites: Int }>`
    SELECT generator, sites FROM adoption_weeks
    WHERE week = (SELECT MAX(week) FROM adoption_weeks) AND generator <> ${ALL} ORDER BY sites DESC, generator`
  const byWeek = Map.groupBy(counts, ({ week }) => week)
  return {
    weeks: weeks.toReversed().map(({ counted_at, sites, week }) => ({
      week,
      countedAt: formatInstant(Number(counted_at)),
      sites: Number(sites),
      criteria: (byWeek.get(week) ?? []).map(countOf).sort((one, other) => byCriterion(one.id, other.id))
    })),
    generators: generators.map((row) => ({ generator: row.generator, sites: Number(row.sites) }))
  }
})

const countOf = (row: CountRow): CountedCriterion => ({
  id: row.criterion,
  present: Number(row.present),
  partial: Number(row.partial),
  absent: Number(row.absent),
  inconclusive: Number(row.inconclusive),
  not_applicable: Number(row.not_applicable)
})
