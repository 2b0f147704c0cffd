import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { DatabaseError, PostgresAddress } from "../store/Database.ts"
import { currentMicros, formatInstant, type Int } from "../store/database/ColumnValues.ts"
import { ChangeFeed, orUnavailable, ReadClient } from "../store/database/SqlDatabase.ts"
import { rootMessage, type Stored } from "../store/database/StoreUnavailable.ts"
import type { RunStore } from "../store/runs/RunStore.ts"
import { type Claim, makeMemoryQueue, makeSqliteQueue, type QueueStore } from "./queue/QueueStore.ts"

/** How often a process polls for runs that another process accepted or whose domain has become free. */
const POLL_INTERVAL = "1 second"

/**
 * The digest of the rubric that this process judges by. It takes only runs that were accepted under it, and those whose rubric no live
 * worker has; `null`: it takes all.
 */
export const WorkerRubric = Context.Reference<string | null>("docgauge/schedule/WorkerRubric", {
  defaultValue: () => null
})

export interface Pause {
  readonly by: string
  /** RFC 3339. */
  readonly since: string
}

/** Pauses the queue for all processes, also after restarts. Runs are still accepted, and wait. */
export class QueuePause extends Context.Service<
  QueuePause,
  {
    /** `null`: not paused. */
    readonly look: Stored<Pause | null>
    /** Leaves an existing pause unchanged. */
    readonly pause: (by: string) => Stored<void>
    readonly resume: Stored<void>
  }
>()("docgauge/schedule/QueuePause") {
  /** For a service without a database, which has no admin API to pause the queue. */
  static readonly layerNever: Layer.Layer<QueuePause> = Layer.succeed(QueuePause, {
    look: Effect.succeed(null),
    pause: () => Effect.void,
    resume: Effect.void
  })

  static readonly layerSql: Layer.Layer<QueuePause, never, SqlClient | ReadClient> = Layer.effect(
    QueuePause,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      return {
        look: orUnavailable(
          Effect.map(
            read<{ readonly paused_at: Int; readonly paused_by: string }>`SELECT paused_at, paused_by FROM queue_pause`,
            ([row]) => (row === undefined ? null : { by: row.paused_by, since: formatInstant(Number(row.paused_at)) })
          )
        ),
        pause: (by) =>
          Effect.asVoid(
            orUnavailable(
              Effect.flatMap(
                currentMicros,
                (now) =>
                  sql`INSERT INTO queue_pause ${sql.insert({ one: 1, paused_at: now, paused_by: by })} ON CONFLICT (one) DO NOTHING`
              )
            )
          ),
        resume: Effect.asVoid(orUnavailable(sql`DELETE FROM queue_pause`))
      }
    })
  )
}

/**
 * The queue of accepted runs: round-robin over the classes of submitters, within a class round-robin over its submitters, and
 * first in, first out for one submitter. A run whose domain is being audited is skipped. On PostgreSQL several processes share it, by
 * pg-boss; in an SQLite file or in memory one process has it.
 */
export class AuditQueue extends Context.Service<
  AuditQueue,
  Omit<QueueStore, "claim" | "announce" | "afterCommit"> & {
    /** The name of this process, as the runs have it that it audits. */
    readonly worker: string
    /** Waits for the next run; forever while the queue is paused. It cannot be interrupted while it takes one. `rubric`: see `QueueStore`. */
    readonly claim: (rubric?: string | null) => Stored<Claim>
    /** Announces for a minute that this process judges by the rubric. */
    readonly announce: (rubric: string) => Stored<void>
    /** Makes this process look for runs at once. */
    readonly wake: Effect.Effect<void>
  }
>()("docgauge/schedule/AuditQueue") {
  private static readonly layerOver = <E, R>(
    store: Effect.Effect<QueueStore, E, R>
  ): Layer.Layer<AuditQueue, E, Exclude<R, Scope.Scope> | QueuePause> =>
    Layer.effect(
      AuditQueue,
      Effect.gen(function* () {
        const { afterCommit, announce, claim, offer, ...queue } = yield* store
        const { look } = yield* QueuePause
        const changes = yield* ChangeFeed
        const worker = randomUUID()
        const newRuns = Latch.makeUnsafe()
        const claimNow = (rubric: string | null) =>
          Effect.flatMap(look, (pause) => (pause === null ? claim(rubric) : Effect.succeed(null)))
        const claimNext = Effect.fnUntraced(function* (rubric: string | null = null) {
          while (true) {
            newRuns.closeUnsafe()
            const claimed = yield* claimNow(rubric)
            if (claimed !== null) return claimed
            yield* Effect.interruptible(
              Effect.raceAllFirst([newRuns.await, changes.next("queue"), Effect.sleep(POLL_INTERVAL)])
            )
          }
        })
        const wake = Effect.sync(() => {
          newRuns.openUnsafe()
        })
        return {
          ...queue,
          worker,
          offer: (run, submitter) =>
            Effect.tap(offer(run, submitter), Effect.andThen(afterCommit(wake), changes.notify("queue"))),
          announce: (rubric) => announce(worker, rubric),
          claim: (rubric) => Effect.uninterruptible(claimNext(rubric)),
          wake
        }
      })
    )

  /** In the database: on PostgreSQL its order holds over all processes. */
  static readonly layerSql: Layer.Layer<AuditQueue, DatabaseError, SqlClient | ReadClient> = AuditQueue.layerOver(
    Effect.flatMap(PostgresAddress, (address) =>
      address === null
        ? makeSqliteQueue
        : Effect.flatMap(
            Effect.promise(() => import("./queue/PostgresQueue.ts")),
            ({ makePostgresQueue }) => makePostgresQueue(address)
          )
    ).pipe(Effect.mapError((cause) => new DatabaseError({ cause, message: startProblem(rootMessage(cause)) })))
  ).pipe(Layer.provide(QueuePause.layerSql))

  static readonly layerMemory: Layer.Layer<AuditQueue, never, RunStore> = AuditQueue.layerOver(makeMemoryQueue).pipe(
    Layer.provide(QueuePause.layerNever)
  )
}

const startProblem = (reason: string): string =>
  reason.startsWith("permission denied for database")
    ? `The queue needs a schema of its own in the PostgreSQL database, which its role may not create (${reason}). Run: GRANT CREATE ON DATABASE … TO …`
    : `The queue in the database cannot be used: ${reason}`
