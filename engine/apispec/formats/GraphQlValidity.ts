import type { DocumentNode, GraphQLError, GraphQLSchema } from "graphql"
import { validateSchema } from "graphql/type/validate.js"
import { buildASTSchema } from "graphql/utilities/buildASTSchema.js"
import { validateSDL } from "graphql/validation/validate.js"
import type { SpecValidity } from "../ApiSpec.ts"
import { ERRORS_COUNTED, ERRORS_SHOWN } from "../validity/Limits.ts"
import { cutTo } from "../text/Json.ts"
import { isCheapToValidate } from "./GraphQlEffort.ts"
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

const errorsOf = (document: DocumentNode): Checked => {
  const errors = validateSDL(document, undefined, sdlRulesFor(document))
  if (errors.length > 0) return { errors, bySchema: true }
  const schema = builtSchema(document)
  return schema !== null && isCheapToValidate(schema) ? { errors: validateSchema(schema), bySchema: true } : { errors, bySchema: false }
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
