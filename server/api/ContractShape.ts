import { isJsonObject, type JsonObject } from "../../engine/text/JsonObject.ts"
import { DOCUMENTED } from "./Documented.ts"

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
    isNoise(key, member) ? [] : [[key, plainSchemas(member)]]
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
export const lifted = (holder: JsonObject): JsonObject => {
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
export const headerName = (name: string): string =>
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
