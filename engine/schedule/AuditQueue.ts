import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ReadClient } from "../store/ReadClient.ts"
import type { Run } from "../store/Run.ts"
import type { RunStore, StoreUnavailable } from "../store/RunStore.ts"
import type { Leases } from "./Leases.ts"
import { makeMemoryQueue } from "./MemoryQueue.ts"
import { QueuePause } from "./QueuePause.ts"
import { makeSqlQueue } from "./SqlQueue.ts"
import type { Submitter } from "./Submitter.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** A run whose turn it is, with the lease of its domain. It stays `pending`, and in the queue, until it is begun. */
export interface Claim {
  readonly run: Run
  /** When the lease ends unless it is renewed, in milliseconds of the monotonic clock. */
  readonly endsAt: number
}

/** How full the queue is. */
export interface QueueLoad {
  /** Runs that wait. */
  readonly waiting: number
  /** Runs of the submitter that wait or run. */
  readonly ofSubmitter: number
}

/** What a queue is made of; `held` are the runs that this process has claimed and not let go of. */
export interface QueueStore {
  readonly offer: (runId: string, submitter: Submitter) => Stored<void>
  readonly load: (submitter: Submitter) => Stored<QueueLoad>
  readonly claim: (held: ReadonlySet<string>) => Stored<Claim | null>
  readonly recover: (held: ReadonlySet<string>) => Stored<number>
  /** Runs an effect once the outermost transaction that is under way is committed; at once where there is none. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** How often a process looks for runs that another one accepted, or whose domain has become free. */
const POLL_INTERVAL = "1 second"

/**
 * The accepted runs that wait, in the order of their turns: the classes of submitters take turns, within a class its
 * submitters do, and a submitter's runs come up in the order of their acceptance. A run whose domain is being audited is
 * passed over. Being in the queue is a matter of the run itself, not of a ticket beside it, so that none can be lost.
 *
 * `PersistedQueue` of Effect is first in, first out, and hands out a run before it is known whether its domain is free.
 */
export class AuditQueue extends Context.Service<AuditQueue, {
  /** Puts an accepted run in the queue. To be called in the transaction that accepts it. */
  readonly offer: QueueStore["offer"]
  /** How full the queue is. In a transaction it stays so until the transaction ends: others that ask wait. */
  readonly load: QueueStore["load"]
  /** Waits for a run to come up; while the queue is paused none does. */
  readonly claim: (held: ReadonlySet<string>) => Stored<Claim>
  /** Puts runs in the queue whose process died, or is an older version and does not begin them; tells how many. Attempts of dead processes count. */
  readonly recover: QueueStore["recover"]
  /** Has this process look for runs at once. */
  readonly wake: Effect.Effect<void>
}>()("docgauge/schedule/AuditQueue") {
  private static readonly layerOver = <E, R>(store: Effect.Effect<QueueStore, E, R>): Layer.Layer<AuditQueue, E, R | QueuePause> =>
    Layer.effect(AuditQueue, Effect.gen(function*() {
      const queue = yield* store
      const { look } = yield* QueuePause
      const news = Latch.makeUnsafe()
      const claimNow = (held: ReadonlySet<string>) =>
        Effect.flatMap(look, (pause) => (pause === null ? queue.claim(held) : Effect.succeed(null)))
      const claim = Effect.fnUntraced(function*(held: ReadonlySet<string>) {
        while (true) {
          news.closeUnsafe()
          const claimed = yield* claimNow(held)
          if (claimed !== null) return claimed
          yield* Effect.raceFirst(news.await, Effect.sleep(POLL_INTERVAL))
        }
      })
      const wake = Effect.sync(() => { news.openUnsafe() })
      return {
        offer: (runId, submitter) => Effect.tap(queue.offer(runId, submitter), queue.afterCommit(wake)),
        load: queue.load,
        recover: queue.recover,
        claim,
        wake
      }
    }))

  /** In the tables `runs`, `queue_turns` and `queue_state`; its order holds over all processes. */
  static readonly layerSql: Layer.Layer<AuditQueue, never, SqlClient | ReadClient | Leases> = AuditQueue.layerOver(makeSqlQueue).pipe(
    Layer.provide(QueuePause.layerSql)
  )

  static readonly layerMemory: Layer.Layer<AuditQueue, never, RunStore | Leases> = AuditQueue.layerOver(makeMemoryQueue).pipe(
    Layer.provide(QueuePause.layerNever)
  )
}
