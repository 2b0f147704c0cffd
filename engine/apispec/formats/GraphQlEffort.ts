import type {
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType
} from "graphql"
import {
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isUnionType
} from "graphql/type/definition.js"

/** Steps of one validation: schemas of thousands of types take some ten thousand. */
const STEPS = 300_000

/**
 * Whether the library validates a schema in few steps. It compares every type with each of its interfaces field by field
 * and argument by argument, and for each error lists all places that have a part in it, so that a small text may take hours.
 */
export const isCheapToValidate = (schema: GraphQLSchema): boolean => {
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
