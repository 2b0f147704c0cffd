import type { LimitStatus, LimitDecision } from "./LimitDecision.ts"

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
