import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { countScores, countSite, discountSite, keepFigures, type KnownSite, lockCorpus, siteOf } from "./CorpusFigures.ts"
import { haystackOf } from "./Haystack.ts"
import type { Int } from "./RunRows.ts"
import { type ScoredRun, type SiteFigures, withRun } from "./SiteFigures.ts"
import { replaceStandings } from "./Standings.ts"

/**
 * Works a site's figures out anew from the runs that count now, and puts right those of the corpus, as if the others had
 * never been. To be called in the transaction that hid, showed or deleted runs, after it did. `site` is a serial number.
 */
export const recountSite = Effect.fnUntraced(function*(sql: SqlClient, site: number) {
  yield* lockCorpus(sql)
  const known = yield* siteOf(sql, site)
  if (known === null) return
  const runs = yield* countedRuns(sql, site)
  const figures = runs.reduce<SiteFigures | null>(withRun, null)
  yield* figures === null ? dropSite(sql, site, known) : replaceFigures(sql, site, known, figures)
  yield* replaceStandings(sql, site, runs)
  yield* sql`
    UPDATE corpus SET runs = runs + ${(figures?.runCount ?? 0) - (known.figures?.runCount ?? 0)},
      latest_run_at = (SELECT MAX(latest_run_at) FROM site_figures)`
})

interface CountedRow {
  readonly url: string
  readonly started_at: Int
  readonly total_score: number
}

const countedRuns = (sql: SqlClient, site: number): Effect.Effect<ReadonlyArray<ScoredRun>, SqlError> =>
  Effect.map(
    sql<CountedRow>`
      SELECT url, started_at, total_score FROM runs WHERE site = ${site} AND status = 'done' AND NOT hidden ORDER BY started_at`,
    (rows) => rows.map((row) => ({ url: row.url, startedAt: Number(row.started_at), score: row.total_score }))
  )

const replaceFigures = Effect.fnUntraced(function*(sql: SqlClient, site: number, known: KnownSite, figures: SiteFigures) {
  yield* keepFigures(sql, site, figures, haystackOf(figures.url, known.name))
  yield* countScores(sql, known.figures?.latestScore ?? null, figures.latestScore)
  if (known.figures === null) yield* countSite(sql, known.name, known.domain)
})

const dropSite = Effect.fnUntraced(function*(sql: SqlClient, site: number, { domain, figures, name }: KnownSite) {
  if (figures === null) return
  yield* sql`DELETE FROM site_figures WHERE site = ${site}`
  yield* countScores(sql, figures.latestScore, null)
  yield* discountSite(sql, name, domain)
})
