import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { configuredDatabase } from "../../engine/store/Database.ts"
import { accessLayer } from "./AccessLayer.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { documentHandlers } from "./AdminDocument.ts"
import { adminOptions } from "./AdminSettings.ts"
import { adminApi } from "./api/AdminApi.ts"
import { dashboardsHandlers } from "./DashboardsHandlers.ts"
import { layerAdminInput } from "./InputLayer.ts"
import { logHandlers } from "./LogHandlers.ts"
import { queueHandlers } from "./QueueHandlers.ts"
import { quotasHandlers } from "./QuotasHandlers.ts"
import { RunDeletion } from "./RunDeletion.ts"
import { runsHandlers } from "./RunsHandlers.ts"
import { schedulesHandlers } from "./SchedulesHandlers.ts"
import { sitesHandlers } from "./SitesHandlers.ts"

const handlers = Layer.mergeAll(
  dashboardsHandlers,
  runsHandlers,
  sitesHandlers,
  schedulesHandlers,
  quotasHandlers,
  queueHandlers,
  logHandlers,
  documentHandlers
).pipe(Layer.provide(RunDeletion.layer), Layer.provide(AdminChanges.layer))

/**
 * /api/admin, if a key for its tokens is set. Off without a database, because changes of operators would not last.
 */
export const adminRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const options = yield* adminOptions
    if (options === null) return Layer.empty
    if ((yield* configuredDatabase)._tag === "Memory") {
      yield* Effect.logWarning("The admin API is off: it needs a database, and DOCGAUGE_DATABASE_URL is memory:")
      return Layer.empty
    }
    return HttpApiBuilder.layer(adminApi).pipe(
      Layer.provide(handlers),
      Layer.provide([accessLayer(options), layerAdminInput])
    )
  })
)
