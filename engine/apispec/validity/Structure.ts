import type { ErrorObject, ValidateFunction } from "ajv"
import { walk } from "../text/Documents.ts"
import type { FormatMark } from "../text/Format.ts"
import {
  entriesAt,
  has,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  pathOfPointer,
  pointerOf,
  stringAt
} from "../text/Json.ts"
import { ERRORS_COUNTED } from "../ApiSpec.ts"
import { isOfficial, type SchemaName } from "./StructureSchema.ts"
import { loadValidator } from "./Validators.ts"

/** A place whose structure is not what the format's version says. */
interface StructureError {
  readonly path: Path
  /** One plain clause. */
  readonly message: string
}

export interface StructureReport {
  /** One for each place, in document order as far as the schema goes that way; at most one more than are counted. */
  readonly errors: ReadonlyArray<StructureError>
  /** False where checking stopped at too many errors, so that there may be others. */
  readonly complete: boolean
  /** False where there is no official schema for that version, and only its essentials were checked. */
  readonly bySchema: boolean
}

/** Errors of a part of a document, as the validator found them. */
interface Failures {
  readonly errors: ReadonlyArray<StructureError>
  readonly complete: boolean
}

/** The worker keeps what was loaded, or compiled where it runs from source. */
const loaded = new Map<SchemaName, ValidateFunction>()

/** Checks a document against the official schema of its version, and the Schema Objects of 3.1 and later against their dialect. */
export const checkStructure = async (root: Json, mark: FormatMark): Promise<StructureReport> => {
  const name = schemaName(mark)
  const structural = failuresOf(await validatorNamed(name), withoutLongLists(root), [])
  const dialect = dialectOf(name)
  const parts = dialect === null ? [structural] : [structural, ...schemaFailures(await validatorNamed(dialect), root)]
  return {
    errors: onePerPlace(parts.flatMap(({ errors }) => errors)),
    complete: parts.every(({ complete }) => complete),
    bySchema: isOfficial(name)
  }
}

/** `schema-base` of OpenAPI: the schema of OpenAPI leaves Schema Objects to the schema of their dialect. */
const dialectOf = (name: SchemaName): SchemaName | null =>
  name === "3.1" ? "dialect-3.1" : name === "3.2" ? "dialect-3.2" : null

const schemaName = (mark: FormatMark): SchemaName => {
  if (mark.format === "swagger") return "2.0"
  const version = /^3\.\d+/.exec(mark.version)?.[0] ?? "3.0"
  return mark.format === "openapi" ? (isOfficial(version) ? version : "openapi") : mark.format
}

const validatorNamed = async (name: SchemaName): Promise<ValidateFunction> => {
  const validate = loaded.get(name) ?? (await loadValidator(name))
  loaded.set(name, validate)
  return validate
}

const failuresOf = (validate: ValidateFunction, value: Json, base: Path): Failures => {
  const { complete, failed } = validated(validate, value)
  return {
    errors: onePerPlace(
      causes(failed).map((error) => ({
        path: [...base, ...(pathOfPointer(error.instancePath) ?? [])],
        message: messageOf(error)
      }))
    ),
    complete
  }
}

const validated = (
  validate: ValidateFunction,
  value: Json
): { readonly failed: ReadonlyArray<ErrorObject>; readonly complete: boolean } => {
  try {
    if (validate(value)) return { failed: [], complete: true }
    const failed = validate.errors ?? []
    validate.errors = null
    return { failed, complete: true }
  } catch (error) {
    if (!isStopped(error)) throw error
    return { failed: error.failures, complete: false }
  }
}

/** What a validator throws that has collected enough: see CompileValidator.ts. */
const isStopped = (error: unknown): error is { readonly failures: ReadonlyArray<ErrorObject> } =>
  error instanceof Error && "failures" in error && Array.isArray(error.failures)

/** One by one, until there are enough. */
const schemaFailures = (validate: ValidateFunction, root: Json): ReadonlyArray<Failures> => {
  const found: Array<Failures> = []
  let errors = 0
  for (const { path, schema } of schemaObjects(root)) {
    if (errors > ERRORS_COUNTED) break
    const failures = failuresOf(validate, schema, path)
    errors += failures.errors.length
    if (failures.errors.length > 0) found.push(failures)
  }
  return found
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

/** The place itself and all that contains it, up to one that was marked before. */
const markAncestors = (marked: Set<string>, pointer: string): void => {
  let at = pointer
  while (!marked.has(at)) {
    marked.add(at)
    if (at === "") return
    at = at.slice(0, at.lastIndexOf("/"))
  }
}

const messageOf = (error: ErrorObject): string => {
  const name: unknown =
    error.params["missingProperty"] ?? error.params["additionalProperty"] ?? error.params["unevaluatedProperty"]
  const quoted = typeof name === "string" ? `\`${name.slice(0, 40)}\`` : null
  if (error.keyword === "required" && quoted !== null) return `${quoted} is missing`
  if (quoted !== null) return `${quoted} is not an allowed member here`
  if (error.keyword === "not") return "it has members that exclude each other"
  const allowed: unknown = error.params["allowedValues"]
  if (Array.isArray(allowed)) return `must be one of ${allowed.slice(0, 8).map(String).join(", ")}`
  return (error.message ?? "is not what the schema asks for").slice(0, 160)
}

const onePerPlace = (errors: ReadonlyArray<StructureError>): ReadonlyArray<StructureError> => {
  const places = new Map<string, StructureError>()
  for (const error of errors) {
    const key = pointerOf(error.path)
    if (!places.has(key)) places.set(key, error)
    if (places.size > ERRORS_COUNTED) break
  }
  return [...places.values()]
}

/** Lists whose items must differ: the validators compare each item with every other. */
const DISTINCT = new Set(["tags", "parameters", "enum", "required", "security", "consumes", "produces", "schemes"])

/** Items of such a list that are checked: descriptions in use have some hundreds. */
const CHECKED = 1_000

const isLong = (list: ReadonlyArray<Json>, key: string): boolean => list.length > CHECKED && DISTINCT.has(key)

/** The document itself, or one with the beginnings of its lists where some are longer than what is checked of them. */
const withoutLongLists = (root: Json): Json => (hasLongList(root, "") ? shortened(root, "") : root)

const hasLongList = (value: Json, key: string): boolean => {
  if (isList(value)) return isLong(value, key) || value.some((item) => hasLongList(item, ""))
  return isObject(value) && Object.keys(value).some((name) => hasLongList(value[name] ?? null, name))
}

/** Recurses: the depth of a document is bounded before it gets here. */
const shortened = (value: Json, key: string): Json => {
  if (isList(value)) return (isLong(value, key) ? value.slice(0, CHECKED) : value).map((item) => shortened(item, ""))
  return isObject(value) ? shortenedObject(value) : value
}

const shortenedObject = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, name)]))

/** A Schema Object of a description and its position. */
interface SchemaObject {
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
const schemaObjects = (root: Json): ReadonlyArray<SchemaObject> => {
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
