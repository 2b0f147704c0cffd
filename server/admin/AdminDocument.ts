import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import { type JsonObject, mapValues, plainSchemas } from "../api/ContractShape.ts"
import { operationShown } from "../api/Contract.ts"
import { DOCUMENTED } from "../api/Documented.ts"
import { addresses } from "../Settings.ts"
import { adminApi } from "./api/AdminApi.ts"

const DESCRIPTION = `What the operators of a docgauge do: put dashboards together, look after runs and sites, limits and the queue, and have sites audited again and again. Not for third parties; it changes without notice.

Every request carries a JSON Web Token as \`Authorization: Bearer …\`, with \`sub\`, \`exp\`, \`aud\` and a \`role\` (or \`roles\`): \`viewer\` may read, \`operator\` may do everything. Every change is written to the log.`

/** The admin API as an OpenAPI 3.1 document, derived from the definitions that are served. */
export const adminDocument = (baseUrl: string): JsonObject => {
  const { components, openapi, paths, tags } = OpenApi.fromApi(adminApi, { includeAnnotationKey: (key) => key === DOCUMENTED })
  return {
    openapi,
    info: { title: "docgauge admin", description: DESCRIPTION, version: "1" },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags,
    paths: mapValues(paths, (item) => mapValues(item, operationShown)),
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } }, schemas: mapValues(components.schemas, plainSchemas) }
  }
}

const asJson = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Json))

/** GET /api/admin/openapi.json. */
export const documentHandlers = HttpApiBuilder.group(adminApi, "document", Effect.fnUntraced(function*(handlers) {
  const { base } = yield* addresses
  // What is undefined in the derived document is left out of JSON.
  const document = yield* Effect.orDie(asJson(JSON.parse(JSON.stringify(adminDocument(base)))))
  return handlers.handle("readDocument", () => Effect.succeed(document))
}))
