import { UNLIMITED, type Verdict } from "./Verdict.ts"

/** How long a client that has as many runs as it may is told to wait: most audits take less. */
export const RUNS_RETRY_SECONDS = 30

/** Runs of one client network that may wait or run at the same time, so that one client cannot fill the queue. */
export const clientRunsVerdict = (limit: number | null, underWay: number): Verdict => {
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
