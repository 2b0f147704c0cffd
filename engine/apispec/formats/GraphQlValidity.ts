import type {
  ASTVisitor,
  DocumentNode,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  TypeExtensionNode
} from "graphql"
import { GraphQLError } from "graphql/error/GraphQLError.js"
import { Kind } from "graphql/language/kinds.js"
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
import type { SpecValidity } from "../ApiSpec.ts"
import { cutTo } from "../text/Json.ts"
import { ERRORS_COUNTED, ERRORS_SHOWN } from "../validity/Limits.ts"

/** What is wrong with a schema by the rules of the GraphQL specification: of the document, then of the schema that it defines. */
export const graphQlValidity = (document: DocumentNode, text: string, operations: number): SpecValidity => {
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
