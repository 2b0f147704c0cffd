import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import {
  type BegunRun,
  type FencingToken,
  type NewRun,
  packSteps,
  type Run,
  runColumns,
  type RunError,
  runOf,
  type RunProgress,
  type RunRow,
  targetOf
} from "./Run.ts"
import { recordFinish } from "../corpus/CorpusFigures.ts"
import { packOutcomes } from "../corpus/OutcomeCounts.ts"
import { currentMicros, digestKey, formatInstant, type Int, pack } from "../database/ColumnValues.ts"
import { inOneRoundTrip } from "../database/SqlDatabase.ts"
import type { RunResult } from "./RunStore.ts"

/** Maximum number of stored exchanges of a run. */
const MOST_EXCHANGES = 1_000

/** Inserts a new run, with a time that is unique among the runs of its site. */
export const insertRun = Effect.fnUntraced(function* (
  sql: SqlClient,
  run: NewRun
): Effect.fn.Return<Run, SqlError, SecureRandom.SecureRandom> {
  const random = yield* SecureRandom.SecureRandom
  const { asAgents = false } = run
  const [now, id] = [yield* currentMicros, yield* random.uuidV7()]
  const [site] = yield* sql<{ readonly serial: Int; readonly last_started_at: Int }>`
    INSERT INTO sites (key, site, domain, last_started_at) VALUES (${digestKey(run.site)}, ${run.site}, ${run.domain}, ${now})
    ON CONFLICT (key) DO UPDATE SET last_started_at =
      CASE WHEN sites.last_started_at < excluded.last_started_at THEN excluded.last_started_at ELSE sites.last_started_at + 1 END
    RETURNING serial, last_started_at`
  if (site === undefined) return yield* Effect.die("an upsert returned no row")
  const startedAt = Number(site.last_started_at)
  yield* sql`INSERT INTO runs ${sql.insert({
    id,
    site: Number(site.serial),
    url: run.url,
    domain: run.domain,
    rubric_digest: run.rubricDigest,
    target: targetOf(run.url, run.rubricDigest, asAgents),
    as_agents: asAgents,
    status: "pending",
    started_at: startedAt
  })}`
  return {
    ...run,
    asAgents,
    id,
    status: "pending",
    startedAt: formatInstant(startedAt),
    finishedAt: null,
    attempts: 0,
    progress: { done: 0, total: 0 },
    totalScore: null,
    reliable: null,
    error: null
  }
})

export const beginRun = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string,
  worker: string,
  rubricDigest: string | null
): Effect.fn.Return<BegunRun | null, SqlError> {
  const now = yield* currentMicros
  const [row] = yield* sql<RunRow & { readonly begun: Int }>`
    UPDATE runs SET status = 'running', attempts = attempts + 1, begun = begun + 1, worker = ${worker}, begun_at = ${now}
    WHERE id = ${id} AND status = 'pending' RETURNING ${runColumns(sql)}, runs.begun`
  if (row === undefined) return null
  const begun = { ...runOf(row), hold: { id, worker, attempt: Number(row.begun) } }
  if (rubricDigest === null || rubricDigest === begun.rubricDigest) return begun
  yield* sql`UPDATE runs SET rubric_digest = ${rubricDigest}, target = ${targetOf(begun.url, rubricDigest, begun.asAgents)} WHERE id = ${id}`
  return { ...begun, rubricDigest }
})

/** The run of an attempt, if that attempt is still the current one. */
const heldBy = (sql: SqlClient, { attempt, id, worker }: FencingToken): Fragment =>
  sql`id = ${id} AND status = 'running' AND worker = ${worker} AND begun = ${attempt}`

/**
 * The run of an attempt that has ended: also if the run is back in the queue, because its claim ended while the database was
 * unreachable, and has not been begun again. `worker` stays set then.
 */
const lastBegunBy = (sql: SqlClient, { attempt, id, worker }: FencingToken): Fragment =>
  sql`id = ${id} AND status IN ('running', 'pending') AND worker = ${worker} AND begun = ${attempt}`

const anyRow = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<boolean, SqlError> =>
  Effect.map(rows, ({ length }) => length > 0)

export const isCurrentHold = (sql: SqlClient, hold: FencingToken): Effect.Effect<boolean, SqlError> =>
  anyRow(sql`SELECT serial FROM runs WHERE ${lastBegunBy(sql, hold)}`)

export const updateProgress = (
  sql: SqlClient,
  hold: FencingToken,
  progress: RunProgress
): Effect.Effect<boolean, SqlError> =>
  anyRow(
    sql`UPDATE runs SET progress_done = ${progress.done}, progress_total = ${progress.total}, progress_steps = ${packSteps(progress)} WHERE ${heldBy(sql, hold)} RETURNING serial`
  )

/** Writes everything that belongs to a finished run, with a note for its site's webhooks if it is `noted`. Call it in a transaction. */
export const finishRun = Effect.fnUntraced(function* (
  sql: SqlClient,
  hold: FencingToken,
  result: RunResult,
  noted: boolean
) {
  const [now, outcomes] = [yield* currentMicros, packOutcomes(result.outcomes)]
  const [run] = yield* sql<FinishedRow>`
    UPDATE runs SET status = 'done', finished_at = ${now}, total_score = ${result.totalScore}, reliable = ${result.reliable}, outcomes = ${outcomes}, generator = ${result.generator}, progress_steps = NULL, worker = NULL, submitter = NULL
    WHERE ${lastBegunBy(sql, hold)} RETURNING serial, site, started_at, url, rubric_digest, hidden`
  if (run === undefined) return false
  yield* keepEvidence(sql, run, result, noted)
  if (run.hidden) return true
  const { reliable, totalScore: score } = result
  yield* recordFinish(sql, Number(run.site), {
    url: run.url,
    startedAt: Number(run.started_at),
    score,
    reliable,
    rubric: run.rubric_digest,
    outcomes
  })
  return true
})

interface FinishedRow {
  readonly serial: Int
  readonly site: Int
  readonly started_at: Int
  readonly url: string
  readonly rubric_digest: string
  readonly hidden: boolean | number
}

const keepEvidence = (
  sql: SqlClient,
  row: Pick<FinishedRow, "serial" | "site">,
  { bytes, durationMs, encoded, exchanges, facts, requests }: RunResult,
  noted: boolean
): Effect.Effect<void, SqlError> => {
  const [run, site] = [Number(row.serial), Number(row.site)]
  return inOneRoundTrip(
    sql,
    sql`INSERT INTO reports ${sql.insert({ run, content: pack(encoded), duration_ms: durationMs, requests, bytes })}`,
    sql`INSERT INTO facts ${sql.insert({ run, content: pack(JSON.stringify(facts)) })}`,
    sql`INSERT INTO exchanges ${sql.insert({ run, content: pack(JSON.stringify(exchanges.slice(0, MOST_EXCHANGES))) })}`,
    ...(noted ? [noteForWebhooks(sql, run, site)] : [])
  )
}

/** Nothing where the site has no webhook. */
const noteForWebhooks = (sql: SqlClient, run: number, site: number) => sql`
  INSERT INTO webhook_runs (run_id)
  SELECT runs.id FROM runs WHERE runs.serial = ${run} AND NOT runs.hidden AND EXISTS (
    SELECT 1 FROM webhooks WHERE webhooks.key = (SELECT sites.key FROM sites WHERE sites.serial = ${site}) AND webhooks.problem IS NULL
  )`

const endInError = Effect.fnUntraced(function* (sql: SqlClient, which: Fragment, { code, message }: RunError) {
  const now = yield* currentMicros
  return yield* anyRow(sql`
    UPDATE runs SET status = 'error', finished_at = ${now}, error_code = ${code}, error_message = ${message}, progress_steps = NULL, worker = NULL, submitter = NULL
    WHERE ${which} RETURNING serial`)
})

export const failRun = (sql: SqlClient, hold: FencingToken, error: RunError): Effect.Effect<boolean, SqlError> =>
  endInError(sql, heldBy(sql, hold), error)

export const giveUpRun = (sql: SqlClient, id: string, error: RunError): Effect.Effect<boolean, SqlError> =>
  endInError(sql, sql`id = ${id} AND status = 'pending'`, error)

/** The next attempt still gets a new number, so that it differs from this one. */
export const releaseRun = (sql: SqlClient, hold: FencingToken): Effect.Effect<boolean, SqlError> =>
  anyRow(sql`
    UPDATE runs SET status = 'pending', attempts = attempts - 1, worker = NULL, progress_done = 0, progress_steps = NULL
    WHERE ${heldBy(sql, hold)} RETURNING serial`)
