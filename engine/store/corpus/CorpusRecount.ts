import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { recordChange, scoresAndOutcomes } from "./CorpusChanges.ts"
import { keepFigures, lockSite } from "./CorpusFigures.ts"
import { searchTextOf } from "./SearchText.ts"
import type { Int } from "../database/ColumnValues.ts"
import { type CountedRun, type SiteFigures, withRun } from "./SiteFigures.ts"

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
