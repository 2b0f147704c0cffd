import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "./RunRows.ts"
import type { TopOrder } from "./RunStore.ts"

/*
 * Which site is best in the last seven days? Of each site `standings` keeps only the runs that can still be its best in a
 * window that ends now: those that no later run equals or betters. They form a staircase, later and lower, of a step or
 * three in practice and a hundred at the most, so that any window is served exactly, at its time, by an index over scores
 * that holds far fewer rows than there are runs. The same for worst, upside down.
 */

const RANKINGS: Readonly<Record<TopOrder, number>> = { best: 0, worst: 1 }

interface Standing {
  readonly site: number
  /** Microseconds. */
  readonly startedAt: number
  readonly score: number
}

/** Puts a run that has just finished in its place, or leaves it out where a later run of its site betters it. */
export const recordStanding = Effect.fnUntraced(function*(sql: SqlClient, { score, site, startedAt }: Standing) {
  for (const order of ["best", "worst"] as const) {
    const ranking = RANKINGS[order]
    const beats = order === "best" ? sql.literal(">=") : sql.literal("<=")
    yield* sql`
      DELETE FROM standings WHERE ranking = ${ranking} AND site = ${site} AND started_at < ${startedAt} AND ${score} ${beats} score`
    yield* sql`
      INSERT INTO standings (ranking, site, started_at, score)
      SELECT ${bound(sql, ranking)}, ${bound(sql, site)}, ${bound(sql, startedAt)}, ${bound(sql, score)} WHERE NOT EXISTS (
        SELECT 1 FROM standings WHERE ranking = ${ranking} AND site = ${site} AND started_at > ${startedAt} AND score ${beats} ${score})`
  }
})

/** Puts the runs of a site (in their order in time) in their places, and no others. */
export const replaceStandings = Effect.fnUntraced(function*(sql: SqlClient, site: number, runs: ReadonlyArray<Omit<Standing, "site">>) {
  yield* sql`DELETE FROM standings WHERE site = ${site}`
  for (const order of ["best", "worst"] as const) {
    for (const { score, startedAt } of staircase(order, runs)) {
      yield* sql`INSERT INTO standings ${sql.insert({ ranking: RANKINGS[order], site, started_at: startedAt, score })}`
    }
  }
})

/** The runs that no later one equals or betters. */
const staircase = <Run extends Omit<Standing, "site">>(order: TopOrder, runs: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const sign = order === "best" ? 1 : -1
  let highest = Number.NEGATIVE_INFINITY
  return runs.toReversed().filter(({ score }) => {
    const stands = sign * score > highest
    if (stands) highest = sign * score
    return stands
  })
}

/** PostgreSQL cannot tell the type of a parameter that is selected. */
const bound = (sql: SqlClient, value: number): Fragment => sql`CAST(${value} AS bigint)`

/**
 * The sites with the best or worst scores of the runs accepted at or after `since` (microseconds): by that score, the one
 * that reached it last first.
 */
export const rankedSites = Effect.fnUntraced(function*(sql: SqlClient, order: TopOrder, since: number, limit: number) {
  // A site can come up with several steps of its staircase; its first is what counts.
  for (let most = limit * 2;; most *= 4) {
    const rows = yield* steps(sql, order, since, most)
    const sites = [...new Set(rows.map((row) => Number(row.site)))]
    if (sites.length >= limit || rows.length < most) return sites.slice(0, limit)
  }
})

interface StepRow {
  readonly site: Int
}

/** Score by score from the first, so that what lies outside the window is never looked at. */
const steps = (sql: SqlClient, order: TopOrder, since: number, most: number): Effect.Effect<ReadonlyArray<StepRow>, SqlError> => {
  const direction = order === "best" ? sql.literal("DESC") : sql.literal("ASC")
  const ranking = RANKINGS[order]
  return sql.onDialectOrElse({
    pg: () => sql<StepRow>`
      SELECT step.site FROM score_counts CROSS JOIN LATERAL (
        SELECT site, started_at FROM standings WHERE ranking = ${ranking} AND score = score_counts.score AND started_at >= ${since}
        ORDER BY started_at DESC, site LIMIT ${most}
      ) step
      ORDER BY score_counts.score ${direction}, step.started_at DESC, step.site LIMIT ${most}`,
    orElse: () => sql<StepRow>`
      SELECT standings.site FROM score_counts CROSS JOIN standings
      WHERE ranking = ${ranking} AND standings.score = score_counts.score AND started_at >= ${since}
      ORDER BY score_counts.score ${direction}, started_at DESC, site LIMIT ${most}`
  })
}
