import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { LimitDecision, Policy } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import type { Stored } from "../../engine/store/database/StoreUnavailable.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { refusals, storeDuration, storeFailures } from "./Metrics.ts"

/** Measures the duration of a store operation; `operation` is its name. */
const makeTimer = (operation: string) => {
  const duration = Metric.withAttributes(storeDuration, { operation })
  const note = Effect.fnUntraced(function* (startedAt: bigint) {
    yield* Metric.update(duration, Number((yield* Clock.currentTimeNanos) - startedAt) / 1e9)
  })
  return <A>(effect: Stored<A>): Stored<A> =>
    Effect.flatMap(Clock.currentTimeNanos, (startedAt) =>
      Effect.tapError(Effect.ensuring(effect, note(startedAt)), () => Metric.update(storeFailures, 1))
    )
}

const timed = <Args extends ReadonlyArray<unknown>, A>(
  operation: string,
  run: (...args: Args) => Stored<A>
): ((...args: Args) => Stored<A>) => {
  const time = makeTimer(operation)
  return (...args) => time(run(...args))
}

/** Measures every operation of the services that read and write runs. */
export const meteredStore: Layer.Layer<RunStore | RunHistory | Corpus, never, RunStore | RunHistory | Corpus> =
  Layer.mergeAll(
    Layer.effect(
      RunStore,
      Effect.map(Effect.tap(RunStore, Metric.update(storeFailures, 0)), (store) => ({
        accept: timed("accept", store.accept),
        find: timed("find", store.find),
        report: timed("report", store.report),
        latest: timed("latest", store.latest),
        begin: timed("begin", store.begin),
        progress: timed("progress", store.progress),
        finish: timed("finish", store.finish),
        fail: timed("fail", store.fail),
        release: timed("release", store.release),
        isCurrent: timed("is_current", store.isCurrent),
        giveUp: timed("give_up", store.giveUp),
        unfinished: timed("unfinished", store.unfinished),
        waiting: makeTimer("waiting")(store.waiting),
        ping: makeTimer("ping")(store.ping)
      }))
    ),
    Layer.effect(
      RunHistory,
      Effect.map(RunHistory, (history) => ({
        newest: timed("newest", history.newest),
        before: timed("previous_done", history.before),
        newestReliable: timed("newest_reliable", history.newestReliable),
        reliableBefore: timed("reliable_before", history.reliableBefore),
        page: timed("history", history.page),
        judged: timed("judged", history.judged),
        usualDuration: makeTimer("usual_duration")(history.usualDuration)
      }))
    ),
    Layer.effect(
      Corpus,
      Effect.map(Corpus, (corpus) => ({
        summary: makeTimer("summary")(corpus.summary),
        statistics: makeTimer("stats")(corpus.statistics),
        standing: timed("standing", corpus.standing),
        recent: timed("recent", corpus.recent),
        top: timed("top", corpus.top),
        adoption: makeTimer("adoption")(corpus.adoption),
        search: timed("search", corpus.search),
        sites: timed("sites", corpus.sites),
        fold: makeTimer("fold")(corpus.fold)
      }))
    )
  )

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
