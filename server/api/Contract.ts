import * as OpenApi from "effect/http-api/OpenApi"
import { stringify } from "yaml"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonText.ts"
import { api } from "./Api.ts"
import { DOCUMENTED } from "./Parameters.ts"
import { exampleOf } from "./Examples.ts"
import type { RunBody } from "./Runs.ts"

/** The version of the public contract. Within it only additions happen. */
export const CONTRACT_VERSION = "v2.34.0"

const LOCAL = "http://localhost:8080"

const DESCRIPTION = `Audits how ready an API documentation site is for AI agents: 30 criteria in six categories, a deterministic score from 0 to 100, and HTTP evidence for each verdict. No language model is used.

No authentication is needed, except for a webhook, which its secret reads and deletes. Responses are JSON unless noted otherwise; ignore fields that you do not know. Errors have a message in \`error\` and, in most cases, a stable \`code\`. After 429 and 503, wait \`Retry-After\` seconds; a 400 is permanent.

Rates per client IP address: about one POST /audit in 30 s (burst 2), one read of a run per second (burst 30), five browse requests per second (burst 20). Each client network can audit a site once in 24 hours; within 10 minutes of an audit, its report is returned again. Responses of limited operations say by \`RateLimit\` what is left.

A method that a path does not support gets 405 with \`Allow\` and the code \`method_not_allowed\`. Every path supports HEAD and OPTIONS. Browsers may read from any origin, without credentials.`

/** Where the service runs. */
interface ContractOptions {
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
    paths: mapValues(paths, (item) => mapValues(item, (operation) => withLimit(documentedOperation(operation)))),
    components: {
      securitySchemes: {
        webhookSecret: {
          type: "http",
          scheme: "bearer",
          description: "The secret of the webhook, `whsec_…`. Create a webhook to get its secret."
        }
      },
      schemas: discriminated(sorted(withoutCopies(mapValues(components.schemas, plainSchemas))))
    }
  }
}

export const contractJson = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`

/** The document as YAML text, keys in the same order; what YAML 1.1 takes for something else than 1.2 does, such as dates, is quoted. */
export const contractYaml = (document: JsonObject): string =>
  stringify(document, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false })

/** An operation in its documented form. */
export const documentedOperation = (operation: JsonObject): JsonObject => {
  const { description, operationId, parameters, requestBody, responses, security, summary, tags } = operation
  return {
    operationId,
    tags,
    summary,
    description,
    ...(Array.isArray(security) && security.length > 0 ? { security } : {}),
    ...(Array.isArray(parameters) && parameters.length > 0 ? { parameters: parameters.map(parameterShown) } : {}),
    ...(isJsonObject(requestBody) ? { requestBody: bodyShown(requestBody) } : {}),
    responses: mapValues(responses, responseShown)
  }
}

/** An operation that can answer 429 has the fields of its limit in every response. */
const withLimit = (operation: JsonObject): JsonObject => {
  const responses = isJsonObject(operation["responses"]) ? operation["responses"] : {}
  const refusal = isJsonObject(responses["429"]) ? responses["429"]["headers"] : undefined
  const limit = Object.entries(isJsonObject(refusal) ? refusal : {}).flatMap(([name, header]) =>
    name.startsWith("RateLimit") && isJsonObject(header) ? [[name, { ...header, required: false }] as const] : []
  )
  return limit.length === 0
    ? operation
    : {
        ...operation,
        responses: mapValues(responses, ({ description, headers, ...rest }) => ({
          description,
          headers: { ...Object.fromEntries(limit), ...(isJsonObject(headers) ? headers : {}) },
          ...rest
        }))
      }
}

/** The generator appends a number to the name of a schema's second form, which says the same in the encoding of forms or with another description. */
const COPY = /_\d+$/

const withoutCopies = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).filter(([name]) => !COPY.test(name)))

/** A run has exactly one of its forms, which generators of code tell apart by `status`. */
const discriminated = (schemas: JsonObject): JsonObject => {
  const run = schemas["Run"]
  if (!isJsonObject(run)) return schemas
  const { anyOf: oneOf, ...rest } = run
  const mapping = Object.fromEntries(
    Object.entries(RUN_FORMS).map(([status, form]) => [status, `#/components/schemas/${form}`])
  )
  return { ...schemas, Run: { ...rest, oneOf, discriminator: { propertyName: "status", mapping } } }
}

const RUN_FORMS: Readonly<Record<RunBody["status"], string>> = {
  pending: "RunUnderWay",
  running: "RunUnderWay",
  error: "RunFailed",
  done: "RunDone"
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

/*
 * Rewrites the document of `OpenApi.fromApi` in the form that OpenAPI tools expect, without changing its meaning.
 */

/** Simplifies all schemas inside a value. */
export const plainSchemas = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainSchemas)
  if (!isJsonObject(value)) return value
  const own = DOCUMENTED in value ? value[DOCUMENTED] : value
  if (!isJsonObject(own)) return own
  const members = Object.entries(own).flatMap(([key, member]): ReadonlyArray<readonly [string, unknown]> =>
    isNoise(key, member)
      ? []
      : [[key, key === "$ref" && typeof member === "string" ? member.replace(COPY, "") : plainSchemas(member)]]
  )
  return flattened(Object.fromEntries(members))
}

/** Bounds that only say "a safe integer", and closed objects: fields may be added to any response. */
const isNoise = (key: string, member: unknown): boolean =>
  (key === "minimum" && member === Number.MIN_SAFE_INTEGER) ||
  (key === "maximum" && member === Number.MAX_SAFE_INTEGER) ||
  (key === "additionalProperties" && member === false)

/** Replaces an `anyOf` of one schema by that schema, and a nullable scalar by a list of two types. */
const flattened = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const [first, second] = anyOf.filter(isJsonObject)
  if (first === undefined) return schema
  if (anyOf.length === 1) return { ...first, ...rest }
  const isOrNull =
    anyOf.length === 2 && second?.["type"] === "null" && typeof first["type"] === "string" && !("enum" in first)
  return isOrNull ? { ...first, type: [first["type"], "null"], ...rest } : { ...rest, anyOf }
}

/** Moves description and example of a parameter or header from its schema to the parameter itself. */
const lifted = (holder: JsonObject): JsonObject => {
  const { schema, ...own } = holder
  if (!isJsonObject(schema)) return holder
  const { description, example, examples, ...bare } = schema
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined)
  return {
    ...own,
    ...(description === undefined ? {} : { description }),
    schema: bare,
    ...(shown === undefined ? {} : { example: shown })
  }
}

/** Header names as they are commonly written; HTTP ignores case. */
const headerName = (name: string): string =>
  NAMES[name] ??
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("-")

const NAMES: Readonly<Record<string, string>> = {
  etag: "ETag",
  ratelimit: "RateLimit",
  "ratelimit-policy": "RateLimit-Policy"
}

export const mapValues = (value: unknown, change: (member: JsonObject, key: string) => unknown): JsonObject =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, isJsonObject(member) ? change(member, key) : member])
      )
    : {}
