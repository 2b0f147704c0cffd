import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"

/** The annotation with the schema that the contract document shows instead. */
export const DOCUMENTED = "x-documented"

/**
 * A string on the wire that the contract document shows with a narrower schema. For parameters and headers: HTTP sends them
 * as text, and the service reads them more leniently than documented.
 */
export const documented = (schema: JsonSchema.JsonSchema, example: string | number | boolean) =>
  Schema.String.annotate({ [DOCUMENTED]: { ...schema, example } })

/*
 * Fields of several bodies of the contract and of the admin API.
 */

export const runId = Schema.String.annotate({ description: "Identifier of the run.", format: "uuid" })

/** A timestamp, RFC 3339. */
export const instant = (description: string) => Schema.String.annotate({ description, format: "date-time" })

/** The message of an error. */
export const errorText = Schema.String.annotate({ description: "What went wrong, for people. The wording may change." })
