import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { RunStore, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import { storeDuration, storeFailures } from "./Metrics.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** Times an operation of the store; `operation` is its name. */
const makeTimer = (operation: string) => {
  const duration = Metric.withAttributes(storeDuration, { operation })
  const note = Effect.fnUntraced(function*(startedAt: bigint) {
    yield* Metric.update(duration, Number((yield* Clock.currentTimeNanos) - startedAt) / 1e9)
  })
  return <A>(effect: Stored<A>): Stored<A> =>
    Effect.flatMap(Clock.currentTimeNanos, (startedAt) =>
      Effect.tapError(Effect.ensuring(effect, note(startedAt)), () => Metric.update(storeFailures, 1)))
}

const timed = <Args extends ReadonlyArray<unknown>, A>(operation: string, run: (...args: Args) => Stored<A>): (...args: Args) => Stored<A> => {
  const time = makeTimer(operation)
  return (...args) => time(run(...args))
}

/** Times every operation of the store. */
export const meteredStore: Layer.Layer<RunStore, never, RunStore> = Layer.effect(
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
    history: timed("history", store.history),
    previousDone: timed("previous_done", store.previousDone),
    summary: makeTimer("summary")(store.summary),
    top: timed("top", store.top),
    stats: makeTimer("stats")(store.stats),
    search: timed("search", store.search),
    ping: makeTimer("ping")(store.ping)
  }))
)
