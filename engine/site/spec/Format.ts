import type { SpecFormat } from "../ApiSpec.ts"
import { has, isList, isObject, type Json, member, objectAt, stringAt, wordAt } from "./Json.ts"

/** What an API description says that it is. */
export interface FormatMark {
  /** GraphQL is told by its text, see `isGraphQl`. */
  readonly format: Exclude<SpecFormat, "graphql">
  /** As declared, such as `3.1.0`; empty where none is. */
  readonly version: string
}

/** The format of a JSON document; `null` where it is none that is read. What looks like one and is broken counts. */
export const formatOf = (root: Json): FormatMark | null => {
  if (!isObject(root)) return null
  const openapi = wordAt(root, "openapi")
  if (/^3(?:\.|$)/.test(openapi)) return { format: "openapi", version: openapi }
  const swagger = wordAt(root, "swagger")
  if (/^2(?:\.|$)/.test(swagger)) return { format: "swagger", version: swagger === "2" ? "2.0" : swagger }
  const asyncapi = wordAt(root, "asyncapi")
  if (/^\d+\.\d+/.test(asyncapi)) return { format: "asyncapi", version: asyncapi }
  const openrpc = wordAt(root, "openrpc")
  if (openrpc.startsWith("1.") && has(root, "methods")) return { format: "openrpc", version: openrpc }
  return postmanMark(root)
}

/** The collection itself: as exported, or as the Postman API wraps it. */
export const postmanCollection = (root: Json): Json => (has(objectAt(root, "collection"), "info") ? objectAt(root, "collection") : root)

const postmanMark = (root: Json): FormatMark | null => {
  const collection = postmanCollection(root)
  const schema = stringAt(objectAt(collection, "info"), "schema")
  const version = /getpostman\.com\/[^\s?#]{0,100}?v(\d+\.\d+\.\d+)/.exec(schema)?.[1]
  return version !== undefined && isList(member(collection, "item")) ? { format: "postman", version } : null
}

/** A `schema` with its root types, or a root type by its conventional name: what every GraphQL schema has. */
const GRAPHQL_ROOT =
  /^[ \t]*(?:extend[ \t]+)?(?:schema\s{0,20}(?:@[^{:\n]{0,200})?\{|type[ \t]+(?:Query|Mutation|Subscription)\b[^{:\n]{0,300}\{)/m

/** The text is a GraphQL schema in SDL. */
export const isGraphQl = (text: string): boolean => GRAPHQL_ROOT.test(text)
