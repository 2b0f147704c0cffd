import type { SpecFormat } from "../ApiSpec.ts"
import { has, isList, isObject, type Json, member, objectAt, stringAt, wordAt } from "./Json.ts"

/** What an API description says that it is. */
export interface FormatMark {
  /** GraphQL is told by its text, see `mayBeGraphQl`. */
  readonly format: Exclude<SpecFormat, "graphql">
  /** As declared, such as `3.1.0`; empty where none is. */
  readonly version: string
}

/** The format of a JSON document; `null` if we do not read it. A broken document counts as the format that it looks like. */
export const formatOf = (root: Json): FormatMark | null => {
  if (!isObject(root)) return null
  const openapi = versionAt(root, "openapi")
  if (/^3(?:\.|$)/.test(openapi)) return { format: "openapi", version: openapi }
  const swagger = versionAt(root, "swagger")
  if (/^2(?:\.|$)/.test(swagger)) return { format: "swagger", version: swagger }
  const asyncapi = versionAt(root, "asyncapi")
  if (/^\d+\.\d+/.test(asyncapi)) return { format: "asyncapi", version: asyncapi }
  const openrpc = versionAt(root, "openrpc")
  if (openrpc.startsWith("1.") && has(root, "methods")) return { format: "openrpc", version: openrpc }
  return postmanMark(root)
}

/** YAML reads an unquoted `3.0` as the number 3. */
const versionAt = (root: Json, key: string): string => {
  const version = member(root, key)
  return typeof version === "number" && Number.isInteger(version) ? `${version}.0` : wordAt(root, key)
}

/** The collection itself: as exported, or as the Postman API wraps it. */
export const postmanCollection = (root: Json): Json =>
  has(objectAt(root, "collection"), "info") ? objectAt(root, "collection") : root

const postmanMark = (root: Json): FormatMark | null => {
  const collection = postmanCollection(root)
  const schema = stringAt(objectAt(collection, "info"), "schema")
  const version = /getpostman\.com\/[^\s?#]{0,100}?v(\d+\.\d+\.\d+)/.exec(schema)?.[1]
  return version !== undefined && isList(member(collection, "item")) ? { format: "postman", version } : null
}

/** `{ "__schema": … }`: what a GraphQL server says of its own schema. */
export const introspectionOf = (root: Json): Json =>
  has(root, "__schema") ? root : has(objectAt(root, "data"), "__schema") ? objectAt(root, "data") : null

export const isIntrospection = (root: Json): boolean =>
  isList(member(objectAt(introspectionOf(root), "__schema"), "types"))

/**
 * A `schema` with its root types, or a root type by its conventional name: what every GraphQL schema has. Whether it is
 * one is for the parser to say, which reads directives, lists of interfaces and comments between the name and the brace.
 */
const GRAPHQL_ROOT =
  /^[ \t]*(?:extend\s{1,20})?(?:schema\s{0,20}[@{#]|type\s{1,20}(?:Query|Mutation|Subscription)\b[^{]{0,500}\{)/m

/** The text looks like a GraphQL schema in SDL. */
export const mayBeGraphQl = (text: string): boolean => GRAPHQL_ROOT.test(text)
