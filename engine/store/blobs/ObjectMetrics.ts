import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

export type ObjectOperation = "put" | "get" | "delete"

type ObjectOutcome = "success" | "failure"

const OPERATIONS = ["put", "get", "delete"] as const satisfies ReadonlyArray<ObjectOperation>

const requests = Metric.counter("docgauge_object_requests_total", {
  description: "Requests to the object store, by operation and outcome.",
  incremental: true
})

const waiting = Metric.gauge("docgauge_object_backlog", {
  description: "Archives in the local folder that are not yet in the object store."
})

const ofRequest = (operation: ObjectOperation, outcome: ObjectOutcome) =>
  Metric.withAttributes(requests, { operation, outcome })

export const countObjectRequest = (operation: ObjectOperation, outcome: ObjectOutcome): Effect.Effect<void> =>
  Metric.update(ofRequest(operation, outcome), 1)

export const noteBacklog = (count: number): Effect.Effect<void> => Metric.update(waiting, count)

/** Registers all series at zero, before anything has been counted. */
export const announceObjectMetrics: Effect.Effect<void> = Effect.forEach(
  OPERATIONS.flatMap((operation) => (["success", "failure"] as const).map((outcome) => ofRequest(operation, outcome))),
  (series) => Metric.update(series, 0),
  { discard: true }
)
