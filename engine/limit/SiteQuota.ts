import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { LimitStore } from "./LimitStore.ts"
import { type Rate, rateFor } from "./RateSpec.ts"
import { type LimitDecision, type LimitStatus, UNLIMITED } from "./LimitDecision.ts"

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
