import type { Standing, Verdict } from "./Verdict.ts"

/**
 * `RateLimit-Policy` and `RateLimit` by draft-ietf-httpapi-ratelimit-headers (lists of strings with parameters: `q`
 * quota, `w` window, `r` remaining, `t` seconds until there is more), and `Retry-After` with a refusal. Names are in
 * lower case; none where the limit is off.
 */
export const rateLimitHeaders = (verdict: Verdict): Readonly<Record<string, string>> => {
  if (verdict.standing === null) return {}
  const headers = { "ratelimit-policy": policyItem(verdict.standing), ratelimit: limitItem(verdict.standing) }
  return verdict._tag === "Refusal" ? { ...headers, "retry-after": String(verdict.retryAfter) } : headers
}

const policyItem = ({ limit, policy, windowSeconds }: Standing): string => `"${policy}";q=${limit};w=${windowSeconds}`

const limitItem = ({ policy, remaining, resetSeconds }: Standing): string => `"${policy}";r=${remaining};t=${resetSeconds}`
