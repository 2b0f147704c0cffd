import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAccess, adminErrors, AdminInputCheck, Malformed } from "./AdminErrors.ts"
import { dashboardsGroup } from "./DashboardsGroup.ts"
import { quotasGroup } from "./QuotasGroup.ts"
import { queueGroup, runsGroup } from "./RunsGroup.ts"
import { schedulesGroup } from "./SchedulesGroup.ts"
import { sitesGroup } from "./SitesGroup.ts"
import { instant } from "../../api/Parameters.ts"
import { nextCursor, pageParameters } from "./Described.ts"

const inBrief = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

export const LogPage = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      serial: Schema.Int.annotate({ description: "Increases with every entry." }),
      at: instant("Time of the change."),
      who: Schema.String.annotate({
        description: "`sub` of the token, or the part of the service that made the change automatically."
      }),
      action: Schema.String.annotate({ description: "Type of the change.", examples: ["run.hide"] }),
      subject: Schema.String.annotate({ description: "The changed object.", examples: ["docs.example.com"] }),
      before: inBrief("State before the change, abridged."),
      after: inBrief("State after the change, abridged.")
    })
  ).annotate({ description: "Newest first." }),
  next_cursor: nextCursor
}).annotate({ identifier: "LogPage", description: "Changes that operators made." })
export type LogPage = typeof LogPage.Type

const readLog = HttpApiEndpoint.get("readLog", "/api/admin/log", {
  query: pageParameters("Entries"),
  success: LogPage,
  error: [Malformed, ...adminErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read the log",
    description:
      "Every change through this API, and every deletion by the retention rule: who, when, what, and the state before and after. Entries are never deleted."
  })
)

/** GET /api/admin/log. */
const logGroup = HttpApiGroup.make("log", { topLevel: true })
  .add(readLog)
  .annotateMerge(OpenApi.annotations({ title: "Log", description: "Who changed what." }))

/** GET /api/admin/openapi.json. */
const documentGroup = HttpApiGroup.make("document", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readDocument", "/api/admin/openapi.json", {
      success: Schema.Record(Schema.String, Schema.Json).annotate({ description: "An OpenAPI 3.1 document." }),
      error: adminErrors
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read this document", description: "This document as OpenAPI 3.1 in JSON." })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Document", description: "This document." }))

/** The API of operators. It is not part of the public contract, and changes with the console. */
export const adminApi = HttpApi.make("docgauge-admin")
  .add(dashboardsGroup, runsGroup, sitesGroup, schedulesGroup, quotasGroup, queueGroup, logGroup, documentGroup)
  .middleware(AdminInputCheck)
  // The outermost: authenticate before validating the request.
  .middleware(AdminAccess)
