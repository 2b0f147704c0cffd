import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { DOCUMENTED, flagParameter, instant, runId, runIdParameter } from "../../api/Parameters.ts"
import { BadRequest, Unprocessable } from "../../api/Errors.ts"
import { adminErrors, Conflict, Malformed, Missing } from "./AdminErrors.ts"
import { nextCursor, pageParameters, siteParameter } from "./Described.ts"

const STATUSES = ["pending", "running", "done", "error"] as const

/** A run as operators see it. */
export const ManagedRunBody = Schema.Struct({
  run_id: runId,
  status: Schema.Literals(STATUSES).annotate({ description: "State of the run." }),
  base_url: Schema.String.annotate({ description: "URL of the audited site." }),
  site: Schema.String.annotate({ description: "Host form of the site." }),
  domain: Schema.String.annotate({ description: "Registrable domain of the site." }),
  started_at: instant("When the run was accepted."),
  begun_at: Schema.NullOr(instant("Start of the last attempt.")),
  finished_at: Schema.NullOr(instant("When the run ended.")),
  as_agents: Schema.Boolean.annotate({ description: "Whether the site's owner asked what named agents are served." }),
  attempts: Schema.Int.annotate({ description: "Number of attempts." }),
  worker: Schema.NullOr(Schema.String).annotate({ description: "The process that audits it." }),
  total_score: Schema.NullOr(Schema.Int).annotate({ description: "The score, out of 100." }),
  reliable: Schema.NullOr(Schema.Boolean).annotate({ description: "Whether the score can be relied on." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why the run failed." }),
  hidden: Schema.Boolean.annotate({ description: "Whether the run is hidden from the corpus." })
}).annotate({ identifier: "ManagedRun", description: "A run with the details for operators." })
export type ManagedRunBody = typeof ManagedRunBody.Type

const RunPage = Schema.Struct({
  runs: Schema.Array(ManagedRunBody).annotate({ description: "Newest first." }),
  next_cursor: nextCursor
}).annotate({ identifier: "RunPage" })

/** A request for an audit. */
const WantedAudit = Schema.Struct({
  base_url: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
    description: "Root URL of the documentation site; `http:` and ports from 1024 are also allowed."
  })
}).annotate({ identifier: "WantedAudit" })

const AdmittedBody = Schema.Struct({
  run_id: runId,
  joined: Schema.Boolean.annotate({ description: "Whether the run already existed." })
}).annotate({ identifier: "Admitted" })

const params = { id: runIdParameter("The run.") }
const errors = [Malformed, Missing, ...adminErrors] as const
const admitted = AdmittedBody.pipe(HttpApiSchema.status(202))
const submitErrors = [Malformed, BadRequest, Unprocessable, ...adminErrors] as const

const status = Schema.Literals(STATUSES).annotate({
  [DOCUMENTED]: { type: "string", enum: [...STATUSES], description: "Only runs with this status.", example: "running" }
})

const endpoints = [
  HttpApiEndpoint.get("listRuns", "/api/admin/runs", {
    query: {
      site: Schema.optionalKey(siteParameter),
      status: Schema.optionalKey(status),
      hidden: Schema.optionalKey(flagParameter("`true`: only hidden runs; `false`: only visible runs.")),
      ...pageParameters("Runs")
    },
    success: RunPage,
    error: [Malformed, ...adminErrors]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List runs",
      description: "Lists runs of all sites, or of one site and everything below it."
    })
  ),

  HttpApiEndpoint.post("submitRun", "/api/admin/runs", {
    payload: WantedAudit,
    success: admitted,
    error: submitErrors
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Audit a site",
      description: "Ignores limits and recent reports. If an audit of the site is running, the request joins it."
    })
  ),

  HttpApiEndpoint.post("auditAgain", "/api/admin/runs/:id/audit", {
    params,
    success: admitted,
    error: [...submitErrors, Missing]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Audit a run's site again",
      description: "Audits the same URL with the current rubric."
    })
  ),

  HttpApiEndpoint.post("hideRun", "/api/admin/runs/:id/hide", {
    params,
    success: ManagedRunBody,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Hide a run",
      description: "Removes the run from figures, history and cached reports. It can still be read by its id."
    })
  ),

  HttpApiEndpoint.post("showRun", "/api/admin/runs/:id/show", {
    params,
    success: ManagedRunBody,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({ summary: "Show a run again", description: "Adds a hidden run to figures and history again." })
  ),

  HttpApiEndpoint.delete("deleteRun", "/api/admin/runs/:id", {
    params,
    success: HttpApiSchema.NoContent,
    error: [...errors, Conflict]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Delete a run",
      description:
        "Permanently deletes the run with its report, facts, figures and archive. A running audit cannot be deleted: wait until it ends, or block its site."
    })
  )
] as const

/** /api/admin/runs. */
export const runsGroup = HttpApiGroup.make("managedRuns", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Runs", description: "Managing runs." }))

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

const queueEndpoints = [
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
  .add(...queueEndpoints)
  .annotateMerge(OpenApi.annotations({ title: "Queue", description: "Waiting and running audits." }))
