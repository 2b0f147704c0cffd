import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { ChangeFeed } from "../store/database/ChangeFeed.ts"
import type { ReadClient } from "../store/database/ReadClient.ts"
import type { RunStore } from "../store/runs/RunStore.ts"
import type { Stored } from "../store/database/StoreUnavailable.ts"
import type { Leases } from "./Leases.ts"
import { makeMemoryQueue } from "./MemoryQueue.ts"
import { QueuePause } from "./QueuePause.ts"
import type { Claim, QueueStore } from "./QueueStore.ts"
import { makeSqlQueue } from "./SqlQueue.ts"

/** How often a process polls for runs that another process accepted or whose domain has become free. */
const POLL_INTERVAL = "1 second"

/**
 * The digest of the rubric that this process judges by. It takes only runs that were accepted under it, and those whose rubric no live
 * worker has; `null`: it takes all.
 */
export const WorkerRubric = Context.Reference<string | null>("docgauge/schedule/WorkerRubric", {
  defaultValue: () => null
})

/**
 * The queue of accepted runs: round-robin over the classes of submitters, within a class round-robin over its submitters, and
 * first in, first out for one submitter. A run whose domain is being audited is skipped. The run's own status puts it in the
 * queue, so no separate row can be lost.
 *
 * `PersistedQueue` of Effect is first in, first out, and hands out a run before it is known whether its domain is free.
 */
export class AuditQueue extends Context.Service<
  AuditQueue,
  {
    /** Puts an accepted run in the queue. Call it in the transaction that accepts the run. */
    readonly offer: QueueStore["offer"]
    readonly load: QueueStore["load"]
    /** Waits for the next run; forever while the queue is paused. `rubric`: see `QueueStore`. */
    readonly claim: (held: ReadonlySet<string>, rubric?: string | null) => Stored<Claim>
    readonly announce: QueueStore["announce"]
    /** Puts the runs of dead processes back in the queue and returns their number. Attempts of dead processes count. */
    readonly recover: QueueStore["recover"]
    /** Makes this process look for runs at once. */
    readonly wake: Effect.Effect<void>
  }
>()("docgauge/schedule/AuditQueue") {
  private static readonly layerOver = <E, R>(
    store: Effect.Effect<QueueStore, E, R>
  ): Layer.Layer<AuditQueue, E, R | QueuePause> =>
    Layer.effect(
      AuditQueue,
      Effect.gen(function* () {
        const queue = yield* store
        const { look } = yield* QueuePause
        const changes = yield* ChangeFeed
        const newRuns = Latch.makeUnsafe()
        const claimNow = (held: ReadonlySet<string>, rubric: string | null) =>
          Effect.flatMap(look, (pause) => (pause === null ? queue.claim(held, rubric) : Effect.succeed(null)))
        const claim = Effect.fnUntraced(function* (held: ReadonlySet<string>, rubric: string | null = null) {
          while (true) {
            newRuns.closeUnsafe()
            const claimed = yield* claimNow(held, rubric)
            if (claimed !== null) return claimed
            yield* Effect.raceAllFirst([newRuns.await, changes.next("queue"), Effect.sleep(POLL_INTERVAL)])
          }
        })
        const wake = Effect.sync(() => {
          newRuns.openUnsafe()
        })
        return {
          offer: (runId, submitter) =>
            Effect.tap(queue.offer(runId, submitter), Effect.andThen(queue.afterCommit(wake), changes.notify("queue"))),
          load: queue.load,
          announce: queue.announce,
          recover: queue.recover,
          claim,
          wake
        }
      })
    )

  /** In the tables `runs`, `queue_turns` and `queue_state`; its order holds over all processes. */
  static readonly layerSql: Layer.Layer<AuditQueue, never, SqlClient | ReadClient | Leases> = AuditQueue.layerOver(
    makeSqlQueue
  ).pipe(Layer.provide(QueuePause.layerSql))

  static readonly layerMemory: Layer.Layer<AuditQueue, never, RunStore | Leases> = AuditQueue.layerOver(
    makeMemoryQueue
  ).pipe(Layer.provide(QueuePause.layerNever))
}
