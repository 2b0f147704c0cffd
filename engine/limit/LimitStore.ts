import * as Context from "effect/Context"
import type { Stored } from "../store/database/StoreUnavailable.ts"
import type { Taking } from "./Buckets.ts"
import type { Rate } from "./RateSpec.ts"

/** An audit that counts against a quota. */
export interface QuotaHold {
  readonly runId: string
  /** Milliseconds since the epoch, by the store's clock. */
  readonly takenAt: number
}

/** The audits of one holder (a client network on a site) that count against its quota. */
interface QuotaHolds {
  /** Newest first. */
  readonly holds: ReadonlyArray<QuotaHold>
  /** The time by the store's clock. */
  readonly now: number
}

/** When a bucket will be full again, and the current time by the same clock: milliseconds since the epoch. */
export interface BucketLevel {
  readonly fullAt: number
  readonly now: number
}

/**
 * Limits that survive restarts and apply across all processes. A shared store uses its own clock, so that the clocks of
 * processes need not agree.
 */
export class LimitStore extends Context.Service<
  LimitStore,
  {
    /**
     * Takes `cost` tokens (no more than the bucket can hold; a negative number gives tokens back), or nothing. `longestMs`: how long the bucket can take to be full again, the
     * rate's window by default; as in `settle` and `look`, a longer time is that of a clock which was set back, and cut.
     */
    readonly take: (bucket: string, cost: number, rate: Rate, longestMs?: number) => Stored<Taking>
    /** Stores what a run has reserved from a bucket; the tokens are already taken. */
    readonly reserve: (runId: string, bucket: string, amount: number) => Stored<void>
    /** Corrects the bucket by what the run spent; does nothing if the run has no reservation, or no longer has one. */
    readonly settle: (runId: string, spent: number, rate: Rate, longestMs: number) => Stored<void>
    /** The newest holds of `holder` that are younger than `windowMs`, at most `most`. One of the future counts from now on. */
    readonly holds: (holder: string, windowMs: number, most: number) => Stored<QuotaHolds>
    readonly hold: (holder: string, runId: string) => Stored<void>
    /** Releases the run's hold on a quota. */
    readonly letGo: (runId: string) => Stored<void>
    /** The state of the bucket; takes no tokens. */
    readonly look: (bucket: string, longestMs: number) => Stored<BucketLevel>
    /** Fills the bucket. */
    readonly fill: (bucket: string) => Stored<void>
    /** Releases all holds of the holder on a quota. */
    readonly release: (holder: string) => Stored<void>
    /**
     * Deletes buckets that are full again, and holds older than `windowMs`; processes that share the store do so once in `intervalMs`
     * milliseconds, together.
     */
    readonly sweep: (windowMs: number, intervalMs: number) => Stored<void>
  }
>()("docgauge/limit/LimitStore") {}
