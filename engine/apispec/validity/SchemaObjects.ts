import { entriesAt, has, isObject, type Json, type JsonObject, stringAt } from "../text/Json.ts"
import type { Path } from "../text/Pointer.ts"
import { walk } from "../text/Walk.ts"

/** A Schema Object of a description and its position. */
export interface SchemaObject {
  readonly schema: Json
  readonly path: Path
}

/** The dialects whose schema we have. A document that names another dialect is not checked against one. */
const KNOWN_DIALECT =
  /^(?:https:\/\/spec\.openapis\.org\/oas\/3\.[12]\/dialect\/|https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$)/

const isKnown = (dialect: string): boolean => dialect === "" || KNOWN_DIALECT.test(dialect)

/**
 * The outermost Schema Objects of an OpenAPI description, in document order: `schema` and `itemSchema` of parameters,
 * headers and media types, and those of `components`. None where the document names a dialect that is not known.
 */
export const schemaObjects = (root: Json): ReadonlyArray<SchemaObject> => {
  if (!isKnown(stringAt(root, "jsonSchemaDialect"))) return []
  const found: Array<SchemaObject> = []
  const schemas = new WeakSet<object>()
  let outer: Path | null = null
  walk(root, (node, path) => {
    if (outer !== null && isWithin(path, outer)) return
    if (schemas.has(node)) {
      outer = [...path]
      return
    }
    for (const { path: at, schema } of schemasOf(node, path)) {
      if (!isObject(schema) || schemas.has(schema)) continue
      schemas.add(schema)
      if (isKnown(stringAt(schema, "$schema"))) found.push({ schema, path: at })
    }
  })
  return found
}

/** The schemas that an object has as members, where the object itself is not a schema. */
const schemasOf = (node: JsonObject, path: Path): ReadonlyArray<SchemaObject> =>
  path.length === 1 && path[0] === "components"
    ? entriesAt(node, "schemas").map(([name, schema]) => ({ schema, path: [...path, "schemas", name] }))
    : ["schema", "itemSchema"].flatMap((key) =>
        has(node, key) ? [{ schema: node[key] ?? null, path: [...path, key] }] : []
      )

const isWithin = (path: Path, outer: Path): boolean =>
  path.length >= outer.length && outer.every((segment, index) => path[index] === segment)
