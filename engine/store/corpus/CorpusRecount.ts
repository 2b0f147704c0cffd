import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { countInStatistics, keepFigures, lockCorpus, findSite } from "./CorpusFigures.ts"
import { searchTextOf } from "./SearchText.ts"
import type { Int } from "../database/ColumnValues.ts"
import { countedScore, type CountedRun, type SiteFigures, withRun } from "./SiteFigures.ts"

/**
 * Recomputes a site's figures from its `done` runs that are not hidden, and corrects those of the corpus. Call it in the
 * transaction that hid, showed or deleted runs, after that. `site` is a serial number.
 */
export const recountSite = Effect.fnUntraced(function*(sql: SqlClient, site: number) {
  yield* lockCorpus(sql)
  const known = yield* findSite(sql, site)
  if (known === null) return
  const runs = yield* countedRuns(sql, site)
  const figures = runs.reduce<SiteFigures | null>(withRun, null)
  yield* figures === null
    ? sql`DELETE FROM site_figures WHERE site = ${site}`
    : keepFigures(sql, site, figures, searchTextOf(figures.url, known.name))
  yield* countInStatistics(sql, known, countedScore(figures))
  yield* sql`
    UPDATE corpus SET runs = runs + ${runs.length - (known.figures?.doneRuns ?? 0)},
      sites = sites + ${Number(figures !== null) - Number(known.figures !== null)},
      latest_run_at = (SELECT started_at FROM runs WHERE status = 'done' AND NOT hidden ORDER BY started_at DESC LIMIT 1)`
})

interface CountedRow {
  readonly url: string
  readonly started_at: Int
  readonly total_score: number
  readonly reliable: boolean | number
}

const countedRuns = (sql: SqlClient, site: number): Effect.Effect<ReadonlyArray<CountedRun>, SqlError> =>
  Effect.map(
    sql<CountedRow>`
      SELECT url, started_at, total_score, reliable FROM runs WHERE site = ${site} AND status = 'done' AND NOT hidden ORDER BY started_at`,
    (rows) => rows.map((row) => ({ url: row.url, startedAt: Number(row.started_at), score: row.total_score, reliable: Boolean(row.reliable) }))
  )
