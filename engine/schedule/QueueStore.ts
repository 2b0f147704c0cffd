import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { Run } from "../store/runs/Run.ts"
import type { Submitter } from "./Submitter.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** The next run of the queue, with the lease of its domain. It stays `pending` and in the queue until it is begun. */
export interface Claim {
  readonly run: Run
  /** When the lease ends unless it is renewed, in milliseconds of the monotonic clock. */
  readonly endsAt: number
}

/** How full the queue is. */
export interface QueueLoad {
  /** Waiting runs. */
  readonly waiting: number
  /** Unfinished runs of the submitter. */
  readonly ofSubmitter: number
}

/** The storage of a queue; `held` are the runs that this process has claimed and is still working on. */
export interface QueueStore {
  readonly offer: (runId: string, submitter: Submitter) => Stored<void>
  readonly load: (submitter: Submitter) => Stored<QueueLoad>
  /** The next run whose domain is free; `null` if there is none. */
  readonly claim: (held: ReadonlySet<string>) => Stored<Claim | null>
  readonly recover: (held: ReadonlySet<string>) => Stored<number>
  /** Runs an effect after the current outermost transaction is committed; at once outside a transaction. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
}
