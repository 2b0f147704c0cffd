import type { Portion } from "../ApiSpec.ts"
import { helpsCallers } from "./ErrorFields.ts"
import { child, type Documents, type Located, onceEach } from "../text/Documents.ts"
import { entriesAt, has, isList, isObject, type Json, listAt, member, objectAt } from "../text/Json.ts"
import { type HttpOperation, isClientError, mediaTypesOf } from "./SpecOperations.ts"

/** Objects in objects that are looked into: `{ error: { details: [{ field }] } }` has three. */
const NESTING = 5

/** Alternatives, parts and fields of one schema that are looked at. */
const BREADTH = 60

/** Schemas of one description that are looked into; answers beyond them count as no help. */
const SCHEMAS = 100_000

/** Operations of which an error answer has a body that helps a caller, by its schema or an example. */
export const helpfulErrors = (documents: Documents, operations: ReadonlyArray<HttpOperation>): Portion => {
  const namesOf = schemaNames(documents)
  const helps = onceEach((response) =>
    [response, ...mediaTypesOf(documents, response).map(({ located }) => located)].some(
      (holder) =>
        helpsCallers(namesOf(holder)) || examplesAt(holder.value).some((example) => helpsCallers(namesIn(example)))
    )
  )
  return {
    part: operations.filter(({ responses }) =>
      responses.some(({ located, status }) => isClientError(status) && helps(located))
    ).length,
    whole: operations.length
  }
}

/** Finds the names of the fields that the schema of an answer has, at all levels that are looked into. */
const schemaNames = (documents: Documents): ((holder: Located) => ReadonlySet<string>) => {
  let left = SCHEMAS

  const add = (names: Set<string>, nesting: number, from: Located, ...keys: ReadonlyArray<string>): void => {
    if (nesting === 0 || left <= 0) return
    left--
    const schema = child(documents, from, ...keys)
    if (schema === null) return
    for (const name of Object.keys(objectAt(schema.value, "properties")).slice(0, BREADTH)) {
      names.add(name)
      add(names, nesting - 1, schema, "properties", name)
    }
    if (has(schema.value, "items")) add(names, nesting - 1, schema, "items")
    for (const keyword of COMBINED)
      for (const index of listAt(schema.value, keyword).slice(0, BREADTH).keys())
        add(names, nesting - 1, schema, keyword, String(index))
  }

  return (holder) => {
    const names = new Set<string>()
    if (has(holder.value, "schema")) add(names, NESTING, holder, "schema")
    return names
  }
}

const COMBINED = ["allOf", "oneOf", "anyOf"]

/** Of a media type, of an answer by media type (OpenAPI 2), or of its schema. */
const examplesAt = (holder: Json): ReadonlyArray<Json> => [
  member(holder, "example") ?? null,
  ...entriesAt(holder, "examples").map(([, example]) => member(example, "value") ?? example),
  member(objectAt(holder, "schema"), "example") ?? null
]

/** Names of the fields of an example, at all levels that are looked into. */
const namesIn = (example: Json): ReadonlySet<string> => {
  const names = new Set<string>()
  let level: ReadonlyArray<Json> = [example]
  for (let depth = 0; depth < NESTING; depth++) {
    for (const value of level) if (isObject(value)) for (const name of Object.keys(value)) names.add(name)
    level = level
      .flatMap((value) => (isList(value) ? value : isObject(value) ? Object.values(value) : []))
      .slice(0, BREADTH)
  }
  return names
}
