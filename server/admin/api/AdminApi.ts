import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAccess, adminErrors, AdminInputCheck } from "./AdminErrors.ts"
import { dashboardsGroup } from "./DashboardsGroup.ts"
import { logGroup } from "./LogGroup.ts"
import { quotasGroup } from "./QuotasGroup.ts"
import { queueGroup, runsGroup } from "./RunsGroup.ts"
import { schedulesGroup } from "./SchedulesGroup.ts"
import { sitesGroup } from "./SitesGroup.ts"

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
