import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { formatInstant, parseInstant } from "./Instant.ts"
import { unpack } from "./Packing.ts"
import type { Run, StoredReport } from "./Run.ts"
import { firstRun, type Int, keyOf, runColumns, runOf, type RunRow, targetOf } from "./RunRows.ts"
import type { HistoryPage, UnfinishedRun } from "./RunStore.ts"

export const findRun = (sql: SqlClient, id: string): Effect.Effect<Run | null, SqlError> =>
  Effect.map(sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE id = ${id}`, firstRun)

interface ReportRow extends RunRow {
  readonly content: Uint8Array
  readonly duration_ms: Int
  readonly requests: Int
  readonly bytes: Int
}

export const findReport = (sql: SqlClient, id: string): Effect.Effect<StoredReport | null, SqlError> =>
  Effect.map(
    sql<ReportRow>`
      SELECT ${runColumns(sql)}, content, duration_ms, requests, bytes FROM runs JOIN reports ON reports.run = runs.serial
      WHERE runs.id = ${id}`,
    ([row]) => row === undefined ? null : {
      run: runOf(row),
      encoded: unpack(row.content),
      durationMs: Number(row.duration_ms),
      requests: Number(row.requests),
      bytes: Number(row.bytes)
    }
  )

export const latestRun = Effect.fnUntraced(function*(sql: SqlClient, url: string, rubricDigest: string, since: string | null) {
  const target = targetOf(url, rubricDigest)
  const underWay = firstRun(yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE target = ${target} AND status IN ('pending', 'running') ORDER BY started_at DESC LIMIT 1`)
  if (since === null) return underWay
  const done = firstRun(yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE target = ${target} AND status = 'done' AND NOT hidden AND finished_at >= ${yield* instant(since)}
    ORDER BY finished_at DESC LIMIT 1`)
  if (underWay === null || done === null) return underWay ?? done
  return underWay.startedAt > done.startedAt ? underWay : done
})

/** By the index of what is unfinished: `+` keeps the planner from walking all runs by their age instead. */
export const unfinishedRuns = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<UnfinishedRun>, SqlError> =>
  Effect.map(
    sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE status IN ('pending', 'running') ORDER BY +started_at, serial LIMIT ${limit}`,
    (rows) => rows.map((row) => ({ run: runOf(row), worker: row.worker }))
  )

export const readHistory = Effect.fnUntraced(function*(sql: SqlClient, site: string, before: string, limit: number): Effect.fn.Return<HistoryPage, SqlError> {
  const rows = yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs
    WHERE runs.site = (SELECT serial FROM sites WHERE key = ${keyOf(site)}) AND started_at < ${yield* instant(before)} AND NOT hidden
    ORDER BY started_at DESC LIMIT ${limit + 1}`
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { runs: page.map(runOf), next: rows.length > limit && last !== undefined ? formatInstant(Number(last.started_at)) : null }
})

export const previousDoneRun = Effect.fnUntraced(function*(sql: SqlClient, site: string, before: string) {
  return firstRun(yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs
    WHERE runs.site = (SELECT serial FROM sites WHERE key = ${keyOf(site)}) AND started_at < ${yield* instant(before)} AND status = 'done' AND NOT hidden
    ORDER BY started_at DESC LIMIT 1`)
})

/** Times that come from outside are checked at the door: what is none here is a mistake of ours. */
const instant = (text: string): Effect.Effect<number> => {
  const micros = parseInstant(text)
  return micros === null ? Effect.die(new Error(`not an RFC 3339 timestamp: ${JSON.stringify(text)}`)) : Effect.succeed(micros)
}
