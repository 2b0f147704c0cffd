import { type LimitDecision, type Policy, UNLIMITED } from "./LimitDecision.ts"
import { timesOf } from "./SharedKey.ts"
import { widerNetworks } from "./WiderNetworks.ts"

/** `Retry-After` for a client at its maximum number of runs: most audits take less. */
export const RUNS_RETRY_SECONDS = 30

/** The maximum number of unfinished runs of all clients in a wider network. */
export interface NetworkBound {
  /** In CIDR notation: `198.51.0.0/16`. */
  readonly network: string
  readonly limit: number
}

/**
 * The bounds of the wider networks of a client network, the widest first, so that one client with many networks cannot fill the
 * queue. `limit` is that of an IPv4 /16 or IPv6 /48, which may always have as many as one client network in it (`clientRuns`, or its
 * multiple).
 */
export const networkBounds = (
  limit: number | null,
  clientRuns: number | null,
  network: string
): ReadonlyArray<NetworkBound> => {
  if (limit === null) return []
  const share = Math.max(limit, (clientRuns ?? 0) * timesOf(network))
  return widerNetworks(network).map(({ name, shares }) => ({ network: name, limit: shares * share }))
}

/** Whether there may be another run of a wider network with `underWay` unfinished ones. */
export const networkRunsVerdict = ({ limit, network }: NetworkBound, underWay: number): LimitDecision => {
  const verdict = underWayVerdict("network", limit, underWay, RUNS_RETRY_SECONDS)
  return verdict._tag === "Refusal" ? { ...verdict, network } : verdict
}

/** `Retry-After` for a client at its maximum number of plans: most are made in less. */
const PLANS_RETRY_SECONDS = 20

/** Maximum number of plans of one client network that wait or are made, unless it is shared: one is made at a time for all clients. */
export const CLIENT_PLANS = 2

/** Maximum number of unfinished runs of one client network, so that one client cannot fill the queue. */
export const clientRunsVerdict = (limit: number | null, underWay: number): LimitDecision =>
  underWayVerdict("runs", limit, underWay, RUNS_RETRY_SECONDS)

/** Maximum number of unfinished plans of one client network, so that one client cannot take every place. */
export const clientPlansVerdict = (limit: number | null, underWay: number): LimitDecision =>
  underWayVerdict("plans", limit, underWay, PLANS_RETRY_SECONDS)

const underWayVerdict = (
  policy: Policy,
  limit: number | null,
  underWay: number,
  retrySeconds: number
): LimitDecision => {
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
