import type {
  DocumentNode,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType
} from "graphql"
import { visit, visitInParallel } from "graphql/language/visitor.js"
import {
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isUnionType
} from "graphql/type/definition.js"
import { validateSchema } from "graphql/type/validate.js"
import { buildASTSchema } from "graphql/utilities/buildASTSchema.js"
import { SDLValidationContext } from "graphql/validation/ValidationContext.js"
import type { SpecValidity } from "../ApiSpec.ts"
import { cutTo } from "../text/Json.ts"
import { ERRORS_COUNTED, ERRORS_SHOWN } from "../validity/Limits.ts"
import { sdlRulesFor } from "./GraphQlRules.ts"

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
