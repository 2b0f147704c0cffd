import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { DashboardBody, DashboardWarming } from "./DashboardBody.ts"
import { BadRequest, Forbidden, NotFound, storeErrors } from "./Errors.ts"
import { retryAfter } from "./Headers.ts"
import { textParameter, wordParameter } from "./Parameters.ts"

const getDashboard = HttpApiEndpoint.get("getDashboard", "/api/public/dashboard", {
  query: {
    slug: textParameter("The name of the dashboard, as set by the operator. The API does not list dashboards.", {
      example: "acme-docs",
      shortest: 1,
      longest: 200
    }),
    bucket: Schema.optionalKey(wordParameter(["30d", "90d", "12m"], "90d", "The period that the figures cover."))
  },
  success: [
    DashboardBody,
    HttpApiSchema.WithHeaders(DashboardWarming.pipe(HttpApiSchema.status(202)), { "retry-after": retryAfter })
  ],
  error: [BadRequest, Forbidden, NotFound, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read a dashboard",
    description:
      "The widgets of a dashboard, with their figures. 202 while the figures are being computed: ask again after `Retry-After` seconds."
  })
)

/** GET /api/public/dashboard. */
export const dashboardGroup = HttpApiGroup.make("dashboards", { topLevel: true })
  .add(getDashboard)
  .annotateMerge(OpenApi.annotations({ title: "Dashboards", description: "Reading the dashboards of the operator." }))
