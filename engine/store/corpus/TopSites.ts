import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Int } from "../database/ColumnValues.ts"
import type { ScoreRange, TopOrder } from "./Corpus.ts"

interface RankedRow {
  readonly site: Int
}

/**
 * The sites with the best or worst newest reliable scores in a range, of those whose newest reliable run was accepted at or after `since`
 * (microseconds); of equal scores, the one reached last comes first. As a window ends now, the newest run in it is the newest of
 * all. Score by score, so that the index skips the sites before the window.
 */
export const topSites = (
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
