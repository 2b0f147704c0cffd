import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Fiber from "effect/Fiber"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Semaphore from "effect/Semaphore"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { RunStore, type WaitingRuns } from "../../engine/store/runs/RunStore.ts"

/*
 * Metrics of a service; those of its audits are in engine/schedule/AuditMetrics.ts. Times are in seconds. Each label has few
 * values, none of them from requests or sites.
 */

/**
 * The values of all metrics of one service, apart from those of others in the same process. Layers that are built together share them, as
 * those of a service and of its traces are.
 */
export const ownMetrics: Layer.Layer<never> = Layer.sync(Metric.MetricRegistry, () => new Map())

const queueDepth = Metric.gauge("docgauge_queue_depth", {
  description: "Accepted audits that have not begun; NaN while the database does not answer."
})

const queueAge = Metric.gauge("docgauge_queue_oldest_seconds", {
  attributes: { unit: "seconds" },
  description: "Waiting time of the oldest audit that has not begun; NaN while the database does not answer."
})

/** Refused requests. `policy`: the limit. */
export const refusals = Metric.counter("docgauge_limit_refusals_total", {
  description: "Requests that a limit refused.",
  incremental: true
})

/** `operation`: the method of the store. */
export const storeDuration = Metric.histogram("docgauge_store_duration_seconds", {
  attributes: { unit: "seconds" },
  description: "Duration of store operations.",
  boundaries: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5]
})

export const storeFailures = Metric.counter("docgauge_store_failures_total", {
  description: "Store operations that failed.",
  incremental: true
})

/** `percentile`: 50, 99 or 100. Not `quantile`: only summaries may have that label. */
const eventLoopDelay = Metric.gauge("docgauge_event_loop_delay_seconds", {
  attributes: { unit: "seconds" },
  description: "Delay of the event loop since the last read."
})

const webhookDeliveries = Metric.counter("docgauge_webhook_deliveries_total", {
  description: "Attempts at deliveries of webhooks by this process, by what came of them.",
  incremental: true
})

const deliveriesThat = (outcome: string) => Metric.withAttributes(webhookDeliveries, { outcome })

/** By the outcome of an attempt. */
export const webhookDeliveryCounters = {
  Delivered: deliveriesThat("delivered"),
  Later: deliveriesThat("retried"),
  Failed: deliveriesThat("failed"),
  Dropped: deliveriesThat("dropped"),
  Unsent: deliveriesThat("unsent")
}

/** Responses. `status`: the class, such as `2xx`. */
const answers = Metric.counter("docgauge_http_responses_total", {
  description: "Responses by method and status class.",
  incremental: true
})

/** `reason`: `invalid`, `no_role` or `read_only`. */
export const adminRefusals = Metric.counter("docgauge_admin_refusals_total", {
  description: "Tokens that the admin API refused.",
  incremental: true
})

/** `group`: what was asked for, one of few. */
const httpDuration = Metric.histogram("docgauge_http_duration_seconds", {
  attributes: { unit: "seconds" },
  description: "Time to the response, by what was asked for. A synchronous POST /audit waits for its report.",
  boundaries: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]
})

const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "other"]

/** By method and status class: attributes are bound once, since every response is counted. */
const counters = new Map(
  METHODS.map((method) => [
    method,
    [1, 2, 3, 4, 5].map((first) => Metric.withAttributes(answers, { method, status: `${first}xx` }))
  ])
)

/** By the beginning of the path; the first that fits. */
const GROUPS = [
  ["audit", /^\/audit(?:\/|$)/],
  ["mcp", /^\/mcp(?:\/|$)/],
  ["api", /^\/api\//],
  ["operator", /^\/(?:metrics|healthz)(?:\/|$)/],
  ["page", /^/]
] as const

const durations = GROUPS.map(([group, pattern]) => ({
  pattern,
  duration: Metric.withAttributes(httpDuration, { group })
}))

/** Counts a response by method and status class, and the time that it took by what was asked for. */
export const answerCounter = Effect.contextWith((service: Context.Context<never>) =>
  Effect.succeed((method: string, path: string, status: number, seconds: number): void => {
    ;(counters.get(method) ?? counters.get("other"))?.[Math.floor(status / 100) - 1]?.updateUnsafe(1, service)
    durations.find(({ pattern }) => pattern.test(path))?.duration.updateUnsafe(seconds, service)
  })
)

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
