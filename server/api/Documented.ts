import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"

/** The annotation under which a schema carries what the contract document says in its place. */
export const DOCUMENTED = "x-documented"

/**
 * A string on the wire that means something narrower: what the contract document shows instead of "a string". For
 * parameters and headers, which HTTP sends as text and which are read more leniently than they are documented.
 */
export const documented = (schema: JsonSchema.JsonSchema, example: string | number | boolean) =>
  Schema.String.annotate({ [DOCUMENTED]: { ...schema, example } })
