import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseHealth, ReadClient, withinTransaction, withinWait } from "../database/SqlDatabase.ts"
import { CLOCK_SKEW_MS, currentMicros, formatInstant, instantOf, type Int, unpack } from "../database/ColumnValues.ts"
import { type Stored, StoreUnavailable } from "../database/StoreUnavailable.ts"
import { type FencingToken, firstRun, type Run, runColumns, runOf, type RunRow, storedId, targetOf } from "./Run.ts"
import { type EncodedReport, RunStore, type UnfinishedRun, type WaitingRuns } from "./RunStore.ts"
import {
  beginRun,
  failRun,
  finishRun,
  giveUpRun,
  insertRun,
  isCurrentHold,
  releaseRun,
  updateProgress
} from "./RunWrites.ts"
import { findDocument } from "../blobs/BlobRows.ts"
import type { BlobStore } from "../blobs/BlobStore.ts"

/** Whether finished runs are recorded for the webhooks of their sites; where webhooks are off, no worker would consume the records. */
export const NotesForWebhooks = Context.Reference<boolean>("docgauge/store/NotesForWebhooks", {
  defaultValue: () => true
})

/** Runs in a database: the same statements on SQLite and PostgreSQL. */
export const layerSql: Layer.Layer<
  RunStore,
  never,
  SqlClient | ReadClient | DatabaseHealth | SecureRandom.SecureRandom
> = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = yield* ReadClient
    const moved = yield* MovedReports
    const noted = yield* NotesForWebhooks
    const random = yield* SecureRandom.SecureRandom
    const { check, watch } = yield* DatabaseHealth

    const answered = <A>(effect: Effect.Effect<A, SqlError>) => withinWait(watch(effect))
    const together = <A>(effect: Effect.Effect<A, SqlError>) => watch(withinTransaction(sql, effect))
    /** PostgreSQL refuses to compare an id that is not a UUID, and no run has one. */
    const byId = <A, B>(id: string, otherwise: B, effect: (id: string) => Effect.Effect<A, StoreUnavailable>) => {
      const stored = storedId(id)
      return stored === null ? Effect.succeed(otherwise) : effect(stored)
    }

    const byHold = (hold: FencingToken, effect: (hold: FencingToken) => Effect.Effect<boolean, StoreUnavailable>) =>
      byId(hold.id, false, (id) => effect({ ...hold, id }))

    const report = Effect.fnUntraced(function* (id: string) {
      const stored = yield* answered(findReport(read, id))
      if (stored === null) return null
      const content = stored.content.length > 0 ? stored.content : yield* moved.read(id)
      if (content === null) return null
      const { content: _, ...rest } = stored
      return { ...rest, encoded: unpack(content) }
    })

    return {
      accept: (run) => together(Effect.provideService(insertRun(sql, run), SecureRandom.SecureRandom, random)),
      find: (id) => byId(id, null, (id) => answered(findRun(read, id))),
      report: (id) => byId(id, null, report),
      latest: (url, rubricDigest, since, asAgents = false) =>
        answered(latestRun(read, targetOf(url, rubricDigest, asAgents), since)),
      begin: (id, worker, rubricDigest = null) =>
        byId(id, null, (id) => together(beginRun(sql, id, worker, rubricDigest))),
      progress: (hold, progress) => byHold(hold, (hold) => watch(updateProgress(sql, hold, progress))),
      isCurrent: (hold) => byHold(hold, (hold) => watch(isCurrentHold(read, hold))),
      finish: (hold, result) => byHold(hold, (hold) => together(finishRun(sql, hold, result, noted))),
      fail: (hold, error) => byHold(hold, (hold) => watch(failRun(sql, hold, error))),
      release: (hold) => byHold(hold, (hold) => watch(releaseRun(sql, hold))),
      giveUp: (id, error) => byId(id, false, (id) => watch(giveUpRun(sql, id, error))),
      unfinished: (limit) => watch(unfinishedRuns(read, limit)),
      waiting: watch(waitingRuns(read)),
      ping: check
    }
  })
)

const findRun = (sql: SqlClient, id: string): Effect.Effect<Run | null, SqlError> =>
  Effect.map(sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE id = ${id}`, firstRun)

interface ReportRow extends RunRow {
  readonly content: Uint8Array
  readonly duration_ms: Int
  readonly requests: Int
  readonly bytes: Int
}

/** A report as it is stored; `content` is empty if it was moved to the object store. */
interface StoredReportRow extends Omit<EncodedReport, "encoded"> {
  readonly content: Uint8Array
}

const findReport = (sql: SqlClient, id: string): Effect.Effect<StoredReportRow | null, SqlError> =>
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

const latestRun = Effect.fnUntraced(function* (sql: SqlClient, target: string, since: string | null) {
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
const unfinishedRuns = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<UnfinishedRun>, SqlError> =>
  Effect.map(
    sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE status IN ('pending', 'running') ORDER BY +started_at, serial LIMIT ${limit}`,
    (rows) => rows.map((row) => ({ run: runOf(row), worker: row.status === "running" ? row.worker : null }))
  )

/** The doubled condition makes it use the index of unfinished runs. */
const waitingRuns = (sql: SqlClient): Effect.Effect<WaitingRuns, SqlError> =>
  Effect.map(
    sql<{ readonly count: Int; readonly oldest: Int | null }>`
      SELECT COUNT(*) AS count, MIN(started_at) AS oldest FROM runs WHERE status IN ('pending', 'running') AND status = 'pending'`,
    ([row]) => ({
      count: Number(row?.count ?? 0),
      oldest: row === undefined || row.oldest === null ? null : formatInstant(Number(row.oldest))
    })
  )

/** Reads reports that an earlier version moved to the object store, whose rows of `reports` are empty. */
const MovedReports = Context.Reference<{
  /** As it was in the row; `null` if the run was deleted meanwhile. */
  readonly read: (id: string) => Stored<Uint8Array | null>
}>("docgauge/store/MovedReports", {
  defaultValue: () => ({
    read: (id) => unavailable(`the report of run ${id} is in an object store, and DOCGAUGE_OBJECT_STORE is not set`)
  })
})

const unavailable = (message: string) => Effect.fail(new StoreUnavailable({ cause: new Error(message) }))

export const layerMovedReports = (objects: BlobStore): Layer.Layer<never, never, ReadClient | DatabaseHealth> =>
  Layer.effect(
    MovedReports,
    Effect.gen(function* () {
      const read = yield* ReadClient
      const { watch } = yield* DatabaseHealth
      return {
        read: Effect.fnUntraced(function* (id: string) {
          const document = yield* watch(findDocument(read, id))
          if (document === null) return null
          const content = yield* objects.read(document.key, document)
          return (
            content ??
            (yield* unavailable(
              `the object store has no ${document.key}, which docgauge did not delete. Restore it from a backup of the bucket, or delete run ${id}`
            ))
          )
        })
      }
    })
  )
