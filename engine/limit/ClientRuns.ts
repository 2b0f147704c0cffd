import { UNLIMITED, type LimitDecision } from "./LimitDecision.ts"

/** `Retry-After` for a client at its maximum number of runs: most audits take less. */
export const RUNS_RETRY_SECONDS = 30

/** Maximum number of unfinished runs of one client network, so that one client cannot fill the queue. */
export const clientRunsVerdict = (limit: number | null, underWay: number): LimitDecision => {
  if (limit === null) return UNLIMITED
  const standing = { policy: "runs", limit, windowSeconds: RUNS_RETRY_SECONDS, remaining: Math.max(0, limit - underWay) } as const
  if (underWay < limit) return { _tag: "Allowed", standing: { ...standing, resetSeconds: 0 } }
  return {
    _tag: "Refusal",
    code: "rate_limited",
    standing: { ...standing, resetSeconds: RUNS_RETRY_SECONDS },
    retryAfter: RUNS_RETRY_SECONDS,
    runId: null
  }
}
