import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { configuredDatabase } from "../../engine/store/Database.ts"
import { AdminLog } from "../../engine/store/operators/AdminLog.ts"
import type { JsonObject } from "../../engine/text/JsonText.ts"
import { documentedOperation, mapValues, plainSchemas } from "../api/Contract.ts"
import { DOCUMENTED } from "../api/Parameters.ts"
import { addresses } from "../config/Settings.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { accessLayer, layerAdminInput } from "./AccessLayer.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminOptions } from "./AdminTokens.ts"
import { adminApi, type LogPage } from "./api/AdminApi.ts"
import { Malformed } from "./api/AdminErrors.ts"
import { cursorNumber } from "./api/Described.ts"
import { dashboardsHandlers } from "./DashboardsHandlers.ts"
import { quotasHandlers } from "./QuotasHandlers.ts"
import { RunDeletion } from "./RunDeletion.ts"
import { queueHandlers, runsHandlers } from "./RunsHandlers.ts"
import { schedulesHandlers } from "./SchedulesHandlers.ts"
import { sitesHandlers } from "./SitesHandlers.ts"

const DESCRIPTION = `The API for operators of a docgauge service: create dashboards, manage runs, sites, limits and the queue, and schedule audits. It is not for third parties, and can change without notice.

Every request carries a JSON Web Token as \`Authorization: Bearer …\`, with \`sub\`, \`exp\`, \`aud\` and a \`role\` (or \`roles\`): \`viewer\` may read, \`operator\` may do everything. Every change is logged.`

/** The admin API as an OpenAPI 3.1 document, derived from the definitions that are served. */
export const adminDocument = (baseUrl: string): JsonObject => {
  const { components, openapi, paths, tags } = OpenApi.fromApi(adminApi, {
    includeAnnotationKey: (key) => key === DOCUMENTED
  })
  return {
    openapi,
    info: { title: "docgauge admin", description: DESCRIPTION, version: "1" },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags,
    paths: mapValues(paths, (item) => mapValues(item, documentedOperation)),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: mapValues(components.schemas, plainSchemas)
    }
  }
}

const asJson = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Json))

/** GET /api/admin/openapi.json. */
const documentHandlers = HttpApiBuilder.group(
  adminApi,
  "document",
  Effect.fnUntraced(function* (handlers) {
    const { base } = yield* addresses
    // JSON leaves out undefined members of the derived document.
    const document = yield* Effect.orDie(asJson(JSON.parse(JSON.stringify(adminDocument(base)))))
    return handlers.handle("readDocument", () => Effect.succeed(document))
  })
)

/** Default number of entries per page. */
const PAGE = 50

/** GET /api/admin/log. */
const logHandlers = HttpApiBuilder.group(
  adminApi,
  "log",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* AdminLog
    return handlers.handle(
      "readLog",
      Effect.fnUntraced(function* ({ query: { cursor, limit = PAGE } }) {
        const before = cursor === undefined ? null : cursorNumber(cursor)
        if (before === null && cursor !== undefined)
          return yield* new Malformed({ error: "query.cursor: use the next_cursor of a page" })
        const entries = yield* orUnavailable(log.page(before, limit + 1))
        const page = entries.slice(0, limit)
        const body: LogPage = {
          entries: page,
          next_cursor: entries.length > limit ? String(page.at(-1)?.serial ?? "") : ""
        }
        return body
      })
    )
  })
)

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
