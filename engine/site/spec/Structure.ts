import { Ajv2020 } from "ajv/dist/2020.js"
import AjvDraft04 from "ajv-draft-04"
import type { AnySchemaObject, ErrorObject, ValidateFunction } from "ajv"
import type { FormatMark } from "./Format.ts"
import { isObject, type Json, has, stringAt } from "./Json.ts"
import { type Path, pathOf, pointerOf } from "./Pointer.ts"
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

/** Formats (`email`, `uri-reference`, `regex`) are about the meaning of strings, not about structure. */
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false } as const

/** Compiling takes 80 ms; the worker keeps what it compiled. */
const compiled = new Map<string, ValidateFunction>()

/** Checks a document against the official schema of its version, Schema Objects of 3.1 and later included. */
export const checkStructure = async (root: Json, mark: FormatMark): Promise<StructureReport> => {
  const name = schemaName(mark)
  const validate = compiled.get(name) ?? await compile(name)
  compiled.set(name, validate)
  const errors = [...errorsOf(validate, root, []), ...(name === "3.1" || name === "3.2" ? schemaObjectErrors(root) : [])]
  return { errors: onePerPlace(errors), bySchema: name in OFFICIAL }
}

const schemaName = (mark: FormatMark): string => {
  if (mark.format === "swagger") return "2.0"
  const version = /^3\.\d+/.exec(mark.version)?.[0] ?? ""
  return mark.format === "openapi" ? version in OFFICIAL ? version : "openapi" : mark.format
}

const OFFICIAL: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  "2.0": () => import("@seriousme/openapi-schema-validator/schemas/v2.0/schema.json", { with: { type: "json" } }),
  "3.0": () => import("@seriousme/openapi-schema-validator/schemas/v3.0/schema.json", { with: { type: "json" } }),
  "3.1": () => import("@seriousme/openapi-schema-validator/schemas/v3.1/schema.json", { with: { type: "json" } }),
  "3.2": () => import("@seriousme/openapi-schema-validator/schemas/v3.2/schema.json", { with: { type: "json" } })
}

const compile = async (name: string): Promise<ValidateFunction> => {
  const official = await OFFICIAL[name]?.()
  const schema = official === undefined ? ESSENTIALS[name] ?? {} : official.default
  const draft04 = has(schema as Json, "$schema") && stringAt(schema as Json, "$schema").includes("draft-04")
  const ajv = draft04 ? new AjvDraft04.default(OPTIONS) : new Ajv2020(OPTIONS)
  return ajv.compile(schema as AnySchemaObject)
}

const INFO = {
  type: "object",
  required: ["title", "version"],
  properties: { title: { type: "string" }, version: { type: "string" } }
}

/** What a description of each format cannot do without, where its whole schema would outweigh the rest of the package. */
const ESSENTIALS: Readonly<Record<string, AnySchemaObject>> = {
  openapi: { type: "object", required: ["openapi", "info"], properties: { info: INFO, paths: { type: "object" } } },
  asyncapi: {
    type: "object",
    required: ["asyncapi", "info"],
    properties: {
      info: INFO,
      channels: { type: "object", additionalProperties: { type: "object" } },
      operations: { type: "object", additionalProperties: { type: "object" } },
      servers: { type: "object", additionalProperties: { type: "object" } },
      components: { type: "object" }
    }
  },
  openrpc: {
    type: "object",
    required: ["openrpc", "info", "methods"],
    properties: {
      info: INFO,
      methods: {
        type: "array",
        items: {
          type: "object",
          if: { not: { required: ["$ref"] } },
          then: {
            required: ["name", "params"],
            properties: {
              name: { type: "string" },
              params: {
                type: "array",
                items: { type: "object", if: { not: { required: ["$ref"] } }, then: { required: ["name", "schema"] } }
              }
            }
          }
        }
      },
      components: { type: "object" }
    }
  },
  postman: {
    type: "object",
    required: ["info", "item"],
    properties: {
      info: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      item: { $ref: "#/$defs/items" }
    },
    $defs: {
      items: {
        type: "array",
        items: {
          type: "object",
          anyOf: [{ required: ["request"] }, { required: ["item"] }],
          properties: { item: { $ref: "#/$defs/items" } }
        }
      }
    }
  }
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

/** Draft 2020-12's own schema, for the Schema Objects of OpenAPI 3.1 and later, which the schema of OpenAPI leaves out. */
const schemaObjectErrors = (root: Json): ReadonlyArray<StructureError> => {
  if (has(root, "jsonSchemaDialect")) return []
  const validate = compiled.get("draft") ?? new Ajv2020(OPTIONS).getSchema("https://json-schema.org/draft/2020-12/schema")
  if (validate === undefined) return []
  compiled.set("draft", validate)
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
