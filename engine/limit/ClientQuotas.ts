import ipaddr from "ipaddr.js"
import { isIPv4 } from "node:net"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { type LimitDecision, type LimitStatus, type Policy, UNLIMITED } from "./LimitDecision.ts"
import { type Rate, rateFor, timesOf } from "./LimitSettings.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { LimitStore } from "./LimitStore.ts"

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

/** A network that a client network is part of. */
interface WiderNetwork {
  /** In CIDR notation: `198.51.0.0/16`, `2001:db8:1::/48`. */
  readonly name: string
  /** How many times the limit of an IPv4 /16 or IPv6 /48 applies to it. */
  readonly shares: number
}

/**
 * How many times the limit of a /48 applies to a /32. Hosters and tunnel brokers give a customer a /48 for nothing, and a second one
 * to anyone who asks; but a /32 is the least that a provider gets, so most of its clients have nothing to do with each other.
 */
export const PROVIDER_SHARES = 3

const [OF_IPV4, OF_IPV6] = [
  [{ bits: 16, shares: 1 }],
  [
    { bits: 32, shares: PROVIDER_SHARES },
    { bits: 48, shares: 1 }
  ]
]

/** The clients of a company, or of a proxy that is not counted in `DOCGAUGE_TRUST_PROXY`, share one of these (names of ipaddr.js). */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "linkLocal",
  "carrierGradeNat",
  "uniqueLocal",
  "deprecatedSiteLocal",
  "unspecified"
])

/** Keys of client networks end so, also those with a factor. */
const NETWORK = /(?:^| )([\d.]+\/24|[\da-f:]+\/56)$/

/**
 * The wider networks of a client network by its key, such as `192.0.2.0/24`, `2001:db8:1:200::/56` or a shared key of one; the widest
 * first. None for networks that are not public, and for keys of anything else.
 */
export const widerNetworks = (key: string): ReadonlyArray<WiderNetwork> => {
  const [, network = ""] = NETWORK.exec(key) ?? []
  const [address = ""] = network.split("/", 1)
  if (address === "" || NOT_PUBLIC.has(ipaddr.parse(address).range())) return []
  const [family, steps] = isIPv4(address) ? ([ipaddr.IPv4, OF_IPV4] as const) : ([ipaddr.IPv6, OF_IPV6] as const)
  return steps.map(({ bits, shares }) => ({
    name: `${family.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`,
    shares
  }))
}

/** The number of audits of one site for one client network in any window. */
export interface SiteQuota {
  /**
   * Whether another audit would be within the quota, or within that of verified sites; a refusal names the run to read instead.
   * Counts nothing.
   */
  readonly check: (
    network: string,
    site: string,
    isVerified?: boolean
  ) => Effect.Effect<LimitDecision, StoreUnavailable>
  /** Counts an accepted run. */
  readonly take: (network: string, site: string, runId: string) => Effect.Effect<void, StoreUnavailable>
  /** The run ended without a report, so it does not count. */
  readonly giveBack: (runId: string) => Effect.Effect<void, StoreUnavailable>
  /** Releases all that counts against the network on the site. */
  readonly reset: (network: string, site: string) => Effect.Effect<void, StoreUnavailable>
  /** The rate for verified sites; `null`: sites cannot be verified, or there is no quota. */
  readonly ofVerified: Rate | null
}

export const makeSiteQuota = (rate: Rate | null, ofVerified: Rate | null, store: LimitStore["Service"]): SiteQuota => {
  const reset = (network: string, site: string) => store.release(holderOf(network, site))
  if (rate === null)
    return {
      check: () => Effect.succeed(UNLIMITED),
      take: () => Effect.void,
      giveBack: store.letGo,
      reset,
      ofVerified: null
    }
  const within = Effect.fnUntraced(function* (
    limit: Rate,
    network: string,
    site: string
  ): Effect.fn.Return<LimitDecision, StoreUnavailable> {
    const { amount } = rateFor(limit, network)
    const { windowMs } = limit
    const { holds, now } = yield* store.holds(holderOf(network, site), windowMs, amount)
    const [newest] = holds
    const oldest = holds[amount - 1]
    const secondsLeft = (takenAt: number): number => Math.max(1, Math.ceil((takenAt + windowMs - now) / 1_000))
    const standing = (resetSeconds: number): LimitStatus => ({
      policy: "site",
      limit: amount,
      windowSeconds: windowMs / 1_000,
      remaining: amount - holds.length,
      resetSeconds
    })
    if (newest === undefined) return { _tag: "Allowed", standing: standing(0) }
    if (oldest === undefined) return { _tag: "Allowed", standing: standing(secondsLeft(newest.takenAt)) }
    const retryAfter = secondsLeft(oldest.takenAt)
    const auditedAgo = Math.max(0, Math.floor((now - newest.takenAt) / 1_000))
    return {
      _tag: "Refusal",
      code: "site_quota",
      standing: standing(retryAfter),
      retryAfter,
      runId: newest.runId,
      auditedAgo
    }
  })
  const check = Effect.fnUntraced(function* (
    network: string,
    site: string,
    isVerified = false
  ): Effect.fn.Return<LimitDecision, StoreUnavailable> {
    const usual = yield* within(rate, network, site)
    if (usual._tag === "Allowed" || !isVerified || ofVerified === null) return usual
    const verified = yield* within(ofVerified, network, site)
    return verified._tag === "Refusal" && verified.retryAfter > usual.retryAfter ? usual : verified
  })
  return {
    check,
    take: (network, site, runId) => store.hold(holderOf(network, site), runId),
    giveBack: store.letGo,
    reset,
    ofVerified
  }
}

/** A digest, which is short enough for an index and does not reveal who audited which site. */
const holderOf = (network: string, site: string): string =>
  createHash("sha256").update(`${network} ${site}`).digest("base64url")
