import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../store/RunStore.ts"
import type { Taking } from "./MemoryBuckets.ts"
import type { Rate } from "./RateSpec.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** An audit that counts against a quota. */
export interface QuotaHold {
  readonly runId: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly takenAt: number
}

/** The holds of one holder: a client network on a site. */
export interface QuotaHolds {
  /** Newest first. */
  readonly holds: ReadonlyArray<QuotaHold>
  /** The time by the store's clock. */
  readonly now: number
}

/** When a bucket is full again, and the time by the same clock: milliseconds since the epoch. */
export interface BucketLevel {
  readonly fullAt: number
  readonly now: number
}

/**
 * The limits that last over a restart and hold over all processes. Where the store is shared its own clock is used, so
 * that processes need not agree on the time.
 */
export class LimitStore extends Context.Service<LimitStore, {
  /** Takes `cost` tokens (no more than the bucket can hold), or nothing. */
  readonly take: (bucket: string, cost: number, rate: Rate) => Stored<Taking>
  /** Notes what is set aside for a run out of a bucket; taken already. */
  readonly reserve: (runId: string, bucket: string, amount: number) => Stored<void>
  /** Sets the bucket right once it is known what the run spent; a run that has no reservation, or none any more, changes nothing. */
  readonly settle: (runId: string, spent: number, rate: Rate) => Stored<void>
  /** The newest holds of `holder` that are younger than `windowMs`, at most `most`. */
  readonly holds: (holder: string, windowMs: number, most: number) => Stored<QuotaHolds>
  readonly hold: (holder: string, runId: string) => Stored<void>
  /** Gives back what the run holds of a quota. */
  readonly letGo: (runId: string) => Stored<void>
  /** How full the bucket is; takes nothing. */
  readonly look: (bucket: string) => Stored<BucketLevel>
  /** Fills the bucket. */
  readonly fill: (bucket: string) => Stored<void>
  /** Gives back everything that the holder holds of a quota. */
  readonly release: (holder: string) => Stored<void>
  /** Forgets buckets that are full again, and holds older than `windowMs`. */
  readonly sweep: (windowMs: number) => Stored<void>
}>()("docgauge/limit/LimitStore") {}
