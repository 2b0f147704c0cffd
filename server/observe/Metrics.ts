import * as Metric from "effect/Metric"

/*
 * What this process counts of itself; of its audits the scheduler does (engine/schedule/AuditMetrics.ts). Times are in seconds. Labels have few values each, and none that comes from
 * outside.
 */

export const queueDepth = Metric.gauge("docgauge_queue_depth", { description: "Accepted audits that have not begun, 1000 at most." })

export const queueAge = Metric.gauge("docgauge_queue_oldest_seconds", { description: "For how long the oldest of them has waited." })

/** Refused requests. `policy`: the limit. */
export const refusals = Metric.counter("docgauge_limit_refusals_total", { description: "Requests that a limit refused.", incremental: true })

/** `operation`: the method of the store. */
export const storeDuration = Metric.histogram("docgauge_store_duration_seconds", {
  description: "How long the store took.",
  boundaries: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5]
})

/** Store operations that could not be carried out. */
export const storeFailures = Metric.counter("docgauge_store_failures_total", { description: "Operations that the store could not carry out.", incremental: true })

/** `quantile`: 0.5, 0.99 or 1. */
export const eventLoopDelay = Metric.gauge("docgauge_event_loop_delay_seconds", { description: "Delay of the event loop since it was read last." })

/** Answers. `status`: the class, such as `2xx`. */
export const answers = Metric.counter("docgauge_http_responses_total", { description: "Answers, by method and class of status.", incremental: true })

/** `reason`: `invalid`, `no_role` or `read_only`. */
export const adminRefusals = Metric.counter("docgauge_admin_refusals_total", { description: "Tokens that the admin API refused.", incremental: true })
