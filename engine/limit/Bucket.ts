import type { Rate } from "./RateSpec.ts"

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
