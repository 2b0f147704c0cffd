import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { auditGroup, runGroup } from "./AuditGroup.ts"
import { browseGroup, NotModified } from "./BrowseGroup.ts"
import { DashboardBody, DashboardWarming } from "./DashboardBody.ts"
import { DOCUMENTED, textParameter, wordParameter } from "./Parameters.ts"
import { BadRequest, commonErrors, Forbidden, InputCheck, NotFound, storeErrors } from "./Errors.ts"
import { entityTag, ifNoneMatch, retryAfter } from "./Headers.ts"
import { webhookGroup } from "./WebhookGroup.ts"

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
const dashboardGroup = HttpApiGroup.make("dashboards", { topLevel: true })
  .add(getDashboard)
  .annotateMerge(OpenApi.annotations({ title: "Dashboards", description: "Reading the dashboards of the operator." }))

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
const contractGroup = HttpApiGroup.make("contract", { topLevel: true })
  .add(getContractYaml, getContractJson)
  .annotateMerge(OpenApi.annotations({ title: "Contract", description: "This document." }))

/** The whole public contract: what is served, documented and called comes from here. */
export const api = HttpApi.make("docgauge")
  .add(auditGroup, runGroup, browseGroup, dashboardGroup, webhookGroup, contractGroup)
  .middleware(InputCheck)
