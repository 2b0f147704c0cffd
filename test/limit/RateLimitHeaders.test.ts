import { describe, expect, it } from "vitest"
import { type LimitStatus, rateLimitHeaders, UNLIMITED } from "../../engine/limit/LimitDecision.ts"

const standing: LimitStatus = { policy: "poll", limit: 30, windowSeconds: 30, remaining: 12, resetSeconds: 18 }

describe("rate limit headers", () => {
  it("state what is left", () => {
    expect(rateLimitHeaders({ _tag: "Allowed", standing })).toEqual({
      "ratelimit-policy": '"poll";q=30;w=30',
      ratelimit: '"poll";r=12;t=18'
    })
  })

  it("tell a refused client when to retry", () => {
    const refusal = {
      _tag: "Refusal",
      code: "rate_limited",
      standing: { ...standing, remaining: 0, resetSeconds: 1 },
      retryAfter: 1,
      runId: null
    } as const
    expect(rateLimitHeaders(refusal)).toEqual({
      "ratelimit-policy": '"poll";q=30;w=30',
      ratelimit: '"poll";r=0;t=1',
      "retry-after": "1"
    })
  })

  it("omit a limit that is off", () => expect(rateLimitHeaders(UNLIMITED)).toEqual({}))
})
