import { isChallengeError } from "../Challenge.ts"
import type { Hop } from "../Transport.ts"
import { retryAfterMs } from "./RetryAfter.ts"

/** An answer that says "not so fast". */
export interface RateLimitAnswer {
  /** How long the host asks to wait, in milliseconds; `null` where it does not say. */
  readonly retryAfterMs: number | null
}

/**
 * Reads 429 and, with `Retry-After`, 503 as what they are: the same request is answered later (RFC 6585 §4, RFC 9110 §15.6.4).
 * `null` for any other answer, and for a bot challenge, which waiting does not end.
 */
export const rateLimitAnswer = (hop: Hop, now: number): RateLimitAnswer | null => {
  if (hop._tag === "HopFault" || isChallengeError(hop)) return null
  const asked = retryAfterMs(hop.headers, now)
  return hop.status === 429 || (hop.status === 503 && asked !== null) ? { retryAfterMs: asked } : null
}

/** Whether rate limiting kept this request from being answered, at first or in the end. */
export const wasRateLimited = (hop: Hop): boolean =>
  hop.rateLimited === true || (hop._tag === "HopFault" ? hop.kind === "rate_limited" : rateLimitAnswer(hop, 0) !== null)
