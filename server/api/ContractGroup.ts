import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { NotModified } from "./BrowseGroup.ts"
import { DOCUMENTED } from "./Documented.ts"
import { commonErrors } from "./Errors.ts"
import { entityTag, ifNoneMatch } from "./Headers.ts"

const headers = { "if-none-match": Schema.optionalKey(ifNoneMatch) }

const json = Schema.Record(Schema.String, Schema.Json).annotate({ description: "An OpenAPI 3.1 document." })
/** Text for our client; the schema in the document is that of what YAML parsers make of it, as OpenAPI has it. */
const yaml = Schema.String.annotate({
  [DOCUMENTED]: { type: "object", description: "An OpenAPI 3.1 document, with its keys in the same order as in JSON." }
}).pipe(HttpApiSchema.asText({ contentType: "application/yaml" }))

const getContractYaml = HttpApiEndpoint.get("getContractYaml", "/openapi.yaml", {
  headers,
  success: [HttpApiSchema.WithHeaders(yaml, { etag: entityTag }), NotModified],
  error: commonErrors
}).annotateMerge(
  OpenApi.annotations({ summary: "Read this contract as YAML", description: "This document as OpenAPI 3.1 in YAML." })
)

const getContractJson = HttpApiEndpoint.get("getContractJson", "/openapi.json", {
  headers,
  success: [HttpApiSchema.WithHeaders(json, { etag: entityTag }), NotModified],
  error: commonErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read this contract as JSON",
    description: "This document as OpenAPI 3.1 in JSON, with its keys in the same order as in YAML."
  })
)

/** GET /openapi.yaml and /openapi.json. */
export const contractGroup = HttpApiGroup.make("contract", { topLevel: true })
  .add(getContractYaml, getContractJson)
  .annotateMerge(OpenApi.annotations({ title: "Contract", description: "This document." }))
