import type { DocumentNode, IntrospectionQuery } from "graphql"
// By their files: the parts that are needed load in a fifth of the time, and all from one build of the library.
import { GraphQLError } from "graphql/error/GraphQLError.js"
import { parse } from "graphql/language/parser.js"
import { Source } from "graphql/language/source.js"
import { buildClientSchema } from "graphql/utilities/buildClientSchema.js"
import { printSchema } from "graphql/utilities/printSchema.js"
import { introspectionOf } from "./Format.ts"
import type { Json } from "./Json.ts"

/** Tokens of one schema: GitHub's has 150 000. */
const TOKEN_LIMIT = 2_000_000

/** A schema in SDL as the library reads it, or where it cannot. */
type GraphQlReading =
  | { readonly _tag: "Read"; readonly document: DocumentNode }
  /** ` (line 3, column 1)`; empty where there is no place. */
  | { readonly _tag: "Malformed"; readonly where: string }

export const readGraphQlText = (text: string): GraphQlReading => {
  const source = new Source(text)
  try {
    const document = parse(source, { maxTokens: TOKEN_LIMIT })
    // The library counts lines from the start of the text for each error; without a text there is nothing to count.
    source.body = ""
    return { _tag: "Read", document }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const place = error.locations?.[0]
    return { _tag: "Malformed", where: place === undefined ? "" : ` (line ${place.line}, column ${place.column})` }
  }
}

/** The schema that the result of an introspection describes, in SDL; `null` if it describes none. */
export const introspectedText = (root: Json): string | null => {
  try {
    // The library checks what it is given, and throws where that is no such result.
    return printSchema(buildClientSchema(introspectionOf(root) as unknown as IntrospectionQuery, { assumeValid: true }))
  } catch {
    return null
  }
}
