import { fullAfter, isCovered } from "./Bucket.ts"
import type { Rate } from "./RateSpec.ts"

/** What came of asking a bucket for tokens. */
export interface Taking {
  /** False: it did not hold so many, and nothing was taken. */
  readonly taken: boolean
  /** When it will be full again, and the time by the same clock: milliseconds since the epoch. */
  readonly fullAt: number
  readonly now: number
}

/** Buckets of one rate in this process's memory, so many at most. Those asked last are kept longest. */
export interface MemoryBuckets {
  readonly take: (key: string, cost: number, now: number) => Taking
  /** Whether the bucket is known to hold less than `cost`; takes nothing. */
  readonly lacks: (key: string, cost: number, now: number) => Taking | null
  /** Takes over what another holder of the same bucket knows. */
  readonly learn: (key: string, fullAt: number) => void
  /** Forgets all of them: they are taken for full. */
  readonly clear: () => void
  readonly size: () => number
}

/** Enough for any honest crowd; some 10 MB. */
const MOST_BUCKETS = 50_000

export const makeMemoryBuckets = (rate: Rate, most: number = MOST_BUCKETS): MemoryBuckets => {
  // A Map keeps the order of insertion, and a bucket goes in anew whenever it is touched: the first is the idlest.
  const fullAts = new Map<string, number>()

  const keep = (key: string, fullAt: number): void => {
    fullAts.delete(key)
    fullAts.set(key, fullAt)
    if (fullAts.size <= most) return
    const [idlest] = fullAts.keys()
    if (idlest !== undefined) fullAts.delete(idlest)
  }

  /** Full buckets say nothing; a few are looked for with each taking, so that they do not stay. */
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
      const before = fullAts.get(key) ?? now
      const fullAt = fullAfter(before, now, cost, rate)
      if (!isCovered(fullAt, now, rate)) return { taken: false, fullAt: before, now }
      keep(key, fullAt)
      return { taken: true, fullAt, now }
    },
    lacks: (key, cost, now) => {
      const fullAt = fullAts.get(key)
      if (fullAt === undefined || isCovered(fullAfter(fullAt, now, cost, rate), now, rate)) return null
      return { taken: false, fullAt, now }
    },
    learn: keep,
    clear: () => fullAts.clear(),
    size: () => fullAts.size
  }
}
