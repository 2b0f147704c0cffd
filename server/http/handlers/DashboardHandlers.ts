import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { api } from "../../api/Api.ts"
import { Dashboards } from "../../dashboards/Dashboards.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import { orUnavailable } from "../errors/Unavailability.ts"

/** Seconds until a client should retry: computing the figures takes a moment. */
const WARMING_SECONDS = "2"

const warming = HttpApiSchema.withHeaders({
  body: { status: "warming" as const },
  headers: { "retry-after": WARMING_SECONDS }
})

/** GET /api/public/dashboard. */
export const dashboardHandlers = isolatedGroup(
  Effect.gen(function* () {
    const dashboards = yield* Dashboards
    return HttpApiBuilder.group(api, "dashboards", (handlers) =>
      handlers.handleAll({
        getDashboard: ({ query: { bucket = "90d", slug } }) =>
          Effect.map(orUnavailable(dashboards.read(slug, bucket)), (dashboard) => dashboard ?? warming)
      })
    )
  })
)
