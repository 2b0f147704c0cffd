import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { Limits } from "../../engine/limit/Limits.ts"
import type { Policy, LimitDecision } from "../../engine/limit/LimitDecision.ts"
import { refusals } from "./Metrics.ts"

const counters: Readonly<Record<Policy, typeof refusals>> = {
  submit: Metric.withAttributes(refusals, { policy: "submit" }),
  poll: Metric.withAttributes(refusals, { policy: "poll" }),
  browse: Metric.withAttributes(refusals, { policy: "browse" }),
  fix: Metric.withAttributes(refusals, { policy: "fix" }),
  site: Metric.withAttributes(refusals, { policy: "site" }),
  host: Metric.withAttributes(refusals, { policy: "host" }),
  runs: Metric.withAttributes(refusals, { policy: "runs" }),
  network: Metric.withAttributes(refusals, { policy: "network" }),
  plans: Metric.withAttributes(refusals, { policy: "plans" }),
  oauth: Metric.withAttributes(refusals, { policy: "oauth" }),
  mcp: Metric.withAttributes(refusals, { policy: "mcp" }),
  lookup: Metric.withAttributes(refusals, { policy: "lookup" })
}

/** Counts a decision if it is a refusal. */
export const countRefusal = (verdict: LimitDecision): Effect.Effect<void> =>
  verdict._tag === "Refusal" ? Metric.update(counters[verdict.standing.policy], 1) : Effect.void

const noted = <E, R>(verdict: Effect.Effect<LimitDecision, E, R>): Effect.Effect<LimitDecision, E, R> =>
  Effect.tap(verdict, countRefusal)

/** Registers every limit at zero, before anything has been refused. */
const announced: Effect.Effect<void> = Effect.forEach(Object.values(counters), (counter) => Metric.update(counter, 0), {
  discard: true
})

/** Counts refusals. */
export const meteredLimits: Layer.Layer<Limits, never, Limits> = Layer.effect(
  Limits,
  Effect.map(Effect.tap(Limits, announced), (limits) => ({
    ...limits,
    submit: (client) => noted(limits.submit(client)),
    poll: (client) => noted(limits.poll(client)),
    browse: (client) => noted(limits.browse(client)),
    fix: (client) => noted(limits.fix(client)),
    siteQuota: {
      ...limits.siteQuota,
      check: (network, site, isVerified) => noted(limits.siteQuota.check(network, site, isVerified))
    },
    hostBudget: {
      ...limits.hostBudget,
      reserve: (domain, isVerified) => noted(limits.hostBudget.reserve(domain, isVerified))
    },
    clientRuns: (network, underWay) => noted(limits.clientRuns(network, underWay)),
    networkRuns: (bound, underWay) => noted(limits.networkRuns(bound, underWay)),
    clientPlans: (network, underWay) => noted(limits.clientPlans(network, underWay))
  }))
)
