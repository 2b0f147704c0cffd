import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { adminErrors } from "./AdminErrors.ts"

/** GET /api/admin/openapi.json. */
export const documentGroup = HttpApiGroup.make("document", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readDocument", "/api/admin/openapi.json", {
      success: Schema.Record(Schema.String, Schema.Json).annotate({ description: "An OpenAPI 3.1 document." }),
      error: adminErrors
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read this document", description: "This document as OpenAPI 3.1 in JSON." })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Document", description: "This document." }))
