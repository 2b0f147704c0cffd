import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import { type JsonObject } from "../../engine/text/JsonObject.ts"
import { mapValues, plainSchemas } from "../api/ContractShape.ts"
import { documentedOperation } from "../api/Contract.ts"
import { DOCUMENTED } from "../api/Documented.ts"
import { addresses } from "../config/Settings.ts"
import { adminApi } from "./api/AdminApi.ts"

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
export const documentHandlers = HttpApiBuilder.group(
  adminApi,
  "document",
  Effect.fnUntraced(function* (handlers) {
    const { base } = yield* addresses
    // JSON leaves out undefined members of the derived document.
    const document = yield* Effect.orDie(asJson(JSON.parse(JSON.stringify(adminDocument(base)))))
    return handlers.handle("readDocument", () => Effect.succeed(document))
  })
)
