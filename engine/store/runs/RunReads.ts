import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { CLOCK_SKEW_MS, currentMicros, formatInstant, instantOf } from "../database/Instant.ts"
import type { Run } from "./Run.ts"
import type { EncodedReport } from "./RunResult.ts"
import { firstRun, runColumns, runOf, type RunRow } from "./RunRows.ts"
import { type Int } from "../database/ColumnValues.ts"
import type { UnfinishedRun, WaitingRuns } from "./RunStore.ts"

export const findRun = (sql: SqlClient, id: string): Effect.Effect<Run | null, SqlError> =>
  Effect.map(sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE id = ${id}`, firstRun)

interface ReportRow extends RunRow {
  readonly content: Uint8Array
  readonly duration_ms: Int
  readonly requests: Int
  readonly bytes: Int
}

/** A report as it is stored; `content` is empty if it was moved to the object store. */
export interface StoredReportRow extends Omit<EncodedReport, "encoded"> {
  readonly content: Uint8Array
}

export const findReport = (sql: SqlClient, id: string): Effect.Effect<StoredReportRow | null, SqlError> =>
  Effect.map(
    sql<ReportRow>`
      SELECT ${runColumns(sql)}, content, duration_ms, requests, bytes FROM runs JOIN reports ON reports.run = runs.serial
      WHERE runs.id = ${id}`,
    ([row]) =>
      row === undefined
        ? null
        : {
            run: runOf(row),
            content: row.content,
            durationMs: Number(row.duration_ms),
            requests: Number(row.requests),
            bytes: Number(row.bytes)
          }
  )

export const latestRun = Effect.fnUntraced(function* (sql: SqlClient, target: string, since: string | null) {
  const underWay = firstRun(
    yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE target = ${target} AND status IN ('pending', 'running') ORDER BY started_at DESC LIMIT 1`
  )
  if (since === null) return underWay
  const done = firstRun(
    yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE target = ${target} AND status = 'done' AND NOT hidden 
      AND finished_at >= ${yield* instantOf(since)} AND finished_at <= ${(yield* currentMicros) + CLOCK_SKEW_MS * 1_000}
    ORDER BY finished_at DESC LIMIT 1`
  )
  if (underWay === null || done === null) return underWay ?? done
  return underWay.startedAt > done.startedAt ? underWay : done
})

/** By the index of what is unfinished: `+` keeps the planner from walking all runs by their age instead. */
export const unfinishedRuns = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<UnfinishedRun>, SqlError> =>
  Effect.map(
    sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE status IN ('pending', 'running') ORDER BY +started_at, serial LIMIT ${limit}`,
    (rows) => rows.map((row) => ({ run: runOf(row), worker: row.status === "running" ? row.worker : null }))
  )

/** The doubled condition makes it use the index of unfinished runs. */
export const waitingRuns = (sql: SqlClient): Effect.Effect<WaitingRuns, SqlError> =>
  Effect.map(
    sql<{ readonly count: Int; readonly oldest: Int | null }>`
      SELECT COUNT(*) AS count, MIN(started_at) AS oldest FROM runs WHERE status IN ('pending', 'running') AND status = 'pending'`,
    ([row]) => ({
      count: Number(row?.count ?? 0),
      oldest: row === undefined || row.oldest === null ? null : formatInstant(Number(row.oldest))
    })
  )
