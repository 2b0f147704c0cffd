import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ReadClient } from "../store/ReadClient.ts"
import type { StoreUnavailable } from "../store/RunStore.ts"
import { QueuePause } from "./QueuePause.ts"

const Ticket = Schema.Struct({ runId: Schema.String })

/** More than any run comes up: how often one is begun is counted with the run, waiting for its domain is no attempt. */
const OFTEN = 1_000_000

/** How long a run whose domain is being audited stands back before it comes up again. */
const STAND_BACK = "1 second"

/** How often a paused queue is looked at. */
const LOOK_AGAIN = "1 second"

/** The queue was paused just as the run came up: it goes back. */
export class QueuePaused extends Schema.TaggedError<QueuePaused>()("QueuePaused", {}) {}

/** The ids of accepted runs, in the order of their acceptance; at least once each. */
export class AuditQueue extends Context.Service<AuditQueue, {
  /** As durable as the transaction that it is part of. */
  readonly offer: (runId: string) => Effect.Effect<void, PersistedQueue.PersistedQueueError | Schema.SchemaError>
  /**
   * Waits for a run to come up; while the queue is paused none does. It is off the queue once `work` succeeds, and comes up
   * again later where it fails or is interrupted.
   */
  readonly take: <E, R>(
    work: (runId: string) => Effect.Effect<void, E, R>
  ) => Effect.Effect<void, E | PersistedQueue.PersistedQueueError | QueuePaused | StoreUnavailable, R>
}>()("docgauge/schedule/AuditQueue") {
  private static readonly layerNoDeps: Layer.Layer<AuditQueue, never, PersistedQueue.PersistedQueueFactory | QueuePause> = Layer.effect(
    AuditQueue,
    Effect.gen(function*() {
      const queue = yield* PersistedQueue.make({
        name: "audits",
        schema: Ticket,
        maxAttempts: OFTEN,
        retrySchedule: Schedule.spaced(STAND_BACK)
      })
      const paused = Effect.map((yield* QueuePause).look, (pause) => pause !== null)
      const whilePaused = Effect.gen(function*() {
        while (yield* paused) yield* Effect.sleep(LOOK_AGAIN)
      })
      const unlessPaused = Effect.flatMap(paused, (now) => now ? Effect.fail(new QueuePaused({})) : Effect.void)
      return {
        offer: (runId) => Effect.asVoid(queue.offer({ runId }, { id: runId })),
        take: (work) => Effect.andThen(whilePaused, queue.take(({ runId }) => Effect.andThen(unlessPaused, work(runId))))
      }
    })
  )

  private static readonly layerOver = <E, R, R2>(
    store: Layer.Layer<PersistedQueue.PersistedQueueStore, E, R>,
    pause: Layer.Layer<QueuePause, never, R2>
  ): Layer.Layer<AuditQueue, E, R | R2> =>
    Layer.mergeAll(
      Layer.provide(AuditQueue.layerNoDeps, PersistedQueue.layer),
      PersistedQueue.layerCleanup({ timeToLive: "1 day", failedTimeToLive: "7 days" })
    ).pipe(Layer.provide([store, pause]))

  /** In the table `audit_queue`, which it makes itself. A run whose process died comes up again after `leaseMs` milliseconds. */
  static readonly layerSql = (leaseMs: number): Layer.Layer<AuditQueue, SqlError, SqlClient | ReadClient> =>
    AuditQueue.layerOver(
      PersistedQueue.layerStoreSql({ tableName: "audit_queue", lockRefreshInterval: leaseMs / 4, lockExpiration: leaseMs }),
      QueuePause.layerSql
    )

  static readonly layerMemory: Layer.Layer<AuditQueue> = AuditQueue.layerOver(PersistedQueue.layerStoreMemory, QueuePause.layerNever)
}
