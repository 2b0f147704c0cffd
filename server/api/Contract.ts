import * as OpenApi from "effect/http-api/OpenApi"
import { stringify } from "yaml"
import { api } from "./Api.ts"
import { headerName, isJsonObject, type JsonObject, lifted, mapValues, plainSchemas } from "./ContractShape.ts"
import { DOCUMENTED } from "./Documented.ts"
import { exampleOf } from "./Examples.ts"

/** The version of the public contract. Within it only additions happen. */
export const CONTRACT_VERSION = "v2.34.0"

const LOCAL = "http://localhost:8080"

const DESCRIPTION = `Audits how ready an API documentation site is for AI agents: 30 criteria in six categories, a deterministic score from 0 to 100, and HTTP evidence for each verdict. No language model is asked at run time.

No authentication is needed. Answers are JSON unless stated; clients ignore fields that they do not know. Errors have a message in \`error\` and, where there is one, a stable \`code\`. Wait \`Retry-After\` seconds after 429 and 503; a 400 is permanent.

Rates per client address: about one POST /audit in 30 s (burst 2), one read of a run per second (burst 30), five browse requests per second (burst 20). One audit of a site per client network in 24 hours; within 10 minutes of an audit its report is replayed.

A method that a path does not have gets 405 with \`Allow\` and the code \`method_not_allowed\`. HEAD and OPTIONS are answered everywhere. Reads may be made from any origin, without credentials.`

/** Where the service is found. */
export interface ContractOptions {
  /** The production address, without a trailing slash. */
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
    paths: mapValues(paths, (item) => mapValues(item, operationShown)),
    components: { schemas: sorted(mapValues(components.schemas, plainSchemas)) }
  }
}

/** The document as JSON text. */
export const contractJson = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`

/** The document as YAML text, keys in the same order. */
export const contractYaml = (document: JsonObject): string => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })

/** An operation in its documented form. */
export const operationShown = (operation: JsonObject): JsonObject => {
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
  return isJsonObject(shown) ? lifted(shown["in"] === "header" ? { ...shown, name: headerName(String(shown["name"])) } : shown) : shown
}

const bodyShown = (body: JsonObject): JsonObject => ({ ...body, content: mapValues(body["content"], mediaTypeShown) })

const responseShown = ({ content, description, headers }: JsonObject): JsonObject => ({
  description,
  ...(isJsonObject(headers) ? { headers: headersShown(headers) } : {}),
  ...(isJsonObject(content) ? { content: mapValues(content, mediaTypeShown) } : {})
})

const headersShown = (headers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => {
    const shown = plainSchemas(header)
    return [headerName(name), isJsonObject(shown) ? lifted(shown) : shown]
  }))

const mediaTypeShown = (mediaType: JsonObject, type: string): JsonObject => {
  const schema = plainSchemas(mediaType["schema"])
  const example = isJsonObject(schema) ? exampleOf(schema, type) : undefined
  return { schema, ...(example === undefined ? {} : { example }) }
}

const sorted = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
