import { secondsUntil, secondsUntilFull, type Taking, tokensIn } from "./Buckets.ts"
import type { BucketLevel } from "./LimitStore.ts"
import type { Rate } from "./LimitSettings.ts"

/** The names of limits in headers. */
export type Policy =
  | "submit"
  | "poll"
  | "browse"
  | "fix"
  | "site"
  | "host"
  | "runs"
  | "network"
  | "plans"
  | "oauth"
  | "mcp"
  | "lookup"

export interface LimitStatus {
  readonly policy: Policy
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number
  /** Whole seconds until the next token if refused, or until the limit is full again if allowed. */
  readonly resetSeconds: number
}

export type LimitDecision = Allowed | LimitRefusal

interface Allowed {
  readonly _tag: "Allowed"
  /** `null` if the limit is off. */
  readonly standing: LimitStatus | null
}

/** A refusal: the content of a 429. */
export interface LimitRefusal {
  readonly _tag: "Refusal"
  readonly code: "rate_limited" | "site_quota"
  readonly standing: LimitStatus
  /** Whole seconds, at least 1. */
  readonly retryAfter: number
  /** The run to read instead: with `site_quota`, and where too many requests were sent to a site that has a report. */
  readonly runId: string | null
  /** Whole seconds since that run was accepted; only with `site_quota`. */
  readonly auditedAgo?: number
  /** The wider network whose clients have too many unfinished runs together; only of the policy `network`. */
  readonly network?: string
  /** How the site's owner can have it audited more often; only with `site_quota`, if the site is not verified. */
  readonly verification?: OwnerVerification
}

/** How the owner of a site shows that it may be audited more often: one of the two is enough. */
export interface OwnerVerification {
  /** Proves to this service that who published it may decide for the host. */
  readonly token: string
  /** The URL of a text file with the token. */
  readonly file: string
  /** An element in the `<head>` of the page at `base_url`. */
  readonly meta: string
  /** How often the site can then be audited, such as `once every 10 minutes`. */
  readonly then: string
}

/** The decision of a limit that is off. */
export const UNLIMITED: Allowed = { _tag: "Allowed", standing: null }

/** The state of a bucket. */
export const limitStatusOf = (policy: Policy, rate: Rate, { fullAt, now }: BucketLevel): LimitStatus => ({
  policy,
  limit: rate.amount,
  windowSeconds: rate.windowMs / 1_000,
  remaining: tokensIn(fullAt, now, rate),
  resetSeconds: secondsUntilFull(fullAt, now)
})

/** The decision on a request for `cost` tokens. */
export const decisionOf = (policy: Policy, rate: Rate, cost: number, { fullAt, now, taken }: Taking): LimitDecision => {
  const standing = {
    policy,
    limit: rate.amount,
    windowSeconds: rate.windowMs / 1_000,
    remaining: tokensIn(fullAt, now, rate)
  }
  if (taken) return { _tag: "Allowed", standing: { ...standing, resetSeconds: secondsUntilFull(fullAt, now) } }
  const retryAfter = secondsUntil(fullAt, now, cost, rate)
  return {
    _tag: "Refusal",
    code: "rate_limited",
    standing: { ...standing, resetSeconds: retryAfter },
    retryAfter,
    runId: null
  }
}

/**
 * `RateLimit-Policy` and `RateLimit` by draft-ietf-httpapi-ratelimit-headers (lists of strings with parameters: `q` quota, `w`
 * window, `r` remaining, `t` seconds until the next token), and `Retry-After` with a refusal. Names are in lower case; there are
 * no headers if the limit is off.
 */
export const rateLimitHeaders = (verdict: LimitDecision): Readonly<Record<string, string>> => {
  if (verdict.standing === null) return {}
  const headers = { "ratelimit-policy": policyItem(verdict.standing), ratelimit: limitItem(verdict.standing) }
  return verdict._tag === "Refusal" ? { ...headers, "retry-after": String(verdict.retryAfter) } : headers
}

const policyItem = ({ limit, policy, windowSeconds }: LimitStatus): string =>
  `"${policy}";q=${limit};w=${windowSeconds}`

const limitItem = ({ policy, remaining, resetSeconds }: LimitStatus): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`
