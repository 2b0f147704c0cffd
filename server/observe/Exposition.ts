import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Semaphore from "effect/Semaphore"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { RunStore, type WaitingRuns } from "../../engine/store/runs/RunStore.ts"
import { eventLoopDelay, queueAge, queueDepth } from "./Metrics.ts"

/** How long the queue is looked at: Prometheus waits ten seconds, and the other metrics tell what is wrong with the database. */
const QUEUE_TIMEOUT = "1 second"

/**
 * A read of the database that fails after `limit`, one at a time. The end of an interrupted statement is not awaited: SQLite's has none while
 * its disk stalls. Until then, there is no other.
 */
export const makeDatabaseCheck = <A, E>(
  read: Effect.Effect<A, E>,
  limit: Duration.Input
): Effect.Effect<A, E | Cause.TimeoutError> =>
  Semaphore.makeUnsafe(1)
    .withPermit(read)
    .pipe(
      Effect.forkDetach,
      Effect.flatMap((fiber) => Effect.onInterrupt(Fiber.join(fiber), () => Effect.forkDetach(Fiber.interrupt(fiber)))),
      Effect.timeout(limit)
    )

/** The Prometheus text format of all metrics. */
export class Exposition extends Context.Service<
  Exposition,
  {
    readonly text: Effect.Effect<string>
  }
>()("docgauge/server/Exposition") {
  static readonly layer: Layer.Layer<Exposition, never, RunStore> = Layer.effect(
    Exposition,
    Effect.gen(function* () {
      const store = yield* RunStore
      const delay = yield* Effect.acquireRelease(Effect.sync(watchEventLoop), (watched) =>
        Effect.sync(() => watched.disable())
      )
      const noteQueue = Effect.matchCauseEffect(makeDatabaseCheck(store.waiting, QUEUE_TIMEOUT), {
        onSuccess: noteWaiting,
        onFailure: () => noteUnknown
      })
      return { text: Effect.andThen(Effect.all([noteQueue, noteDelay(delay)]), PrometheusMetrics.format()) }
    })
  )
}

const noteWaiting = Effect.fnUntraced(function* ({ count, oldest }: WaitingRuns) {
  const now = yield* Clock.currentTimeMillis
  yield* Metric.update(queueDepth, count)
  yield* Metric.update(queueAge, oldest === null ? 0 : Math.max(0, now - Date.parse(oldest)) / 1_000)
})

/** The last values would say that the queue is as it was. */
const noteUnknown = Effect.andThen(Metric.update(queueDepth, Number.NaN), Metric.update(queueAge, Number.NaN))

type Delay = ReturnType<typeof monitorEventLoopDelay>

const watchEventLoop = (): Delay => {
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  return histogram
}

const PERCENTILES = [50, 99, 100].map((percentile) => ({
  percentile,
  gauge: Metric.withAttributes(eventLoopDelay, { percentile: String(percentile) })
}))

/** Event loop delays since the last read. */
const noteDelay = Effect.fnUntraced(function* (histogram: Delay) {
  for (const { gauge, percentile } of PERCENTILES) {
    yield* Metric.update(gauge, histogram.count === 0 ? 0 : histogram.percentile(percentile) / 1e9)
  }
  histogram.reset()
})
