import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { believedFullAt, fullAfter, isCovered } from "./Buckets.ts"
import { LimitStore, type QuotaHold } from "./LimitStore.ts"

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
