import * as Effect from "effect/Effect"
import { RESERVED_REQUESTS } from "../evidence/AuditBudget.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import { refillMs } from "./Bucket.ts"
import type { LimitStore } from "./LimitStore.ts"
import type { Rate } from "./RateSpec.ts"
import { type LimitStatus, limitStatusOf, UNLIMITED, type LimitDecision, decisionOf } from "./LimitDecision.ts"

/** Requests to one registrable domain, over all clients and URLs. */
export interface HostBudget {
  /**
   * Reserves the requests of one audit of the domain. Of a domain on which a site is verified, what one audit takes is kept for
   * its verified sites.
   */
  readonly reserve: (domain: string, isVerified?: boolean) => Effect.Effect<LimitDecision, StoreUnavailable>
  /** Stores for which run they are reserved. */
  readonly assign: (domain: string, runId: string) => Effect.Effect<void, StoreUnavailable>
  /** The state of the budget; `null` if it is off. Takes no tokens. */
  readonly look: (domain: string) => Effect.Effect<LimitStatus | null, StoreUnavailable>
  /** Refills the domain's budget. */
  readonly reset: (domain: string) => Effect.Effect<void, StoreUnavailable>
  /**
   * The run is over and sent `requests`: returns the unused reservation, or takes what the run used beyond it. Call it once per
   * run.
   */
  readonly settle: (runId: string, requests: number) => Effect.Effect<void, StoreUnavailable>
  /** A site of the domain is verified: keeps it a share of the budget for the next 30 days. */
  readonly keepShare: (domain: string) => Effect.Effect<void, StoreUnavailable>
  /** Whether a share is kept for the verified sites of the domain. */
  readonly keepsShare: (domain: string) => Effect.Effect<boolean, StoreUnavailable>
}

/** A bucket that is empty for so long once it is taken from: it marks domains with verified sites. */
const MARK: Rate = { amount: 1, windowMs: 30 * 86_400_000 }

export const makeHostBudget = (rate: Rate | null, store: LimitStore["Service"]): HostBudget => {
  const bucketOf = (domain: string): string => `host ${domain}`
  const reset = (domain: string) => store.fill(bucketOf(domain))
  if (rate === null) {
    return {
      reserve: () => Effect.succeed(UNLIMITED),
      assign: () => Effect.void,
      settle: () => Effect.void,
      look: () => Effect.succeed(null),
      reset,
      keepShare: () => Effect.void,
      keepsShare: () => Effect.succeed(false)
    }
  }
  // A budget smaller than one audit's permits an audit whenever it is full.
  const amount = Math.min(RESERVED_REQUESTS, rate.amount)
  // What an audit sends beyond a small budget is still paid for.
  const longestMs = Math.max(rate.windowMs, refillMs(RESERVED_REQUESTS, rate))
  // The same refill with less room: the last of the budget is left.
  const unverified = withRoom(rate, Math.max(amount, rate.amount - amount))
  const markOf = (domain: string): string => `verified ${domain}`
  const keepsShare = (domain: string) =>
    Effect.map(store.look(markOf(domain), MARK.windowMs), ({ fullAt, now }) => fullAt > now)
  const rateOf = (domain: string, isVerified: boolean): Effect.Effect<Rate, StoreUnavailable> =>
    isVerified ? Effect.succeed(rate) : Effect.map(keepsShare(domain), (isKept) => (isKept ? unverified : rate))
  return {
    reserve: (domain, isVerified = false) =>
      Effect.flatMap(rateOf(domain, isVerified), (own) =>
        Effect.map(store.take(bucketOf(domain), amount, own, longestMs), (taking) =>
          decisionOf("host", own, amount, taking)
        )
      ),
    // Filled first: a bucket that is still empty cannot be taken from, and its 30 days would not begin again.
    keepShare: (domain) =>
      Effect.asVoid(Effect.andThen(store.fill(markOf(domain)), store.take(markOf(domain), 1, MARK))),
    keepsShare,
    assign: (domain, runId) => store.reserve(runId, bucketOf(domain), amount),
    settle: (runId, requests) => store.settle(runId, requests, rate, longestMs),
    look: (domain) =>
      Effect.map(store.look(bucketOf(domain), longestMs), (level) => limitStatusOf("host", rate, level)),
    reset
  }
}

const withRoom = (rate: Rate, amount: number): Rate => ({
  amount,
  windowMs: Math.round((rate.windowMs * amount) / rate.amount)
})
