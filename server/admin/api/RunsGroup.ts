import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { clampedParameter, flagParameter, runIdParameter } from "../../api/Parameters.ts"
import { BadRequest, Unprocessable } from "../../api/Errors.ts"
import { adminErrors, Conflict, Malformed, Missing } from "./AdminErrors.ts"
import { cursorParameter, moment, runId, siteParameter } from "./Described.ts"
import { DOCUMENTED } from "../../api/Documented.ts"

const STATUSES = ["pending", "running", "done", "error"] as const

/** A run as operators see it. */
export const ManagedRun = Schema.Struct({
  run_id: runId,
  status: Schema.Literals(STATUSES).annotate({ description: "How far it is." }),
  base_url: Schema.String.annotate({ description: "What is audited." }),
  site: Schema.String.annotate({ description: "Its host form." }),
  domain: Schema.String.annotate({ description: "Its registrable domain." }),
  started_at: moment("When it was accepted."),
  begun_at: Schema.NullOr(moment("When it was begun last.")),
  finished_at: Schema.NullOr(moment("When it was over.")),
  attempts: Schema.Int.annotate({ description: "How often it was begun." }),
  worker: Schema.NullOr(Schema.String).annotate({ description: "The process that audits it." }),
  total_score: Schema.NullOr(Schema.Int).annotate({ description: "Of 100." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why there is no report." }),
  hidden: Schema.Boolean.annotate({ description: "Whether it is kept out of the corpus." })
}).annotate({ identifier: "ManagedRun", description: "A run with what only operators are told." })
export type ManagedRun = typeof ManagedRun.Type

/** A page of runs. */
export const RunPage = Schema.Struct({
  runs: Schema.Array(ManagedRun).annotate({ description: "Newest first." }),
  next_cursor: Schema.String.annotate({ description: "The `cursor` of the next page; empty on the last." })
}).annotate({ identifier: "RunPage" })

/** What is to be audited. */
export const WantedAudit = Schema.Struct({
  base_url: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
    description: "Root address of the documentation site; `http:` and ports from 1024 on are taken as well."
  })
}).annotate({ identifier: "WantedAudit" })

/** The run that audits it. */
export const Admitted = Schema.Struct({
  run_id: runId,
  joined: Schema.Boolean.annotate({ description: "Whether it was under way already." })
}).annotate({ identifier: "Admitted" })

const params = { id: runIdParameter("The run.") }
const errors = [Malformed, Missing, ...adminErrors] as const
const admitted = Admitted.pipe(HttpApiSchema.status(202))
const submitErrors = [Malformed, BadRequest, Unprocessable, ...adminErrors] as const

const status = Schema.Literals(STATUSES).annotate({ [DOCUMENTED]: { type: "string", enum: [...STATUSES], description: "Only runs that are at this.", example: "running" } })

const endpoints = [
  HttpApiEndpoint.get("listRuns", "/api/admin/runs", {
    query: {
      site: Schema.optionalKey(siteParameter),
      status: Schema.optionalKey(status),
      hidden: Schema.optionalKey(flagParameter("`true`: only hidden runs; `false`: only others.")),
      limit: Schema.optionalKey(clampedParameter({ minimum: 1, maximum: 200, fallback: 50, description: "Runs on a page. Values out of range are clamped." })),
      cursor: Schema.optionalKey(cursorParameter("The `next_cursor` of the page before."))
    },
    success: RunPage,
    error: [Malformed, ...adminErrors]
  }).annotateMerge(OpenApi.annotations({ summary: "List runs", description: "Runs of all sites, or of one and everything below it." })),

  HttpApiEndpoint.post("submitRun", "/api/admin/runs", { payload: WantedAudit, success: admitted, error: submitErrors })
    .annotateMerge(OpenApi.annotations({ summary: "Audit a site", description: "Whatever limits and reports of the last minutes stand against it. An audit that is under way is joined." })),

  HttpApiEndpoint.post("auditAgain", "/api/admin/runs/:id/audit", { params, success: admitted, error: [...submitErrors, Missing] })
    .annotateMerge(OpenApi.annotations({ summary: "Audit a run's site again", description: "The same address, under the rubric in force now." })),

  HttpApiEndpoint.post("hideRun", "/api/admin/runs/:id/hide", { params, success: ManagedRun, error: errors })
    .annotateMerge(OpenApi.annotations({ summary: "Hide a run", description: "It counts in no figure and stands in no history any more, and no report of it is replayed. It is still read by its id." })),

  HttpApiEndpoint.post("showRun", "/api/admin/runs/:id/show", { params, success: ManagedRun, error: errors })
    .annotateMerge(OpenApi.annotations({ summary: "Show a run again", description: "It counts again." })),

  HttpApiEndpoint.delete("deleteRun", "/api/admin/runs/:id", { params, success: HttpApiSchema.NoContent, error: [...errors, Conflict] })
    .annotateMerge(OpenApi.annotations({ summary: "Delete a run", description: "With its report, facts, figures and archive, for good. A run that is under way is refused: wait for its end, or block its site." }))
] as const

/** /api/admin/runs. */
export const runsGroup = HttpApiGroup.make("managedRuns", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Runs", description: "Looking after runs." }))
