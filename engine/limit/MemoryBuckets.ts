import { believedFullAt, fullAfter, isCovered, ROUNDING_MS } from "./Bucket.ts"
import type { Rate } from "./RateSpec.ts"

/** The result of taking tokens from a bucket. */
export interface Taking {
  /** False: the bucket held fewer tokens, and none were taken. */
  readonly taken: boolean
  /** When it will be full again, and the time by the same clock: milliseconds since the epoch. */
  readonly fullAt: number
  readonly now: number
}

/**
 * A bounded number of buckets of one rate in this process's memory; the least recently used is dropped. Not an Effect `Cache`: a
 * bucket is a counter, changed in place by each take, and a full one is dropped at once.
 */
export interface MemoryBuckets {
  readonly take: (key: string, cost: number, now: number) => Taking
  /** Whether the bucket is known to hold less than `cost`; takes no tokens. */
  readonly lacks: (key: string, cost: number, now: number) => Taking | null
  /** Updates the bucket from another copy of it. */
  readonly learn: (key: string, fullAt: number) => void
  /** Drops all buckets, so that they count as full. */
  readonly clear: () => void
  readonly size: () => number
}

/** Takes some 10 MB. */
const MOST_BUCKETS = 50_000

export const makeMemoryBuckets = (rate: Rate, most: number = MOST_BUCKETS): MemoryBuckets => {
  // A Map keeps the order of insertion, and a bucket is inserted again whenever it changes: the first is the least recently used.
  const fullAts = new Map<string, number>()

  const keep = (key: string, fullAt: number): void => {
    fullAts.delete(key)
    fullAts.set(key, fullAt)
    if (fullAts.size <= most) return
    const [oldest] = fullAts.keys()
    if (oldest !== undefined) fullAts.delete(oldest)
  }

  /** A full bucket need not be stored; each take drops up to two of them. */
  const dropFull = (now: number): void => {
    let looked = 0
    for (const [key, fullAt] of fullAts) {
      if (fullAt > now || looked === 2) return
      fullAts.delete(key)
      looked += 1
    }
  }

  return {
    take: (key, cost, now) => {
      dropFull(now)
      const before = believedFullAt(fullAts.get(key) ?? now, now, rate.windowMs)
      const fullAt = fullAfter(before, now, cost, rate)
      if (!isCovered(fullAt, now, rate)) {
        fullAts.set(key, before)
        return { taken: false, fullAt: before, now }
      }
      keep(key, fullAt)
      return { taken: true, fullAt, now }
    },
    lacks: (key, cost, now) => {
      const fullAt = fullAts.get(key)
      // What is further ahead was learnt before the clock was set back.
      if (
        fullAt === undefined ||
        fullAt > now + rate.windowMs + ROUNDING_MS ||
        isCovered(fullAfter(fullAt, now, cost, rate), now, rate)
      )
        return null
      return { taken: false, fullAt, now }
    },
    learn: keep,
    clear: () => fullAts.clear(),
    size: () => fullAts.size
  }
}
