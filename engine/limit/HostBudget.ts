import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../store/RunStore.ts"
import type { LimitStore } from "./LimitStore.ts"
import type { Rate } from "./RateSpec.ts"
import { type Standing, standingOf, UNLIMITED, type Verdict, verdictOf } from "./Verdict.ts"

/** Requests to one registrable domain, whoever asked, so that many addresses of one site cannot be used against it. */
export interface HostBudget {
  /** Sets aside what one audit of the domain may need. */
  readonly reserve: (domain: string) => Effect.Effect<Verdict, StoreUnavailable>
  /** Notes for which run it was set aside. */
  readonly assign: (domain: string, runId: string) => Effect.Effect<void, StoreUnavailable>
  /** How the domain stands; `null` where there is no budget. Takes nothing. */
  readonly look: (domain: string) => Effect.Effect<Standing | null, StoreUnavailable>
  /** Gives the domain its whole budget back. */
  readonly reset: (domain: string) => Effect.Effect<void, StoreUnavailable>
  /** The run is over and took `requests`: what it did not need is given back, what it took beyond is taken. Once for each run. */
  readonly settle: (runId: string, requests: number) => Effect.Effect<void, StoreUnavailable>
}

/** The requests of one audit, at most. */
export const AUDIT_REQUESTS = 200

export const makeHostBudget = (rate: Rate | null, store: LimitStore["Service"]): HostBudget => {
  const bucketOf = (domain: string): string => `host ${domain}`
  const reset = (domain: string) => store.fill(bucketOf(domain))
  if (rate === null) {
    return { reserve: () => Effect.succeed(UNLIMITED), assign: () => Effect.void, settle: () => Effect.void, look: () => Effect.succeed(null), reset }
  }
  // A budget below one audit's lets one through whenever it is whole.
  const amount = Math.min(AUDIT_REQUESTS, rate.amount)
  return {
    reserve: (domain) => Effect.map(store.take(bucketOf(domain), amount, rate), (taking) => verdictOf("host", rate, amount, taking)),
    assign: (domain, runId) => store.reserve(runId, bucketOf(domain), amount),
    settle: (runId, requests) => store.settle(runId, requests, rate),
    look: (domain) => Effect.map(store.look(bucketOf(domain)), (level) => standingOf("host", rate, level)),
    reset
  }
}
