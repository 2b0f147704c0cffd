import { follow, type Located } from "../text/Documents.ts"
import { isList, isObject, type Json, type JsonObject, listAt, member, objectAt } from "../text/Json.ts"
import type { ExampleComparer, ExamplePlace, PlaceContext } from "./SpecExamples.ts"
import { part } from "./ValueVerdict.ts"

/** Visits schemas, each once however many lead to it, and compares the values that they show with themselves. */
export interface SchemaVisitor {
  /** A schema where it is written, and all that is written in it. What it refers to waits for `rest`. */
  readonly visit: (schema: Located, context: PlaceContext) => void
  /** All that was referred to and not visited yet, in the order of the references. */
  readonly rest: () => void
}

/** Of a schema that several operations may share. */
export const SHARED: PlaceContext = { name: "", operation: null, direction: "either", encoding: "unstated" }

const ONE = new Set(["items", "additionalProperties", "additionalItems", "contains", "if", "then", "else"])
const SEVERAL = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

export const schemaVisitor = (comparer: ExampleComparer): SchemaVisitor => {
  const { dialect, documents } = comparer
  const visited = new Set<Json>()
  const referred: Array<Located> = []

  const visit = (schema: Located, context: PlaceContext): void => {
    const { value } = schema
    if (!isObject(value) || visited.has(value)) return
    visited.add(value)
    if (typeof value["$ref"] === "string") {
      const target = follow(documents, schema)
      if (target !== null && !visited.has(target.value)) referred.push(target)
      // Members beside a reference count from 2019-09 on.
      if (dialect !== "2020-12") return
    }
    for (const place of ownPlaces(schema, value, context)) comparer.compare(place)
    for (const key of Object.keys(value)) visitMember(schema, key, context)
  }

  const visitMember = (schema: Located, key: string, context: PlaceContext): void => {
    const value = member(schema.value, key)
    if (ONE.has(key) && isObject(value)) visit(part(schema, value, key), context)
    if (SEVERAL.has(key) && isList(value)) {
      value.forEach((item, index) => visit(part(schema, item, key, String(index)), context))
    }
    if (NAMED.has(key) && isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        visit(part(schema, item, key, name), key === "properties" ? { ...context, name } : context)
      }
    }
  }

  const rest = (): void => {
    // Visits add to the end of the list.
    for (const schema of referred) visit(schema, SHARED)
  }
  return { visit, rest }
}

const KINDS = { example: "example", "x-example": "example", default: "default", const: "const" } as const

/** Who sends a schema's own example is not said, wherever the schema is. */
const ownPlaces = (schema: Located, value: JsonObject, context: PlaceContext): ReadonlyArray<ExamplePlace> => {
  const place = (kind: ExamplePlace["kind"], shown: Json, path: ReadonlyArray<string>): ExamplePlace => ({
    ...context,
    kind,
    value: shown,
    document: schema.document,
    path: [...schema.path, ...path],
    schema,
    direction: "either"
  })
  return [
    ...(["example", "x-example", "default", "const"] as const).flatMap((key) => {
      const shown = member(value, key)
      return shown === undefined ? [] : [place(KINDS[key], shown, [key])]
    }),
    ...listAt(value, "examples").map((shown, index) => place("example", shown, ["examples", String(index)]))
  ]
}

/** Schemas by name, such as `components.schemas`. */
export const visitNamed = (visitor: SchemaVisitor, holder: Located, ...keys: ReadonlyArray<string>): void => {
  const schemas = keys.reduce<Json>((value, key) => objectAt(value, key), holder.value)
  if (!isObject(schemas)) return
  for (const [name, schema] of Object.entries(schemas)) visitor.visit(part(holder, schema, ...keys, name), SHARED)
}
