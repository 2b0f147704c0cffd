import * as Effect from "effect/Effect"
import { AUDIT_REQUESTS } from "../evidence/AuditBudget.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { LimitStore } from "./LimitStore.ts"
import type { Rate } from "./RateSpec.ts"
import { type LimitStatus, limitStatusOf, UNLIMITED, type LimitDecision, decisionOf } from "./LimitDecision.ts"

/** Requests to one registrable domain, over all clients and URLs. */
export interface HostBudget {
  /** Reserves the requests of one audit of the domain. */
  readonly reserve: (domain: string) => Effect.Effect<LimitDecision, StoreUnavailable>
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
}

export const makeHostBudget = (rate: Rate | null, store: LimitStore["Service"]): HostBudget => {
  const bucketOf = (domain: string): string => `host ${domain}`
  const reset = (domain: string) => store.fill(bucketOf(domain))
  if (rate === null) {
    return { reserve: () => Effect.succeed(UNLIMITED), assign: () => Effect.void, settle: () => Effect.void, look: () => Effect.succeed(null), reset }
  }
  // A budget smaller than one audit's permits an audit whenever it is full.
  const amount = Math.min(AUDIT_REQUESTS, rate.amount)
  return {
    reserve: (domain) => Effect.map(store.take(bucketOf(domain), amount, rate), (taking) => decisionOf("host", rate, amount, taking)),
    assign: (domain, runId) => store.reserve(runId, bucketOf(domain), amount),
    settle: (runId, requests) => store.settle(runId, requests, rate),
    look: (domain) => Effect.map(store.look(bucketOf(domain)), (level) => limitStatusOf("host", rate, level)),
    reset
  }
}
