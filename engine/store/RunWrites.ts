import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { recordFinish } from "./CorpusFigures.ts"
import { currentMicros, formatInstant } from "./Instant.ts"
import { pack } from "./Packing.ts"
import type { NewRun, Run, RunError, RunProgress, RunResult } from "./Run.ts"
import { firstRun, type Int, keyOf, runColumns, type RunRow, targetOf } from "./RunRows.ts"

/** The most exchanges of a run that are kept. */
const MOST_EXCHANGES = 1_000

/** Writes a new run, at a time of its own among the runs of its site. */
export const insertRun = Effect.fnUntraced(function*(sql: SqlClient, run: NewRun): Effect.fn.Return<Run, SqlError, SecureRandom.SecureRandom> {
  const random = yield* SecureRandom.SecureRandom
  const [now, id] = [yield* currentMicros, yield* random.uuidV7()]
  const [site] = yield* sql<{ readonly serial: Int; readonly last_started_at: Int }>`
    INSERT INTO sites (key, site, domain, last_started_at) VALUES (${keyOf(run.site)}, ${run.site}, ${run.domain}, ${now})
    ON CONFLICT (key) DO UPDATE SET last_started_at =
      CASE WHEN sites.last_started_at < excluded.last_started_at THEN excluded.last_started_at ELSE sites.last_started_at + 1 END
    RETURNING serial, last_started_at`
  if (site === undefined) return yield* Effect.die("an upsert returned no row")
  const startedAt = Number(site.last_started_at)
  yield* sql`INSERT INTO runs ${sql.insert({
    id,
    site: Number(site.serial),
    url: run.url,
    rubric_digest: run.rubricDigest,
    target: targetOf(run.url, run.rubricDigest),
    status: "pending",
    started_at: startedAt
  })}`
  return {
    ...run,
    id,
    status: "pending",
    startedAt: formatInstant(startedAt),
    finishedAt: null,
    attempts: 0,
    progress: { done: 0, total: 0 },
    totalScore: null,
    error: null
  }
})

export const beginRun = (sql: SqlClient, id: string, worker: string): Effect.Effect<Run | null, SqlError> =>
  Effect.flatMap(currentMicros, (now) =>
    Effect.map(
      sql<RunRow>`
        UPDATE runs SET status = 'running', attempts = attempts + 1, worker = ${worker}, begun_at = ${now}
        WHERE id = ${id} AND status = 'pending' RETURNING ${runColumns(sql)}`,
      firstRun
    ))

export const updateProgress = (sql: SqlClient, id: string, { done, total }: RunProgress): Effect.Effect<unknown, SqlError> =>
  sql`UPDATE runs SET progress_done = ${done}, progress_total = ${total} WHERE id = ${id} AND status = 'running'`

/** Everything a finished run leaves behind. To be called in a transaction. */
export const finishRun = Effect.fnUntraced(function*(sql: SqlClient, id: string, result: RunResult) {
  const now = yield* currentMicros
  const [run] = yield* sql<{ readonly serial: Int; readonly site: Int; readonly started_at: Int; readonly url: string; readonly hidden: boolean | number }>`
    UPDATE runs SET status = 'done', finished_at = ${now}, total_score = ${result.totalScore}, worker = NULL
    WHERE id = ${id} AND status IN ('pending', 'running') RETURNING serial, site, started_at, url, hidden`
  if (run === undefined) return
  yield* keepEvidence(sql, Number(run.serial), result)
  if (!run.hidden) yield* recordFinish(sql, Number(run.site), { url: run.url, startedAt: Number(run.started_at), score: result.totalScore })
})

const keepEvidence = Effect.fnUntraced(function*(sql: SqlClient, run: number, result: RunResult) {
  const { bytes, durationMs, encoded, exchanges, facts, requests } = result
  yield* sql`INSERT INTO reports ${sql.insert({ run, content: pack(encoded), duration_ms: durationMs, requests, bytes })}`
  yield* sql`INSERT INTO facts ${sql.insert({ run, content: pack(JSON.stringify(facts)) })}`
  yield* sql`INSERT INTO exchanges ${sql.insert({ run, content: pack(JSON.stringify(exchanges.slice(0, MOST_EXCHANGES))) })}`
})

export const failRun = Effect.fnUntraced(function*(sql: SqlClient, id: string, { code, message }: RunError) {
  const now = yield* currentMicros
  yield* sql`
    UPDATE runs SET status = 'error', finished_at = ${now}, error_code = ${code}, error_message = ${message}, worker = NULL
    WHERE id = ${id} AND status IN ('pending', 'running')`
})

export const releaseRun = (sql: SqlClient, id: string): Effect.Effect<unknown, SqlError> =>
  sql`UPDATE runs SET status = 'pending', worker = NULL, progress_done = 0 WHERE id = ${id} AND status = 'running'`
