import { type Policy, UNLIMITED, type LimitDecision } from "./LimitDecision.ts"

/** `Retry-After` for a client at its maximum number of runs: most audits take less. */
export const RUNS_RETRY_SECONDS = 30

/** `Retry-After` for a client at its maximum number of plans: most are made in less. */
const PLANS_RETRY_SECONDS = 20

/** Maximum number of plans of one client network that wait or are made, unless it is shared: one is made at a time for all clients. */
export const CLIENT_PLANS = 2

/** Maximum number of unfinished runs of one client network, so that one client cannot fill the queue. */
export const clientRunsVerdict = (limit: number | null, underWay: number): LimitDecision => underWayVerdict("runs", limit, underWay, RUNS_RETRY_SECONDS)

/** Maximum number of unfinished plans of one client network, so that one client cannot take every place. */
export const clientPlansVerdict = (limit: number | null, underWay: number): LimitDecision => underWayVerdict("plans", limit, underWay, PLANS_RETRY_SECONDS)

const underWayVerdict = (policy: Policy, limit: number | null, underWay: number, retrySeconds: number): LimitDecision => {
  if (limit === null) return UNLIMITED
  const standing = { policy, limit, windowSeconds: retrySeconds, remaining: Math.max(0, limit - underWay) }
  if (underWay < limit) return { _tag: "Allowed", standing: { ...standing, resetSeconds: 0 } }
  return {
    _tag: "Refusal",
    code: "rate_limited",
    standing: { ...standing, resetSeconds: retrySeconds },
    retryAfter: retrySeconds,
    runId: null
  }
}
