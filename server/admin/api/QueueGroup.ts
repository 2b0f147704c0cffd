import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { adminErrors } from "./AdminErrors.ts"
import { moment } from "./Described.ts"
import { ManagedRun } from "./RunsGroup.ts"

/** The queue as it stands. */
export const QueueState = Schema.Struct({
  paused: Schema.NullOr(Schema.Struct({
    by: Schema.String.annotate({ description: "`sub` of the token that paused it." }),
    since: moment("Since when no audit is begun.")
  })).annotate({ description: "`null` while audits are begun." }),
  pending: Schema.Int.annotate({ description: "Runs that wait." }),
  running: Schema.Int.annotate({ description: "Runs that are being audited." }),
  runs: Schema.Array(ManagedRun).annotate({ description: "The oldest 100 of both, oldest first: `worker` says by whom, `begun_at` since when." })
}).annotate({ identifier: "QueueState" })
export type QueueState = typeof QueueState.Type

const endpoints = [
  HttpApiEndpoint.get("readQueue", "/api/admin/queue", { success: QueueState, error: adminErrors })
    .annotateMerge(OpenApi.annotations({ summary: "Look at the queue", description: "What waits, what runs, and whether anything is begun." })),
  HttpApiEndpoint.post("pauseQueue", "/api/admin/queue/pause", { success: QueueState, error: adminErrors })
    .annotateMerge(OpenApi.annotations({
      summary: "Pause the queue",
      description: "No audit is begun any more, in any process and over restarts, until the queue is resumed. Audits that are running end as they do; new ones are accepted, and wait."
    })),
  HttpApiEndpoint.post("resumeQueue", "/api/admin/queue/resume", { success: QueueState, error: adminErrors })
    .annotateMerge(OpenApi.annotations({ summary: "Resume the queue", description: "Audits are begun again, within a second." }))
] as const

/** /api/admin/queue. */
export const queueGroup = HttpApiGroup.make("queue", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Queue", description: "Audits that wait and run." }))
