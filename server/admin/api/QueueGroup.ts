import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { instant } from "../../api/Fields.ts"
import { adminErrors } from "./AdminErrors.ts"
import { ManagedRunBody } from "./RunsGroup.ts"

/** The current state of the queue. */
export const QueueState = Schema.Struct({
  paused: Schema.NullOr(
    Schema.Struct({
      by: Schema.String.annotate({ description: "`sub` of the token that paused it." }),
      since: instant("When the queue was paused.")
    })
  ).annotate({ description: "`null` unless the queue is paused." }),
  pending: Schema.Int.annotate({ description: "Waiting runs." }),
  running: Schema.Int.annotate({ description: "Runs being audited." }),
  runs: Schema.Array(ManagedRunBody).annotate({
    description:
      "The oldest 100 waiting and running runs, oldest first. `worker` and `begun_at` name the process and the start of an audit."
  })
}).annotate({ identifier: "QueueState" })
export type QueueState = typeof QueueState.Type

const endpoints = [
  HttpApiEndpoint.get("readQueue", "/api/admin/queue", { success: QueueState, error: adminErrors }).annotateMerge(
    OpenApi.annotations({
      summary: "Read the queue",
      description: "Returns waiting and running runs, and whether the queue is paused."
    })
  ),
  HttpApiEndpoint.post("pauseQueue", "/api/admin/queue/pause", {
    success: QueueState,
    error: adminErrors
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Pause the queue",
      description:
        "No process starts audits until the queue is resumed, not even after a restart. Running audits continue; new audits are accepted and wait."
    })
  ),
  HttpApiEndpoint.post("resumeQueue", "/api/admin/queue/resume", {
    success: QueueState,
    error: adminErrors
  }).annotateMerge(
    OpenApi.annotations({ summary: "Resume the queue", description: "Audits start again within a second." })
  )
] as const

/** /api/admin/queue. */
export const queueGroup = HttpApiGroup.make("queue", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Queue", description: "Waiting and running audits." }))
