import { secondsUntil, secondsUntilFull, tokensIn } from "./Bucket.ts"
import type { BucketLevel } from "./LimitStore.ts"
import type { Taking } from "./MemoryBuckets.ts"
import type { Rate } from "./RateSpec.ts"

/** The names under which limits appear in headers. */
export type Policy = "submit" | "poll" | "browse" | "site" | "host" | "runs" | "oauth" | "mcp" | "lookup"

/** How a client stands with a limit. */
export interface Standing {
  readonly policy: Policy
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number
  /** Whole seconds until there is more; of what is allowed, until all of it is back. */
  readonly resetSeconds: number
}

export type Verdict = Allowed | Refusal

export interface Allowed {
  readonly _tag: "Allowed"
  /** `null` where the limit is off. */
  readonly standing: Standing | null
}

/** What a 429 is made of. */
export interface Refusal {
  readonly _tag: "Refusal"
  readonly code: "rate_limited" | "site_quota"
  readonly standing: Standing
  /** Whole seconds, at least 1. */
  readonly retryAfter: number
  /** The run to read instead; only with `site_quota`. */
  readonly runId: string | null
}

/** The verdict where a limit is off. */
export const UNLIMITED: Allowed = { _tag: "Allowed", standing: null }

/** How whoever draws on a bucket stands. */
export const standingOf = (policy: Policy, rate: Rate, { fullAt, now }: BucketLevel): Standing => ({
  policy,
  limit: rate.amount,
  windowSeconds: rate.windowMs / 1_000,
  remaining: tokensIn(fullAt, now, rate),
  resetSeconds: secondsUntilFull(fullAt, now)
})

/** What a bucket that was asked for `cost` tokens has to say. */
export const verdictOf = (policy: Policy, rate: Rate, cost: number, { fullAt, now, taken }: Taking): Verdict => {
  const standing = { policy, limit: rate.amount, windowSeconds: rate.windowMs / 1_000, remaining: tokensIn(fullAt, now, rate) }
  if (taken) return { _tag: "Allowed", standing: { ...standing, resetSeconds: secondsUntilFull(fullAt, now) } }
  const retryAfter = secondsUntil(fullAt, now, cost, rate)
  return { _tag: "Refusal", code: "rate_limited", standing: { ...standing, resetSeconds: retryAfter }, retryAfter, runId: null }
}
