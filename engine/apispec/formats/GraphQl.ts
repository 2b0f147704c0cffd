import { readingLength } from "../../text/languages/Language.ts"
import type {
  ASTVisitor,
  DefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  InputValueDefinitionNode,
  TypeExtensionNode,
  TypeNode
} from "graphql"
import { Kind } from "graphql/language/kinds.js"
import { noContract } from "../Contract.ts"
import { type ApiDescription, ERRORS_COUNTED, ERRORS_SHOWN, type SpecValidity } from "../ApiSpec.ts"
import { indexOf } from "./Description.ts"
import { NO_EXAMPLES } from "../examples/SpecExamples.ts"
import { noElements } from "../quality/Elements.ts"
import { cutTo } from "../text/Json.ts"
import { OPERATION_LIMIT } from "../quality/SpecOperations.ts"
import { portion } from "../quality/Quality.ts"
import type { GraphQlDocument } from "../text/ReadDocument.ts"
import { GraphQLError } from "graphql/error/GraphQLError.js"
import { isTypeDefinitionNode } from "graphql/language/predicates.js"
import { visit, visitInParallel } from "graphql/language/visitor.js"
import {
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isUnionType
} from "graphql/type/definition.js"
import { introspectionTypes } from "graphql/type/introspection.js"
import { specifiedScalarTypes } from "graphql/type/scalars.js"
import { validateSchema } from "graphql/type/validate.js"
import { buildASTSchema } from "graphql/utilities/buildASTSchema.js"
import { SDLValidationContext } from "graphql/validation/ValidationContext.js"
import { KnownArgumentNamesOnDirectivesRule } from "graphql/validation/rules/KnownArgumentNamesRule.js"
import { KnownDirectivesRule } from "graphql/validation/rules/KnownDirectivesRule.js"
import { KnownTypeNamesRule } from "graphql/validation/rules/KnownTypeNamesRule.js"
import { PossibleTypeExtensionsRule } from "graphql/validation/rules/PossibleTypeExtensionsRule.js"
import { specifiedSDLRules } from "graphql/validation/specifiedRules.js"

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
      if (!isObjectDefinition(definition)) return []
      const kind = types.get(definition.name.value)
      return kind === undefined ? [] : (definition.fields ?? []).map((field) => ({ kind, field }))
    })
    .slice(0, OPERATION_LIMIT)
}

const isObjectDefinition = (definition: DefinitionNode) =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION

const propertiesOf = (document: DocumentNode): ReadonlyArray<Value> => {
  const roots = rootTypes(document)
  return document.definitions.flatMap((definition): ReadonlyArray<Value> => {
    if (isObjectDefinition(definition)) return roots.has(definition.name.value) ? [] : (definition.fields ?? [])
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

/** What is wrong with a schema by the rules of the GraphQL specification: of the document, then of the schema that it defines. */
const graphQlValidity = (document: DocumentNode, text: string, operations: number): SpecValidity => {
  const { bySchema, errors } = errorsOf(document)
  return {
    errorCount: Math.min(errors.length, ERRORS_COUNTED),
    identityErrorCount: 0,
    errors: errors.slice(0, ERRORS_SHOWN).map((error) => ({
      rule: "structure",
      at: `line ${lineAt(text, error.positions?.[0] ?? 0)}`,
      message: cutTo(error.message, 160),
      operations
    })),
    // A schema with an error cannot be built, so no operation can be called by it.
    touchedOperations: errors.length === 0 ? 0 : operations,
    bySchema
  }
}

interface Checked {
  readonly errors: ReadonlyArray<GraphQLError>
  /** False where the schema could not be checked as a whole. */
  readonly bySchema: boolean
}

/** Thrown to leave the library's visitor once enough errors are known. */
const ENOUGH = new Error("enough errors")

/** As the library's `validateSDL`, which has no limit, and for each error counts the lines before it. */
const sdlErrorsOf = (document: DocumentNode): ReadonlyArray<GraphQLError> => {
  const errors: Array<GraphQLError> = []
  const context = new SDLValidationContext(document, undefined, (error) => {
    errors.push(error)
    if (errors.length >= ERRORS_COUNTED) throw ENOUGH
  })
  try {
    visit(document, visitInParallel(sdlRulesFor(document).map((rule) => rule(context))))
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  return errors
}

const errorsOf = (document: DocumentNode): Checked => {
  const errors = sdlErrorsOf(document)
  if (errors.length > 0) return { errors, bySchema: true }
  const schema = builtSchema(document)
  return schema !== null && isCheapToValidate(schema)
    ? { errors: validateSchema(schema), bySchema: true }
    : { errors, bySchema: false }
}

/** `null` where types lead to one another further than the library can follow. */
const builtSchema = (document: DocumentNode): GraphQLSchema | null => {
  try {
    return buildASTSchema(document, { assumeValidSDL: true })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Lines end in LF, CR or both. */
const lineAt = (text: string, position: number): number => text.slice(0, position).split(/\r\n|\n|\r/).length

/** Steps of one validation: schemas of thousands of types take some ten thousand. */
const STEPS = 300_000

/**
 * Whether the library validates a schema in few steps. It compares every type with each of its interfaces field by field
 * and argument by argument, and for each error lists all places that have a part in it, so that a small text may take hours.
 */
const isCheapToValidate = (schema: GraphQLSchema): boolean => {
  const types = Object.values(schema.getTypeMap())
  let steps = circleSteps(types.filter(isInputObjectType))
  for (const type of types) {
    if (steps > STEPS) return false
    if (isObjectType(type) || isInterfaceType(type)) steps += interfaceSteps(type, STEPS)
    else if (isUnionType(type)) steps += unionSteps(type)
  }
  return steps <= STEPS
}

/** Stops soon after `limit`. */
const interfaceSteps = (type: GraphQLObjectType | GraphQLInterfaceType, limit: number): number => {
  const interfaces = type.getInterfaces()
  const places = 1 + type.extensionASTNodes.length
  const fields = type.getFields()
  // An interface that is listed twice is an error that looks through the list.
  let steps = interfaces.length < 100 ? interfaces.length : interfaces.length ** 2
  for (const one of interfaces) {
    if (!isInterfaceType(one)) continue
    const above = one.getInterfaces().length
    steps += above * (above + 2 * interfaces.length + places)
    for (const field of Object.values(one.getFields())) {
      steps += places + field.args.length * (fields[field.name]?.args.length ?? 0)
      if (steps > limit) return steps
    }
  }
  return steps
}

/** Each member that is there twice, or no object, looks through all members. */
const unionSteps = (union: GraphQLUnionType): number => {
  const members = union.getTypes()
  const wrong = members.length - new Set(members).size + members.filter((member) => !isObjectType(member)).length
  return members.length + wrong * members.length
}

/** Each circle of required input objects is written out: it has at most as many steps as there are such objects. */
const circleSteps = (inputs: ReadonlyArray<GraphQLInputObjectType>): number => {
  const required = inputs.map(
    (input) =>
      Object.values(input.getFields()).filter(({ type }) => isNonNullType(type) && isInputObjectType(type.ofType))
        .length
  )
  return required.filter((count) => count > 0).length * required.reduce((sum, count) => sum + count, 0)
}

type Rule = (context: SDLValidationContext) => ASTVisitor

/** Definitions, and arguments of one directive, among which the library may look for a name like the one it does not know. */
const DEFINITIONS = 200
const ARGUMENTS = 200

/** Directives of gateways and servers are declared by those, not by the schema: not knowing them is no error. */
const RULES: ReadonlyArray<Rule> = specifiedSDLRules.filter((rule) => rule !== KnownDirectivesRule)

/**
 * The rules of the specification. For each name that a schema does not define the library compares all that it does, to
 * suggest one: for very large schemas the same rules are taken without suggestions.
 */
const sdlRulesFor = (document: DocumentNode): ReadonlyArray<Rule> => {
  const isLarge = document.definitions.length > DEFINITIONS
  const hasLongDirective = document.definitions.some(
    (definition) => definition.kind === Kind.DIRECTIVE_DEFINITION && (definition.arguments ?? []).length > ARGUMENTS
  )
  return RULES.filter((rule) => !hasLongDirective || rule !== KnownArgumentNamesOnDirectivesRule).map((rule) =>
    isLarge ? (PLAIN.get(rule) ?? rule) : rule
  )
}

const STANDARD: ReadonlySet<string> = new Set([...specifiedScalarTypes, ...introspectionTypes].map(({ name }) => name))

const kindsOf = (document: DocumentNode): ReadonlyMap<string, string> =>
  new Map(
    document.definitions.flatMap((definition) =>
      isTypeDefinitionNode(definition) ? [[definition.name.value, definition.kind] as const] : []
    )
  )

const knownTypeNames: Rule = (context) => {
  const kinds = kindsOf(context.getDocument())
  return {
    NamedType: (node) => {
      const name = node.name.value
      if (!kinds.has(name) && !STANDARD.has(name))
        context.reportError(new GraphQLError(`Unknown type "${name}".`, { nodes: node }))
    }
  }
}

const possibleTypeExtensions: Rule = (context) => {
  const kinds = kindsOf(context.getDocument())
  const check = (node: TypeExtensionNode): void => {
    const name = node.name.value
    const kind = kinds.get(name)
    const extended: string = node.kind
    if (kind === undefined)
      context.reportError(
        new GraphQLError(`Cannot extend type "${name}" because it is not defined.`, { nodes: node.name })
      )
    else if (kind.replace("Definition", "Extension") !== extended)
      context.reportError(new GraphQLError(`"${name}" is extended as another kind of type.`, { nodes: node }))
  }
  return {
    ScalarTypeExtension: check,
    ObjectTypeExtension: check,
    InterfaceTypeExtension: check,
    UnionTypeExtension: check,
    EnumTypeExtension: check,
    InputObjectTypeExtension: check
  }
}

const PLAIN: ReadonlyMap<Rule, Rule> = new Map([
  [KnownTypeNamesRule, knownTypeNames],
  [PossibleTypeExtensionsRule, possibleTypeExtensions]
])
