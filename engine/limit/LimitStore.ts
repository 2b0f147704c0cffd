import * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Stored } from "../store/database/StoreUnavailable.ts"
import { believedFullAt, fullAfter, isCovered, type Taking } from "./Buckets.ts"
import type { Rate } from "./RateSpec.ts"

/** An audit that counts against a quota. */
interface QuotaHold {
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

interface Reservation {
  readonly bucket: string
  readonly amount: number
}

interface KeptHold extends QuotaHold {
  readonly holder: string
}

/** For a service without a database: the counts end with the process. */
export const layerMemory: Layer.Layer<LimitStore> = Layer.sync(LimitStore, () => {
  const fullAts = new Map<string, number>()
  const reservations = new Map<string, Reservation>()
  const holds = new Map<string, KeptHold>()
  const atNow = <A>(change: (now: number) => A): Effect.Effect<A> => Effect.map(Clock.currentTimeMillis, change)

  return {
    take: (bucket, cost, rate, longestMs = rate.windowMs) =>
      atNow((now) => {
        const before = believedFullAt(fullAts.get(bucket) ?? now, now, longestMs)
        const fullAt = fullAfter(before, now, cost, rate)
        if (!isCovered(fullAt, now, rate)) {
          fullAts.set(bucket, before)
          return { taken: false, fullAt: before, now }
        }
        fullAts.set(bucket, fullAt)
        return { taken: true, fullAt, now }
      }),
    reserve: (runId, bucket, amount) =>
      Effect.sync(() => {
        reservations.set(runId, { bucket, amount })
      }),
    settle: (runId, spent, rate, longestMs) =>
      atNow((now) => {
        const reservation = reservations.get(runId)
        if (reservation === undefined) return
        reservations.delete(runId)
        const { amount, bucket } = reservation
        fullAts.set(
          bucket,
          fullAfter(believedFullAt(fullAts.get(bucket) ?? now, now, longestMs), now, spent - amount, rate)
        )
      }),
    holds: (holder, windowMs, most) =>
      atNow((now) => {
        for (const [key, hold] of holds)
          if (hold.holder === holder && hold.takenAt > now) holds.set(key, { ...hold, takenAt: now })
        const own = [...holds.values()].filter((hold) => hold.holder === holder && hold.takenAt > now - windowMs)
        return { holds: own.sort((one, other) => other.takenAt - one.takenAt).slice(0, most), now }
      }),
    hold: (holder, runId) =>
      atNow((now) => {
        holds.set(`${runId} ${holder}`, { holder, runId, takenAt: now })
      }),
    letGo: (runId) =>
      Effect.sync(() => {
        for (const [key, hold] of holds) if (hold.runId === runId) holds.delete(key)
      }),
    look: (bucket, longestMs) =>
      atNow((now) => ({ fullAt: believedFullAt(fullAts.get(bucket) ?? now, now, longestMs), now })),
    fill: (bucket) =>
      Effect.sync(() => {
        fullAts.delete(bucket)
      }),
    release: (holder) =>
      Effect.sync(() => {
        for (const [key, hold] of holds) if (hold.holder === holder) holds.delete(key)
      }),
    sweep: (windowMs) =>
      atNow((now) => {
        for (const [bucket, fullAt] of fullAts) if (fullAt <= now) fullAts.delete(bucket)
        for (const [key, hold] of holds) if (hold.takenAt <= now - windowMs) holds.delete(key)
      })
  }
})
