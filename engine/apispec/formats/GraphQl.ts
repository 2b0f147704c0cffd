import { readingLength } from "../../text/languages/Language.ts"
import type { DefinitionNode, DocumentNode, FieldDefinitionNode, InputValueDefinitionNode, TypeNode } from "graphql"
import { Kind } from "graphql/language/kinds.js"
import { noContract } from "../Contract.ts"
import type { ApiDescription } from "../ApiSpec.ts"
import { indexOf } from "./Description.ts"
import { NO_EXAMPLES } from "../examples/SpecExamples.ts"
import { noElements } from "../quality/Elements.ts"
import { graphQlValidity } from "./GraphQlValidity.ts"
import { cutTo } from "../text/Json.ts"
import { OPERATION_LIMIT } from "../quality/SpecOperations.ts"
import { portion } from "../quality/Quality.ts"
import type { GraphQlDocument } from "../text/ReadDocument.ts"

/** A field of a root type: what GraphQL has for an operation. */
interface RootField {
  readonly kind: "QUERY" | "MUTATION" | "SUBSCRIPTION"
  readonly field: FieldDefinitionNode
}

type Value = FieldDefinitionNode | InputValueDefinitionNode

/** A GraphQL schema in SDL: root fields are its operations, their arguments the parameters, other types' fields the properties. */
export const describeGraphQl = ({ document, text, url }: GraphQlDocument): ApiDescription => {
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
    ...indexOf(
      roots.map(({ kind, field }) => ({
        method: kind,
        path: field.name.value,
        id: field.name.value,
        summary: cutTo(textOf(field), 160)
      }))
    ),
    servers: [],
    security: {
      schemes: [],
      securedOperations: 0,
      undeclaredOperations: 0,
      saidToBeNone: false,
      refusingOperations: 0
    },
    elements: noElements,
    validity: graphQlValidity(document, text, roots.length),
    quality: {
      operationTexts: roots.map(({ field }) => readingLength(textOf(field))),
      describedParameters: portion(parameters.map((value) => textOf(value) !== "")),
      describedProperties: portion(properties.map((value) => textOf(value) !== "")),
      exampleOperations: { part: 0, whole: roots.length },
      // The language has no value without a type.
      typedFields: portion([...parameters, ...properties].map(() => true)),
      constrainedFields: portion([...parameters, ...properties].map((value) => isConstrained(value, enums, scalars))),
      errorOperations: { part: 0, whole: roots.length },
      helpfulErrors: { part: 0, whole: roots.length }
    },
    examples: NO_EXAMPLES,
    contract: noContract,
    sampleApi: null,
    files: 1,
    missingFiles: []
  }
}

const ROOT_KINDS = { query: "QUERY", mutation: "MUTATION", subscription: "SUBSCRIPTION" } as const

/** Names of the root types: as `schema` has them, else by convention. */
const rootTypes = (document: DocumentNode): ReadonlyMap<string, RootField["kind"]> => {
  const declared = document.definitions.flatMap((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION
      ? (definition.operationTypes ?? [])
      : []
  )
  return declared.length === 0
    ? new Map([
        ["Query", "QUERY"],
        ["Mutation", "MUTATION"],
        ["Subscription", "SUBSCRIPTION"]
      ])
    : new Map(declared.map(({ type, operation }) => [type.name.value, ROOT_KINDS[operation]]))
}

const rootFields = (document: DocumentNode): ReadonlyArray<RootField> => {
  const types = rootTypes(document)
  return document.definitions
    .flatMap((definition) => {
      if (!isObjectType(definition)) return []
      const kind = types.get(definition.name.value)
      return kind === undefined ? [] : (definition.fields ?? []).map((field) => ({ kind, field }))
    })
    .slice(0, OPERATION_LIMIT)
}

const isObjectType = (definition: DefinitionNode) =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION

const propertiesOf = (document: DocumentNode): ReadonlyArray<Value> => {
  const roots = rootTypes(document)
  return document.definitions.flatMap((definition): ReadonlyArray<Value> => {
    if (isObjectType(definition)) return roots.has(definition.name.value) ? [] : (definition.fields ?? [])
    const hasFields =
      definition.kind === Kind.INTERFACE_TYPE_DEFINITION || definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
    return hasFields ? (definition.fields ?? []) : []
  })
}

const namesOf = (
  document: DocumentNode,
  kind: Kind.ENUM_TYPE_DEFINITION | Kind.SCALAR_TYPE_DEFINITION
): ReadonlySet<string> =>
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
