import type { Rate } from "./LimitSettings.ts"

/*
 * A token bucket is stored as one instant: when it will be full again (the generic cell rate algorithm). It holds `amount` tokens and
 * refills evenly over its window, so the instant determines the number of tokens, and a bucket whose instant has passed need not be
 * stored.
 *
 * Instants are milliseconds since the epoch; they may have fractions.
 */

/** How long `tokens` tokens take to refill. */
export const refillMs = (tokens: number, { amount, windowMs }: Rate): number => (tokens * windowMs) / amount

/**
 * When the bucket will be full again, at most `longestMs` from now: what was written before the clock was set back is not believed, or
 * clients would wait as long as it was set back. A reader that refuses keeps this value, or each later one would count from its own time.
 */
export const believedFullAt = (fullAt: number, now: number, longestMs: number): number =>
  Math.min(fullAt, now + longestMs)

/** When the bucket will be full again after taking `cost` tokens; more than one window from now means that it holds fewer. */
export const fullAfter = (fullAt: number, now: number, cost: number, rate: Rate): number =>
  Math.max(fullAt, now) + refillMs(cost, rate)

/** Whether a bucket that will be full again at `fullAt` holds zero tokens or more. */
export const isCovered = (fullAt: number, now: number, rate: Rate): boolean =>
  fullAt <= now + rate.windowMs + ROUNDING_MS

/** Tolerance for rounding errors of added fractions of a millisecond. */
export const ROUNDING_MS = 0.5

/** Whole tokens in the bucket; 0 if more were taken than it held. */
export const tokensIn = (fullAt: number, now: number, rate: Rate): number => {
  const missing = (Math.max(fullAt, now) - now - ROUNDING_MS) / refillMs(1, rate)
  return Math.max(0, rate.amount - Math.max(0, Math.ceil(missing)))
}

/** Whole seconds until the bucket holds `cost` tokens, at least 1. */
export const secondsUntil = (fullAt: number, now: number, cost: number, rate: Rate): number =>
  Math.max(1, Math.ceil((fullAfter(fullAt, now, cost, rate) - now - rate.windowMs - ROUNDING_MS) / 1_000))

/** Whole seconds until the bucket is full. */
export const secondsUntilFull = (fullAt: number, now: number): number => Math.max(0, Math.ceil((fullAt - now) / 1_000))

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
interface MemoryBuckets {
  readonly take: (key: string, cost: number, now: number) => Taking
  /** Whether the bucket is known to hold less than `cost`; takes no tokens. */
  readonly lacks: (key: string, cost: number, now: number) => Taking | null
  /** When the bucket will be full again, as far as it is known; takes no tokens. */
  readonly fullAt: (key: string, now: number) => number
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
    fullAt: (key, now) => believedFullAt(fullAts.get(key) ?? now, now, rate.windowMs),
    learn: keep,
    clear: () => fullAts.clear(),
    size: () => fullAts.size
  }
}
