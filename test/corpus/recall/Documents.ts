import { parse } from "yaml"
import type { Random } from "./Mutations.ts"

type Json = unknown

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const CASTS: Readonly<Record<string, Json>> = {
  integer: "seventy of them",
  number: "seventy of them",
  boolean: "perhaps",
  string: { seventy: 70 },
  array: 70
}

const FORMATS: Readonly<Record<string, Json>> = {
  uuid: "70-seventy",
  "date-time": "on the seventieth",
  date: "the seventieth",
  uri: "seventy of them"
}

/** Every schema of a description that is compared with an example of its own, outside of examples and extensions. */
const schemasIn = (value: Json, found: Array<Record<string, Json>>): void => {
  if (Array.isArray(value)) for (const item of value) schemasIn(item, found)
  if (!isObject(value)) return
  if (typeof value["type"] === "string" && "example" in value && value["$ref"] === undefined) found.push(value)
  for (const [name, member] of Object.entries(value))
    if (!/^(?:x-.*|examples?|default|enum|const|value)$/.test(name)) schemasIn(member, found)
}

export type DocumentMutation = "example" | "format"

const wrongExample = ({ enum: values, format, nullable, type }: Record<string, Json>, kind: DocumentMutation): Json => {
  if (nullable === true || typeof type !== "string") return undefined
  if (kind === "format") return type === "string" ? FORMATS[String(format)] : undefined
  return Array.isArray(values) ? "seventy-first" : CASTS[type]
}

/**
 * The description with at most `most` of its examples made false; how many those are. A description whose own examples are not like
 * their schemas to begin with is compared before and after.
 */
export const withFalseExamples = (
  text: string,
  kind: DocumentMutation,
  most: number,
  random: Random
): { readonly bytes: Uint8Array; readonly changed: number } => {
  const root: Json = parse(text, { maxAliasCount: 10_000 })
  const schemas: Array<Record<string, Json>> = []
  if (isObject(root)) for (const part of ["paths", "components", "definitions"]) schemasIn(root[part], schemas)
  const places = schemas.flatMap((schema) => {
    const wrong = wrongExample(schema, kind)
    return wrong === undefined ? [] : [{ schema, wrong }]
  })
  const from = random(Math.max(1, places.length - most))
  const chosen = places.slice(from, from + most)
  for (const { schema, wrong } of chosen) schema["example"] = wrong
  return { bytes: new TextEncoder().encode(JSON.stringify(root)), changed: chosen.length }
}
