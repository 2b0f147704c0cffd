import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Limits } from "../../engine/limit/Limits.ts"
import { api } from "../api/Api.ts"
import { Clients } from "./Clients.ts"
import { Dashboards } from "./Dashboards.ts"
import { makeRation } from "./Rationed.ts"
import { orUnavailable } from "./Unavailability.ts"

/** Putting figures together takes moments. */
const WARMING_SECONDS = "2"

const warming = HttpApiSchema.withHeaders({ body: { status: "warming" as const }, headers: { "retry-after": WARMING_SECONDS } })

/** GET /api/public/dashboard. */
export const dashboardHandlers = HttpApiBuilder.group(api, "dashboards", Effect.fnUntraced(function*(handlers) {
  const dashboards = yield* Dashboards
  const limits = yield* Limits
  const ration = makeRation(yield* Clients, limits.poll)
  return handlers.handleAll({
    getDashboard: ({ query: { bucket = "90d", slug }, request }) =>
      ration(request, Effect.map(orUnavailable(dashboards.read(slug, bucket)), (dashboard) => dashboard ?? warming))
  })
}))
