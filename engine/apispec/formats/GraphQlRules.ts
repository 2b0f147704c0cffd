import type { ASTVisitor, DocumentNode, TypeExtensionNode } from "graphql"
import { GraphQLError } from "graphql/error/GraphQLError.js"
import { Kind } from "graphql/language/kinds.js"
import { isTypeDefinitionNode } from "graphql/language/predicates.js"
import { introspectionTypes } from "graphql/type/introspection.js"
import { specifiedScalarTypes } from "graphql/type/scalars.js"
import { KnownArgumentNamesOnDirectivesRule } from "graphql/validation/rules/KnownArgumentNamesRule.js"
import { KnownDirectivesRule } from "graphql/validation/rules/KnownDirectivesRule.js"
import { KnownTypeNamesRule } from "graphql/validation/rules/KnownTypeNamesRule.js"
import { PossibleTypeExtensionsRule } from "graphql/validation/rules/PossibleTypeExtensionsRule.js"
import { specifiedSDLRules } from "graphql/validation/specifiedRules.js"
import type { SDLValidationContext } from "graphql/validation/ValidationContext.js"

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
export const sdlRulesFor = (document: DocumentNode): ReadonlyArray<Rule> => {
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
