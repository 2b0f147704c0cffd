import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction, orUnavailable, ReadClient } from "../../store/database/SqlDatabase.ts"
import { databaseNow } from "../../store/database/SqlDialect.ts"
import { monotonicMillis } from "../../process/MonotonicClock.ts"
import { isOver, MOST_ATTEMPTS, type Run, runColumns, runOf, type RunRow } from "../../store/runs/Run.ts"
import {
  type Claim,
  classOf,
  countLoad,
  OPERATORS_FROM,
  putInQueue,
  type QueueStore,
  type Submitter,
  type SubmitterClass
} from "./QueueStore.ts"
import { AUDITS, HEARTBEAT_SECONDS, JOB_SCHEMA, startJobEngine } from "./JobEngine.ts"

/** The rest of a claim is a margin for stopping an audit and for clock drift. */
const RELIABLE_SHARE = 0.8

/** How long a worker counts as live after it has announced itself, and how long a run waits for one, in milliseconds. */
const LIVE_MS = 60_000

/** Transactions that accept runs at the same time: that many places below the limit of the queue they wait for each other. */
const IN_FLIGHT = 100

/** How often pg-boss looks after its queue in any case, in milliseconds. */
const SUPERVISION_MS = 60_000

/** How long the job of a domain waits that a process of an earlier version is auditing. */
const LEASE_PAUSE_SECONDS = 2

/** Of tags, the lowest first; of operators, above those of all guests. */
const priorityOf = (tag: number): number => (tag < OPERATORS_FROM ? -tag : 2 * OPERATORS_FROM - 1 - tag)

/** Which priorities are asked for, one after the other: any, of which those of operators are the highest, but after a run of theirs first those of guests. */
const prioritiesAfter = (last: SubmitterClass): ReadonlyArray<{ readonly maxPriority?: number }> =>
  last === "guest" ? [{}] : [{ maxPriority: -1 }, {}]

/**
 * The queue in PostgreSQL: a job of pg-boss for each unfinished run, of the same id. pg-boss hands out jobs by their priority, one of a
 * domain at a time over all processes, and takes back those whose worker sends no heartbeats.
 */
export const makePostgresQueue = Effect.fnUntraced(function* (
  address: Redacted.Redacted
): Effect.fn.Return<QueueStore, SqlError, SqlClient | ReadClient | Scope.Scope> {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const jobs = yield* startJobEngine(sql, address)
  const jobTable = sql.literal(`${JOB_SCHEMA}.job`)
  let lastClass: SubmitterClass = "operator"

  const offer = Effect.fnUntraced(function* (
    { domain, id, rubricDigest }: Pick<Run, "domain" | "id" | "rubricDigest">,
    submitter: Pick<Submitter, "class" | "key">
  ) {
    const tag = yield* putInQueue(sql, id, submitter)
    yield* jobs.send(id, { singletonKey: domain, priority: priorityOf(tag), group: { id: rubricDigest } })
  })

  const load = Effect.fnUntraced(function* (submitter: Submitter, limit: number | null) {
    // Operators and schedules have no limit of their own. The widest network first, so that none waits for one that waits for it.
    const limited = submitter.class === "guest" ? [...submitter.within, submitter.key] : []
    if (limited.length > 0)
      yield* sql`SELECT ${sql.csv(limited.map((key) => sql`pg_advisory_xact_lock(hashtextextended(${`submitter ${key}`}, 0))`))}`
    const load = yield* countLoad(sql, submitter)
    if (limit === null || load.waiting >= limit || load.waiting < limit - IN_FLIGHT) return load
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('queue limit', 0))`
    return yield* countLoad(sql, submitter)
  })

  /** Rubrics of unfinished runs that are left to others: to a live worker, or for as long as one may still start, as during a deploy. */
  const leftToOthers = Effect.fnUntraced(function* (rubric: string | null) {
    if (rubric === null) return []
    const recently = sql`${yield* databaseNow(read)} - ${LIVE_MS}`
    const rows = yield* read<{ readonly rubric_digest: string }>`
      SELECT rubric_digest FROM runs WHERE status IN ('pending', 'running') AND submitter IS NOT NULL AND rubric_digest <> ${rubric}
      GROUP BY rubric_digest
      HAVING MIN(queued_at) > ${recently}
        OR EXISTS (SELECT 1 FROM workers WHERE workers.rubric_digest = runs.rubric_digest AND seen_at > ${recently})`
    return rows.map(({ rubric_digest: digest }) => digest)
  })

  /** Shows runs of dead processes as waiting, and returns their number. */
  const putBack = (which: Fragment) =>
    Effect.map(
      sql`UPDATE runs SET status = 'pending', progress_done = 0, progress_steps = NULL WHERE status = 'running' AND ${which} RETURNING serial`,
      ({ length }) => length
    )

  const claim = Effect.fnUntraced(function* (rubric: string | null): Effect.fn.Return<Claim | null, SqlError> {
    const ignoreGroups = yield* leftToOthers(rubric)
    for (const priorities of prioritiesAfter(lastClass)) {
      // Read first, because the claim cannot begin earlier.
      const askedAt = yield* monotonicMillis
      const job = yield* jobs.fetch({ ...priorities, ignoreGroups })
      if (job === null) continue
      const [row] = yield* sql<RunRow & { readonly submitter: string | null; readonly leased: boolean }>`
        SELECT ${runColumns(sql)}, submitter, EXISTS (SELECT 1 FROM audit_leases WHERE domain = runs.domain AND ${leaseHolds(yield* databaseNow(sql))}) AS leased
        FROM runs WHERE id = ${job.id}`
      if (row !== undefined && row.submitter !== null) lastClass = classOf(row.submitter)
      if (row === undefined || isOver(row)) {
        // An operator deleted or ended the run.
        yield* jobs.complete(job.id)
      } else if (row.leased) {
        yield* jobs.giveBack(job)
        yield* jobs.defer(job.id, LEASE_PAUSE_SECONDS)
      } else if (row.rubric_digest !== rubric && (yield* leftToOthers(rubric)).includes(row.rubric_digest)) {
        // It was accepted after the first look.
        yield* jobs.giveBack(job)
      } else {
        // Still so after its process died.
        if (row.status === "running") yield* putBack(sql`id = ${job.id}`)
        return { run: { ...runOf(row), status: "pending" }, number: job.retryCount, endsAt: askedAt + VALID_MS }
      }
      return yield* claim(rubric)
    }
    return null
  })

  /** Whether a process of an earlier version is auditing: such processes go on during a deploy, and know no jobs. */
  const leaseHolds = (now: Fragment): Fragment => sql`expires_at > ${now}`

  /** Puts runs in the queue of which pg-boss has no job. */
  const adopt = Effect.fnUntraced(function* (which: Fragment) {
    const runs = yield* sql<AdoptedRow>`
      SELECT id, domain, rubric_digest, submitter FROM runs
      WHERE status IN ('pending', 'running') AND submitter IS NOT NULL AND ${which}
        AND NOT EXISTS (SELECT 1 FROM audit_leases WHERE run_id = CAST(runs.id AS text) AND ${leaseHolds(yield* databaseNow(sql))})
      ORDER BY serial FOR UPDATE SKIP LOCKED`
    for (const { rubric_digest: rubricDigest, submitter: key, ...run } of runs)
      yield* offer({ ...run, rubricDigest }, { key, class: classOf(key) })
  })

  /** The process that takes them next ends them, as runs whose attempts are used up. */
  const endDead = Effect.gen(function* () {
    const ids = yield* jobs.reviveDead
    if (ids.length > 0) yield* sql`UPDATE runs SET attempts = ${MOST_ATTEMPTS} WHERE ${sql.in("id", ids)}`
  })

  let supervisedAt = Number.NEGATIVE_INFINITY

  /** What pg-boss does takes some twenty statements, so it does it if there are claims that were not kept, and now and then. */
  const supervise = Effect.gen(function* () {
    const now = yield* monotonicMillis
    const lost = yield* sql`
      SELECT 1 FROM ${jobTable} WHERE name = ${AUDITS} AND state = 'active'
        AND heartbeat_on < now() - heartbeat_seconds * interval '1 second' LIMIT 1`
    if (lost.length === 0 && now - supervisedAt < SUPERVISION_MS) return
    yield* jobs.supervise
    supervisedAt = now
  })

  const recover = Effect.gen(function* () {
    yield* supervise
    // Runs that processes of an earlier version accept have no tag, while such processes go on during a deploy.
    yield* inTransaction(sql, Effect.andThen(adopt(sql.literal("tag IS NULL")), endDead))
    return yield* putBack(
      sql`submitter IS NOT NULL AND tag IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${jobTable} WHERE name = ${AUDITS} AND id = runs.id AND state = 'active')`
    )
  })

  // What a backup without the schema of pg-boss has lost.
  yield* inTransaction(
    sql,
    adopt(
      sql.literal(
        `NOT EXISTS (SELECT 1 FROM ${JOB_SCHEMA}.job WHERE name = '${AUDITS}' AND job.id = runs.id AND state < 'completed')`
      )
    )
  )

  return {
    validMs: VALID_MS,
    offer: (run, submitter) => orUnavailable(offer(run, submitter)),
    load: (submitter, limit) => orUnavailable(load(submitter, limit)),
    claim: (rubric) => orUnavailable(claim(rubric)),
    keep: (its) => orUnavailable(jobs.touch(jobOf(its))),
    complete: ({ run }) => orUnavailable(jobs.complete(run.id)),
    giveBack: (its) => orUnavailable(jobs.giveBack(jobOf(its))),
    announce: (worker, rubric) => orUnavailable(announce(sql, worker, rubric)),
    recover: orUnavailable(recover),
    afterCommit: sql.afterCommit
  }
})

const VALID_MS = HEARTBEAT_SECONDS * 1_000 * RELIABLE_SHARE

const jobOf = ({ number, run }: Claim) => ({ id: run.id, retryCount: number })

interface AdoptedRow {
  readonly id: string
  readonly domain: string
  readonly rubric_digest: string
  readonly submitter: string
}

const announce = Effect.fnUntraced(function* (sql: SqlClient, worker: string, rubric: string) {
  const now = yield* databaseNow(sql)
  yield* sql`
    INSERT INTO workers (worker, rubric_digest, seen_at) VALUES (${worker}, ${rubric}, ${now})
    ON CONFLICT (worker) DO UPDATE SET rubric_digest = excluded.rubric_digest, seen_at = excluded.seen_at`
  yield* sql`DELETE FROM workers WHERE seen_at <= ${now} - ${LIVE_MS}`
})
