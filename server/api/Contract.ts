import * as OpenApi from "effect/http-api/OpenApi"
import { stringify } from "yaml"
import { api } from "./Api.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonObject.ts"
import { headerName, lifted, mapValues, plainSchemas } from "./ContractShape.ts"
import { DOCUMENTED } from "./Documented.ts"
import { exampleOf } from "./Examples.ts"

/** The version of the public contract. Within it only additions happen. */
export const CONTRACT_VERSION = "v2.34.0"

const LOCAL = "http://localhost:8080"

const DESCRIPTION = `Audits how ready an API documentation site is for AI agents: 30 criteria in six categories, a deterministic score from 0 to 100, and HTTP evidence for each verdict. No language model is used.

No authentication is needed. Responses are JSON unless noted otherwise; ignore fields that you do not know. Errors have a message in \`error\` and, in most cases, a stable \`code\`. After 429 and 503, wait \`Retry-After\` seconds; a 400 is permanent.

Rates per client IP address: about one POST /audit in 30 s (burst 2), one read of a run per second (burst 30), five browse requests per second (burst 20). Each client network can audit a site once in 24 hours; within 10 minutes of an audit, its report is returned again.

A method that a path does not support gets 405 with \`Allow\` and the code \`method_not_allowed\`. Every path supports HEAD and OPTIONS. Browsers may read from any origin, without credentials.`

/** Where the service runs. */
export interface ContractOptions {
  /** The production URL, without a trailing slash. */
  readonly baseUrl: string
}

/** The contract as an OpenAPI 3.1 document, derived from the definitions that are served. Keys are in a defined order. */
export const contractDocument = ({ baseUrl }: ContractOptions): JsonObject => {
  const derived = OpenApi.fromApi(api, { includeAnnotationKey: (key) => key === DOCUMENTED })
  const { components, openapi, paths, tags } = derived
  return {
    openapi,
    info: {
      title: "docgauge",
      summary: "Documentation AI-readiness audits",
      description: DESCRIPTION,
      version: CONTRACT_VERSION,
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [
      ...(baseUrl === LOCAL ? [] : [{ url: baseUrl, description: "Production" }]),
      { url: LOCAL, description: "Local development" }
    ],
    security: [],
    tags,
    paths: mapValues(paths, (item) => mapValues(item, documentedOperation)),
    components: { schemas: sorted(mapValues(components.schemas, plainSchemas)) }
  }
}

/** The document as JSON text. */
export const contractJson = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`

/** The document as YAML text, keys in the same order; what YAML 1.1 takes for something else than 1.2 does, such as dates, is quoted. */
export const contractYaml = (document: JsonObject): string =>
  stringify(document, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false })

/** An operation in its documented form. */
export const documentedOperation = (operation: JsonObject): JsonObject => {
  const { description, operationId, parameters, requestBody, responses, summary, tags } = operation
  return {
    operationId,
    tags,
    summary,
    description,
    ...(Array.isArray(parameters) && parameters.length > 0 ? { parameters: parameters.map(parameterShown) } : {}),
    ...(isJsonObject(requestBody) ? { requestBody: bodyShown(requestBody) } : {}),
    responses: mapValues(responses, responseShown)
  }
}

const parameterShown = (parameter: unknown): unknown => {
  const shown = plainSchemas(parameter)
  return isJsonObject(shown)
    ? lifted(shown["in"] === "header" ? { ...shown, name: headerName(String(shown["name"])) } : shown)
    : shown
}

const bodyShown = (body: JsonObject): JsonObject => ({ ...body, content: mapValues(body["content"], mediaTypeShown) })

const responseShown = ({ content, description, headers }: JsonObject): JsonObject => ({
  description,
  ...(isJsonObject(headers) ? { headers: headersShown(headers) } : {}),
  ...(isJsonObject(content) ? { content: mapValues(content, mediaTypeShown) } : {})
})

const headersShown = (headers: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      const shown = plainSchemas(header)
      return [headerName(name), isJsonObject(shown) ? lifted(shown) : shown]
    })
  )

const mediaTypeShown = (mediaType: JsonObject, type: string): JsonObject => {
  const schema = plainSchemas(mediaType["schema"])
  const example = isJsonObject(schema) ? exampleOf(schema, type) : undefined
  return { schema, ...(example === undefined ? {} : { example }) }
}

const sorted = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
