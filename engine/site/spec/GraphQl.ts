import type { DefinitionNode, DocumentNode, FieldDefinitionNode, InputValueDefinitionNode, TypeNode } from "graphql"
// By their files: the parts that are needed load in a fifth of the time, and all from one build of the library.
import { GraphQLError } from "graphql/error/GraphQLError.js"
import { Kind } from "graphql/language/kinds.js"
import { parse } from "graphql/language/parser.js"
import { Source } from "graphql/language/source.js"
import { validateSDL } from "graphql/validation/validate.js"
import type { ApiDescription, SpecValidity, Unparsed } from "../ApiSpec.ts"
import { indexOf } from "./Description.ts"
import { noElements } from "./Elements.ts"
import { rulesFor } from "./GraphQlRules.ts"
import { cutTo } from "./Json.ts"
import { OPERATION_LIMIT } from "./Operations.ts"
import { portion } from "./Quality.ts"
import type { GraphQlDocument } from "./ReadDocument.ts"

/** Tokens of one schema: GitHub's has 150 000. */
const TOKEN_LIMIT = 2_000_000

/** A field of a root type: what GraphQL has for an operation. */
interface RootField {
  readonly kind: "QUERY" | "MUTATION" | "SUBSCRIPTION"
  readonly field: FieldDefinitionNode
}

type Value = FieldDefinitionNode | InputValueDefinitionNode

/** A GraphQL schema in SDL: root fields are its operations, their arguments the parameters, other types' fields the properties. */
export const describeGraphQl = ({ url, text }: GraphQlDocument): ApiDescription | Unparsed => {
  const source = new Source(text)
  const document = parsed(source)
  if (document instanceof GraphQLError) {
    const place = document.locations?.[0]
    const where = place === undefined ? "" : ` (line ${place.line}, column ${place.column})`
    return { _tag: "Unparsed", url, reason: "syntax", message: `it is not valid GraphQL${where}` }
  }
  // The library counts lines from the start of the text for each error; without a text there is nothing to count.
  source.body = ""
  const roots = rootFields(document)
  const parameters = roots.flatMap(({ field }) => field.arguments ?? [])
  const properties = propertiesOf(document)
  const enums = namesOf(document, Kind.ENUM_TYPE_DEFINITION)
  const scalars = namesOf(document, Kind.SCALAR_TYPE_DEFINITION)
  return {
    _tag: "ApiDescription",
    url,
    format: "graphql",
    formatVersion: "",
    title: "",
    version: "",
    description: "",
    ...indexOf(roots.map(({ kind, field }) => ({
      method: kind,
      path: field.name.value,
      id: field.name.value,
      summary: cutTo(textOf(field), 160)
    }))),
    servers: [],
    security: { schemes: [], securedOperations: 0, undeclaredOperations: 0, saidToBeNone: false, refusingOperations: 0 },
    elements: noElements,
    validity: validityOf(document, text, roots.length),
    quality: {
      operationTexts: roots.map(({ field }) => textOf(field).length),
      describedParameters: portion(parameters.map((value) => textOf(value) !== "")),
      describedProperties: portion(properties.map((value) => textOf(value) !== "")),
      exampleOperations: { part: 0, whole: roots.length },
      // The language has no value without a type.
      typedFields: portion([...parameters, ...properties].map(() => true)),
      constrainedFields: portion([...parameters, ...properties].map((value) => isConstrained(value, enums, scalars))),
      errorOperations: { part: 0, whole: roots.length }
    },
    petStore: false,
    files: 1,
    missingFiles: []
  }
}

const parsed = (source: Source): DocumentNode | GraphQLError => {
  try {
    return parse(source, { maxTokens: TOKEN_LIMIT })
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

const ROOT_KINDS = { query: "QUERY", mutation: "MUTATION", subscription: "SUBSCRIPTION" } as const

/** Names of the root types: as `schema` has them, else by convention. */
const rootTypes = (document: DocumentNode): ReadonlyMap<string, RootField["kind"]> => {
  const declared = document.definitions.flatMap((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION ? definition.operationTypes ?? [] : [])
  return declared.length === 0
    ? new Map([["Query", "QUERY"], ["Mutation", "MUTATION"], ["Subscription", "SUBSCRIPTION"]])
    : new Map(declared.map(({ type, operation }) => [type.name.value, ROOT_KINDS[operation]]))
}

const rootFields = (document: DocumentNode): ReadonlyArray<RootField> => {
  const types = rootTypes(document)
  return document.definitions.flatMap((definition) => {
    if (!isObjectType(definition)) return []
    const kind = types.get(definition.name.value)
    return kind === undefined ? [] : (definition.fields ?? []).map((field) => ({ kind, field }))
  }).slice(0, OPERATION_LIMIT)
}

const isObjectType = (definition: DefinitionNode) =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION

const propertiesOf = (document: DocumentNode): ReadonlyArray<Value> => {
  const roots = rootTypes(document)
  return document.definitions.flatMap((definition): ReadonlyArray<Value> => {
    if (isObjectType(definition)) return roots.has(definition.name.value) ? [] : definition.fields ?? []
    const hasFields = definition.kind === Kind.INTERFACE_TYPE_DEFINITION || definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
    return hasFields ? definition.fields ?? [] : []
  })
}

const namesOf = (document: DocumentNode, kind: Kind.ENUM_TYPE_DEFINITION | Kind.SCALAR_TYPE_DEFINITION): ReadonlySet<string> =>
  new Set(document.definitions.flatMap((definition) => (definition.kind === kind ? [definition.name.value] : [])))

const BUILT_IN = new Set(["String", "Int", "Float", "ID"])

/** Enumerations and scalars of its own say what a value may be, as `enum` and `format` do; `null` for objects and booleans. */
const isConstrained = (value: Value, enums: ReadonlySet<string>, scalars: ReadonlySet<string>): boolean | null => {
  const name = namedType(value.type)
  if (enums.has(name) || scalars.has(name)) return true
  return BUILT_IN.has(name) ? "defaultValue" in value && value.defaultValue !== undefined : null
}

const namedType = (type: TypeNode): string => {
  let at = type
  while (at.kind !== Kind.NAMED_TYPE) at = at.type
  return at.name.value
}

const textOf = (node: Value): string => node.description?.value.trim() ?? ""

const validityOf = (document: DocumentNode, text: string, operations: number): SpecValidity => {
  const errors = validateSDL(document, undefined, rulesFor(document))
  return {
    errorCount: errors.length,
    errors: errors.slice(0, 50).map((error) => ({
      rule: "structure",
      at: `line ${lineAt(text, error.positions?.[0] ?? 0)}`,
      message: cutTo(error.message, 160),
      operations: 0
    })),
    // A schema with an error cannot be built, so no operation can be called by it.
    touchedOperations: errors.length === 0 ? 0 : operations,
    bySchema: true
  }
}

/** Lines end in LF, CR or both. */
const lineAt = (text: string, position: number): number => text.slice(0, position).split(/\r\n|\n|\r/).length
