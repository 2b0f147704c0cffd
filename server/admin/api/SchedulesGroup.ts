import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { instant, runIdParameter } from "../../api/Parameters.ts"
import { BadRequest, Unprocessable } from "../../api/Errors.ts"
import { adminErrors, Conflict, Malformed, Missing } from "./AdminErrors.ts"
import { nextCursor, pageParameters } from "./Described.ts"

const every = Schema.String.check(Schema.isPattern(/^(?:[1-9]\d{0,3}h|[1-9]\d{0,2}d)$/)).annotate({
  description: "Interval between audits in hours or days, at least `1h`.",
  examples: ["24h", "7d"]
})

/** A site that is audited regularly. */
export const Schedule = Schema.Struct({
  id: Schema.String.annotate({ description: "Identifier of the schedule.", format: "uuid" }),
  base_url: Schema.String.annotate({ description: "URL of the audited site." }),
  every,
  next_at: instant("When the next audit is due."),
  last_at: Schema.NullOr(instant("When the last audit was due.")),
  last_run_id: Schema.NullOr(Schema.String).annotate({ description: "The run of the last audit." }),
  last_problem: Schema.NullOr(Schema.String).annotate({ description: "Why the last audit has no run, or is waiting." })
}).annotate({ identifier: "Schedule" })
export type Schedule = typeof Schedule.Type

const NewSchedule = Schema.Struct({
  base_url: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
    description: "Root URL of the documentation site."
  }),
  every
}).annotate({ identifier: "NewSchedule" })

const ScheduleChange = Schema.Struct({ every }).annotate({ identifier: "ScheduleChange" })

const params = { id: runIdParameter("The schedule.") }
const errors = [Malformed, Missing, ...adminErrors] as const

const endpoints = [
  HttpApiEndpoint.get("listSchedules", "/api/admin/schedules", {
    query: pageParameters("Schedules"),
    success: Schema.Struct({
      schedules: Schema.Array(Schedule).annotate({ description: "Sorted by URL." }),
      next_cursor: nextCursor
    }).annotate({ identifier: "SchedulePage" }),
    error: [Malformed, ...adminErrors]
  }).annotateMerge(
    OpenApi.annotations({ summary: "List schedules", description: "Sites that are audited regularly." })
  ),

  HttpApiEndpoint.post("createSchedule", "/api/admin/schedules", {
    payload: NewSchedule,
    success: Schedule.pipe(HttpApiSchema.status(201)),
    error: [Malformed, BadRequest, Unprocessable, Conflict, ...adminErrors]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Audit a site regularly",
      description:
        "The first audit is due at once. Missed times are skipped. A recent report or a running audit counts as the audit, and the budget of the domain applies."
    })
  ),

  HttpApiEndpoint.get("readSchedule", "/api/admin/schedules/:id", {
    params,
    success: Schedule,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Read a schedule",
      description: "Returns the schedule and the result of its last audit."
    })
  ),

  HttpApiEndpoint.put("changeSchedule", "/api/admin/schedules/:id", {
    params,
    payload: ScheduleChange,
    success: Schedule,
    error: errors
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Change a schedule",
      description: "The next audit is due one new interval after the last audit."
    })
  ),

  HttpApiEndpoint.delete("deleteSchedule", "/api/admin/schedules/:id", {
    params,
    success: HttpApiSchema.NoContent,
    error: errors
  }).annotateMerge(OpenApi.annotations({ summary: "Delete a schedule", description: "Its runs are kept." }))
] as const

/** /api/admin/schedules. */
export const schedulesGroup = HttpApiGroup.make("schedules", { topLevel: true })
  .add(...endpoints)
  .annotateMerge(OpenApi.annotations({ title: "Schedules", description: "Sites that are audited regularly." }))
