import type { Rate } from "./RateSpec.ts"

/*
 * A token bucket is kept as one instant: when it will be full again. It holds `amount` tokens and refills evenly over
 * its window, so that instant says how many tokens are in it, and a bucket whose instant has passed is as good as none:
 * it need not be kept at all. (The generic cell rate algorithm, told from the other end.)
 *
 * Instants are milliseconds since the epoch; they may have fractions.
 */

/** How long so many tokens take to come back. */
export const refillMs = (tokens: number, { amount, windowMs }: Rate): number => (tokens * windowMs) / amount

/** When the bucket is full again once `cost` tokens are taken from it; more than a window from now says that it does not hold so many. */
export const fullAfter = (fullAt: number, now: number, cost: number, rate: Rate): number =>
  Math.max(fullAt, now) + refillMs(cost, rate)

/** Whether a bucket that will be full again at `fullAt` holds no less than nothing. */
export const isCovered = (fullAt: number, now: number, rate: Rate): boolean =>
  fullAt <= now + rate.windowMs + ROUNDING_MS

/** What fractions of a millisecond may come to when they are added up. */
export const ROUNDING_MS = 0.5

/** Whole tokens in the bucket; none where more were taken than it holds. */
export const tokensIn = (fullAt: number, now: number, rate: Rate): number => {
  const missing = (Math.max(fullAt, now) - now - ROUNDING_MS) / refillMs(1, rate)
  return Math.max(0, rate.amount - Math.max(0, Math.ceil(missing)))
}

/** Whole seconds until the bucket holds `cost` tokens, at least 1. */
export const secondsUntil = (fullAt: number, now: number, cost: number, rate: Rate): number =>
  Math.max(1, Math.ceil((fullAfter(fullAt, now, cost, rate) - now - rate.windowMs - ROUNDING_MS) / 1_000))

/** Whole seconds until the bucket is full. */
export const secondsUntilFull = (fullAt: number, now: number): number => Math.max(0, Math.ceil((fullAt - now) / 1_000))
