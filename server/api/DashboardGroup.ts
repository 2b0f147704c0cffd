import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Dashboard, DashboardWarming } from "./Dashboards.ts"
import { BadRequest, Forbidden, NotFound, storeErrors } from "./Errors.ts"
import { retryAfter } from "./Headers.ts"
import { textParameter, wordParameter } from "./Parameters.ts"

const getDashboard = HttpApiEndpoint.get("getDashboard", "/api/public/dashboard", {
  query: {
    slug: textParameter("The dashboard's name, as its operator gave it. There is no list of them.", { example: "acme-docs", shortest: 1, longest: 200 }),
    bucket: Schema.optionalKey(wordParameter(["30d", "90d", "12m"], "90d", "The span that the figures cover."))
  },
  success: [Dashboard, HttpApiSchema.WithHeaders(DashboardWarming.pipe(HttpApiSchema.status(202)), { "retry-after": retryAfter })],
  error: [BadRequest, Forbidden, NotFound, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Read a dashboard",
  description: "The widgets that an operator put together, with their figures. 202 while the figures are being put together: ask again after `Retry-After` seconds."
}))

/** GET /api/public/dashboard. */
export const dashboardGroup = HttpApiGroup.make("dashboards", { topLevel: true })
  .add(getDashboard)
  .annotateMerge(OpenApi.annotations({ title: "Dashboards", description: "Reading what operators put together." }))
