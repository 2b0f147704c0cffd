import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import type { Db, FetchOptions, JobAttempt, PgBoss, SendOptions } from "pg-boss"

/** The schema of pg-boss's tables, beside ours in the same database. */
export const JOB_SCHEMA = "docgauge_jobs"

/** Our queue in it, and that of jobs that were begun too often. */
export const AUDITS = "audits"
const DEAD = "audits_dead"

/** How long a job is its worker's after a heartbeat, in seconds: pg-boss takes no less than 10. */
export const HEARTBEAT_SECONDS = 12

/** How often a job may come back, those that were handed back included: runs have their own, lower limit of attempts that failed. */
const MOST_RETRIES = 200

/** How often a worker looks for another run at once where others take runs of the same domains at the same time. */
const MOST_CONFLICTS = 5

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** How long pg-boss may wait for an answer: as long as a statement of ours may take, and a little more. */
const QUERY_TIMEOUT_MS = 35_000

/** pg-boss, as the queue uses it. Within a transaction of the `SqlClient`, calls are part of that transaction. */
interface JobEngine {
  /** A job without data: its id is that of the run. */
  readonly send: (id: string, options: SendOptions) => Effect.Effect<void, SqlError>
  /** The next job; `null` if there is none. */
  readonly fetch: (options: FetchOptions) => Effect.Effect<JobAttempt | null, SqlError>
  /** A heartbeat; false if this attempt at the job is over. */
  readonly touch: (job: JobAttempt) => Effect.Effect<boolean, SqlError>
  /** Ends the job of a run that is over, whether it waits or is under way, in this or another process. */
  readonly complete: (id: string) => Effect.Effect<void, SqlError>
  /** Puts it back in the queue, if this attempt at it is under way. */
  readonly giveBack: (job: JobAttempt) => Effect.Effect<void, SqlError>
  /** Hides a waiting job for some seconds. */
  readonly defer: (id: string, seconds: number) => Effect.Effect<void, SqlError>
  /** Puts jobs back in the queue whose workers have sent no heartbeat in time. */
  readonly supervise: Effect.Effect<void, SqlError>
  /** Puts jobs that have come back too often in the queue for the last time, and returns their ids. */
  readonly reviveDead: Effect.Effect<ReadonlyArray<string>, SqlError>
}

/**
 * Starts pg-boss on the database, with its tables and our queue, until the scope closes. It has connections of its own (`pg`) for what
 * Effect's client cannot do, which speaks the extended protocol only: its migrations, and its supervision.
 */
export const startJobEngine = Effect.fnUntraced(function* (
  sql: SqlClient,
  address: Redacted.Redacted
): Effect.fn.Return<JobEngine, SqlError, Scope.Scope> {
  const context = yield* Effect.context()
  const log = (problem: unknown): void => {
    Effect.runForkWith(context)(Effect.logWarning("pg-boss, which keeps the queue", problem))
  }
  const boss = yield* Effect.acquireRelease(
    calling(() => start(urlOf(Redacted.value(address)), log)),
    (started) => Effect.promise(() => started.stop({ graceful: false }))
  )
  // Uninterruptible, because pg-boss would go on with the connection of a transaction that is over.
  const within = <A>(call: (db: Db) => Promise<A>): Effect.Effect<A, SqlError> =>
    Effect.uninterruptible(Effect.flatMap(databaseOver(sql), (db) => calling(() => call(db))))

  return {
    send: (id, options) => Effect.asVoid(within((db) => boss.send(AUDITS, null, { ...options, id, db }))),
    fetch: (options) =>
      Effect.map(
        // Another worker took a run of the same domain at the same time, so this one is not the next any more.
        within((db) => boss.fetch(AUDITS, { ...options, db })).pipe(
          Effect.retry({ while: isConflict, times: MOST_CONFLICTS }),
          Effect.catchIf(isConflict, () => Effect.succeed([]))
        ),
        ([job]) => (job === undefined ? null : { id: job.id, retryCount: job.retryCount })
      ),
    touch: (job) =>
      Effect.map(
        within((db) => boss.touch(AUDITS, job, { db })),
        isAffected
      ),
    complete: (id) => Effect.asVoid(within((db) => boss.complete(AUDITS, id, null, { db, includeQueued: true }))),
    giveBack: (job) => Effect.asVoid(within((db) => boss.fail(AUDITS, job, null, { db }))),
    defer: (id, seconds) =>
      Effect.asVoid(within((db) => boss.update(AUDITS, undefined, { id, startAfter: seconds, db }))),
    supervise: calling(() => boss.supervise(AUDITS)),
    reviveDead: within(async (db) => {
      const dead = await boss.fetch(DEAD, { batchSize: 100, includeMetadata: true, db })
      const ids = dead.flatMap(({ sourceId }) => sourceId ?? [])
      if (ids.length > 0) await boss.retry(AUDITS, ids, { db })
      if (dead.length > 0) await boss.complete(DEAD, dead, null, { db })
      return ids
    })
  }
})

const isAffected = (response: object): boolean => "affected" in response && response.affected === 1

const start = async (connectionString: string, log: (problem: unknown) => void): Promise<PgBoss> => {
  const { PgBoss } = await import("pg-boss")
  const boss = new PgBoss({
    connectionString,
    schema: JOB_SCHEMA,
    application_name: "docgauge",
    max: 1,
    connectionTimeoutMillis: 5_000,
    // The scheduler asks for it, once the database has answered for a while.
    supervise: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: HOUR_SECONDS,
    schedule: false,
    registerInstance: false,
    openTelemetry: { enabled: false }
  })
  boss.on("error", log)
  boss.on("warning", log)
  try {
    await makeQueues(boss)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

const makeQueues = async (boss: PgBoss): Promise<void> => {
  // Processes that make the schema at the same time may meet; one of them then tries again.
  await boss.start({ attempts: 3 })
  await boss.createQueue(DEAD)
  const settings = {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: MOST_RETRIES,
    retryDelay: 0,
    deadLetter: DEAD,
    // Heartbeats tell what is under way, and runs what waits; of jobs that are over, runs have what is worth keeping.
    expireInSeconds: DAY_SECONDS,
    retentionSeconds: 365 * DAY_SECONDS,
    deleteAfterSeconds: HOUR_SECONDS
  }
  await boss.createQueue(AUDITS, { policy: "singleton", ...settings })
  // What an earlier version may have set otherwise.
  await boss.updateQueue(AUDITS, settings)
}

/**
 * The same address for `pg`, which reads some parameters otherwise than Effect's client: it verifies certificates without a warning for
 * `verify-full`, as that client does for each mode that demands TLS, and it knows no `dbname`.
 */
const urlOf = (address: string): string => {
  const url = new URL(address)
  const { searchParams } = url
  const [mode, database] = [searchParams.get("sslmode"), searchParams.get("dbname")]
  for (const name of ["sslmode", "sslrootcert", "sslcert", "sslkey", "dbname"]) searchParams.delete(name)
  if (mode === "require" || mode === "verify-ca" || mode === "verify-full") searchParams.set("sslmode", "verify-full")
  if (database !== null) url.pathname = `/${encodeURIComponent(database)}`
  searchParams.set("query_timeout", String(QUERY_TIMEOUT_MS))
  return url.href
}

/** What pg-boss runs its statements on: the connection of the current transaction, if there is one. */
const databaseOver = (sql: SqlClient): Effect.Effect<Db> =>
  Effect.map(Effect.context(), (context) => ({
    executeSql: (text, values = []) => {
      const statement = sql.unsafe(text, values)
      return Effect.runPromiseWith(context)(
        Effect.map(values.length === 0 ? statement.unprepared : statement, (rows) => ({ rows: [...rows] }))
      )
    }
  }))

const isConflict = (error: SqlError): boolean => error.reason._tag === "UniqueViolation"

const calling = <A>(call: () => Promise<A>): Effect.Effect<A, SqlError> =>
  Effect.tryPromise({
    try: call,
    catch: (cause) =>
      isSqlError(cause)
        ? cause
        : new SqlError({
            reason: new UnknownError({
              cause,
              message: cause instanceof Error ? cause.message : String(cause),
              operation: "queue"
            })
          })
  })
