import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { Stored } from "../../engine/store/database/StoreUnavailable.ts"
import { storeDuration, storeFailures } from "./Metrics.ts"

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
        fold: makeTimer("fold")(corpus.fold)
      }))
    )
  )
