import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Int } from "../database/ColumnValues.ts"
import { formatInstant } from "../database/Instant.ts"

/** Whether a score rose or fell. */
export type MoverDirection = "up" | "down"

/** A site whose score changed between its two newest reliable runs, which were judged by the same rubric. */
export interface Mover {
  readonly site: string
  /** The later score minus the earlier one; never 0. */
  readonly change: number
  readonly from: MoverRun
  readonly to: MoverRun
}

/** One of the two runs. */
export interface MoverRun {
  readonly id: string
  readonly score: number
  /** RFC 3339. */
  readonly startedAt: string
}

interface MoverRow {
  readonly site: string
  readonly score_change: number
  readonly latest_score: number
  readonly latest_run_at: Int
  readonly latest_id: string
  readonly previous_score: number
  readonly previous_run_at: Int
  readonly previous_id: string
}

/**
 * The sites that moved most, of those whose newest reliable run was accepted at or after `since` (microseconds); of equal changes,
 * the latest comes first. Change by change, as in `TopSites.ts`, so that the index skips the sites before the window.
 */
export const readMovers = (
  sql: SqlClient,
  direction: MoverDirection,
  since: number,
  limit: number
): Effect.Effect<ReadonlyArray<Mover>, SqlError> => {
  const changed = direction === "up" ? sql.literal("score_counts.score") : sql.literal("(-score_counts.score)")
  const moved = sql.onDialectOrElse({
    pg: () => sql`
      SELECT ranked.site FROM score_counts CROSS JOIN LATERAL (
        SELECT site, latest_run_at FROM site_figures WHERE score_change = ${changed} AND latest_run_at >= ${since}
        ORDER BY latest_run_at DESC, site LIMIT ${limit}
      ) ranked
      WHERE score_counts.score > 0 ORDER BY score_counts.score DESC, ranked.latest_run_at DESC, ranked.site LIMIT ${limit}`,
    orElse: () => sql`
      SELECT site_figures.site FROM score_counts CROSS JOIN site_figures
      WHERE score_counts.score > 0 AND score_change = ${changed} AND latest_run_at >= ${since}
      ORDER BY score_counts.score DESC, latest_run_at DESC, site_figures.site LIMIT ${limit}`
  })
  const rows = sql<MoverRow>`
    SELECT sites.site, score_change, latest_score, latest_run_at, previous_score, previous_run_at, latest.id AS latest_id, previous.id AS previous_id
    FROM (${moved}) moved
    JOIN site_figures ON site_figures.site = moved.site JOIN sites ON sites.serial = moved.site
    JOIN runs latest ON latest.site = moved.site AND latest.started_at = latest_run_at
    JOIN runs previous ON previous.site = moved.site AND previous.started_at = previous_run_at
    ORDER BY ABS(score_change) DESC, latest_run_at DESC, moved.site`
  return Effect.map(rows, (found) => found.map(moverOf))
}

const moverOf = (row: MoverRow): Mover => ({
  site: row.site,
  change: row.score_change,
  from: { id: row.previous_id, score: row.previous_score, startedAt: formatInstant(Number(row.previous_run_at)) },
  to: { id: row.latest_id, score: row.latest_score, startedAt: formatInstant(Number(row.latest_run_at)) }
})
