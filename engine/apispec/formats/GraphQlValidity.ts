import type { DocumentNode, GraphQLError, GraphQLSchema } from "graphql"
import { visit, visitInParallel } from "graphql/language/visitor.js"
import { validateSchema } from "graphql/type/validate.js"
import { buildASTSchema } from "graphql/utilities/buildASTSchema.js"
import { SDLValidationContext } from "graphql/validation/ValidationContext.js"
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
