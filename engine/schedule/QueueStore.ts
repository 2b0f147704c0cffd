import type * as Effect from "effect/Effect"
import type { Stored } from "../store/database/StoreUnavailable.ts"
import type { Run } from "../store/runs/Run.ts"
import type { QueueLoad } from "./turns/SqlTurns.ts"
import type { Submitter } from "./turns/Submitter.ts"

/** The next run of the queue, with the lease of its domain. It stays `pending` and in the queue until it is begun. */
export interface Claim {
  readonly run: Run
  /** When the lease ends unless it is renewed, in milliseconds of the monotonic clock. */
  readonly endsAt: number
}

/** The storage of a queue; `held` are the runs that this process has claimed and is still working on. */
export interface QueueStore {
  readonly offer: (runId: string, submitter: Submitter) => Stored<void>
  /**
   * How full the queue is. Within a transaction it locks the submitter if it is a guest, with its wider networks, and the queue if that
   * is nearly as long as `limit`, so that the answer holds until the transaction ends.
   */
  readonly load: (submitter: Submitter, limit: number | null) => Stored<QueueLoad>
  /**
   * The next run whose domain is free; `null` if there is none. With a `rubric`: of those that were accepted under it, or have waited
   * for a minute under a rubric that no worker announced meanwhile.
   */
  readonly claim: (held: ReadonlySet<string>, rubric: string | null) => Stored<Claim | null>
  /** Announces for a minute that this process judges by the rubric. */
  readonly announce: (rubric: string) => Stored<void>
  /** Puts the runs of dead processes back in the queue, which may still finish them until they are begun again. */
  readonly recover: (held: ReadonlySet<string>) => Stored<number>
  /** Runs an effect after the current outermost transaction is committed; at once outside a transaction. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
}
