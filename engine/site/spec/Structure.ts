import type { ErrorObject, ValidateFunction } from "ajv"
import type { FormatMark } from "./Format.ts"
import { isObject, type Json, has } from "./Json.ts"
import { withoutLongLists } from "./LongLists.ts"
import { type Path, pathOf, pointerOf } from "./Pointer.ts"
import { isOfficial, type SchemaName } from "./StructureSchema.ts"
import { loadValidator } from "./Validators.ts"
import { walk } from "./Walk.ts"

/** A place whose structure is not what the format's version says. */
export interface StructureError {
  readonly path: Path
  /** One plain clause. */
  readonly message: string
}

export interface StructureReport {
  /** One for each place, in document order as far as the schema goes that way; at most `ERRORS_KEPT`. */
  readonly errors: ReadonlyArray<StructureError>
  /** False where there is no official schema for that version, and only its essentials were checked. */
  readonly bySchema: boolean
}

/** Errors told apart; a document with more is as wrong as one can be. */
export const ERRORS_KEPT = 10_000

/** The worker keeps what was loaded, or compiled where it runs from source. */
const loaded = new Map<SchemaName, ValidateFunction>()

/** Checks a document against the official schema of its version, Schema Objects of 3.1 and later included. */
export const checkStructure = async (root: Json, mark: FormatMark): Promise<StructureReport> => {
  const name = schemaName(mark)
  const structural = errorsOf(await validatorNamed(name), withoutLongLists(root), [])
  const errors = name === "3.1" || name === "3.2" ? [...structural, ...(await schemaObjectErrors(root))] : structural
  return { errors: onePerPlace(errors), bySchema: isOfficial(name) }
}

const schemaName = (mark: FormatMark): SchemaName => {
  if (mark.format === "swagger") return "2.0"
  const version = /^3\.\d+/.exec(mark.version)?.[0] ?? ""
  return mark.format === "openapi" ? isOfficial(version) ? version : "openapi" : mark.format
}

const validatorNamed = async (name: SchemaName): Promise<ValidateFunction> => {
  const validate = loaded.get(name) ?? await loadValidator(name)
  loaded.set(name, validate)
  return validate
}

const errorsOf = (validate: ValidateFunction, value: Json, base: Path): ReadonlyArray<StructureError> => {
  if (validate(value)) return []
  const errors = validate.errors ?? []
  validate.errors = null
  return causes(errors).map((error) => ({ path: [...base, ...(pathOf(error.instancePath) ?? [])], message: messageOf(error) }))
}

/** Keywords that fail because something below them, or another branch, did. */
const CONSEQUENCES = new Set(["oneOf", "anyOf", "allOf", "if", "unevaluatedProperties"])

const isConsequence = (error: ErrorObject): boolean =>
  CONSEQUENCES.has(error.keyword) || (error.keyword === "required" && error.params["missingProperty"] === "$ref")

/** Every failed place, without those that say only that a place below them failed, or that it is no reference either. */
const causes = (errors: ReadonlyArray<ErrorObject>): ReadonlyArray<ErrorObject> => {
  const explained = new Set<string>()
  for (const { instancePath } of errors.filter((error) => !isConsequence(error))) markAncestors(explained, instancePath)
  return errors.filter((error) => !isConsequence(error) || !explained.has(error.instancePath))
}

/** The place itself and all that it stands in, up to one that was marked before. */
const markAncestors = (marked: Set<string>, pointer: string): void => {
  let at = pointer
  while (!marked.has(at)) {
    marked.add(at)
    if (at === "") return
    at = at.slice(0, at.lastIndexOf("/"))
  }
}

const messageOf = (error: ErrorObject): string => {
  const name: unknown = error.params["missingProperty"] ?? error.params["additionalProperty"] ?? error.params["unevaluatedProperty"]
  const quoted = typeof name === "string" ? `\`${name.slice(0, 40)}\`` : null
  if (error.keyword === "required" && quoted !== null) return `${quoted} is missing`
  if (quoted !== null) return `${quoted} is not a member that may stand here`
  if (error.keyword === "not") return "it has members that may not stand together"
  const allowed: unknown = error.params["allowedValues"]
  if (Array.isArray(allowed)) return `must be one of ${allowed.slice(0, 8).map(String).join(", ")}`
  return (error.message ?? "is not what the schema asks for").slice(0, 160)
}

const onePerPlace = (errors: ReadonlyArray<StructureError>): ReadonlyArray<StructureError> => {
  const places = new Map<string, StructureError>()
  for (const error of errors) {
    const key = pointerOf(error.path)
    if (!places.has(key)) places.set(key, error)
    if (places.size >= ERRORS_KEPT) break
  }
  return [...places.values()]
}

/** The Schema Objects of OpenAPI 3.1 and later, which the schema of OpenAPI leaves to their dialect's own. */
const schemaObjectErrors = async (root: Json): Promise<ReadonlyArray<StructureError>> => {
  if (has(root, "jsonSchemaDialect")) return []
  const validate = await validatorNamed("draft")
  return schemaObjects(root).flatMap(({ schema, path }) => errorsOf(validate, schema, path))
}

const schemaObjects = (root: Json): ReadonlyArray<{ readonly schema: Json; readonly path: Path }> => {
  const found: Array<{ readonly schema: Json; readonly path: Path }> = []
  walk(root, (node, path) => {
    const parent = path.at(-2)
    const isSchema = (path.at(-1) === "schema" && parent !== "properties") || (path.length === 3 && parent === "schemas" && path[0] === "components")
    if (isSchema && isObject(node) && !has(node, "$schema")) found.push({ schema: node, path: [...path] })
  })
  return found
}
