import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const Ticket = Schema.Struct({ runId: Schema.String })

/** More than any run comes up: how often one is begun is counted with the run, waiting for its domain is no attempt. */
const OFTEN = 1_000_000

/** How long a run whose domain is being audited stands back before it comes up again. */
const STAND_BACK = "1 second"

/** The ids of accepted runs, in the order of their acceptance; at least once each. */
export class AuditQueue extends Context.Service<AuditQueue, {
  /** As durable as the transaction that it is part of. */
  readonly offer: (runId: string) => Effect.Effect<void, PersistedQueue.PersistedQueueError | Schema.SchemaError>
  /** Waits for a run to come up. It is off the queue once `work` succeeds, and comes up again later where it fails or is interrupted. */
  readonly take: <E, R>(work: (runId: string) => Effect.Effect<void, E, R>) => Effect.Effect<void, E | PersistedQueue.PersistedQueueError, R>
}>()("docgauge/schedule/AuditQueue") {
  private static readonly layerNoDeps: Layer.Layer<AuditQueue, never, PersistedQueue.PersistedQueueFactory> = Layer.effect(
    AuditQueue,
    Effect.gen(function*() {
      const queue = yield* PersistedQueue.make({
        name: "audits",
        schema: Ticket,
        maxAttempts: OFTEN,
        retrySchedule: Schedule.spaced(STAND_BACK)
      })
      return {
        offer: (runId) => Effect.asVoid(queue.offer({ runId }, { id: runId })),
        take: (work) => queue.take(({ runId }) => work(runId))
      }
    })
  )

  private static readonly layerOver = <E, R>(
    store: Layer.Layer<PersistedQueue.PersistedQueueStore, E, R>
  ): Layer.Layer<AuditQueue, E, R> =>
    Layer.mergeAll(
      Layer.provide(AuditQueue.layerNoDeps, PersistedQueue.layer),
      PersistedQueue.layerCleanup({ timeToLive: "1 day", failedTimeToLive: "7 days" })
    ).pipe(Layer.provide(store))

  /** In the table `audit_queue`, which it makes itself. A run whose process died comes up again after `leaseMs` milliseconds. */
  static readonly layerSql = (leaseMs: number): Layer.Layer<AuditQueue, SqlError, SqlClient> =>
    AuditQueue.layerOver(PersistedQueue.layerStoreSql({
      tableName: "audit_queue",
      lockRefreshInterval: leaseMs / 4,
      lockExpiration: leaseMs
    }))

  static readonly layerMemory: Layer.Layer<AuditQueue> = AuditQueue.layerOver(PersistedQueue.layerStoreMemory)
}
