import * as Schema from "effect/Schema"

/*
 * Fields of several bodies of the contract and of the admin API.
 */

/** The id of a run. */
export const runId = Schema.String.annotate({ description: "Identifier of the run.", format: "uuid" })

/** A timestamp, RFC 3339. */
export const instant = (description: string) => Schema.String.annotate({ description, format: "date-time" })

/** The message of an error. */
export const errorText = Schema.String.annotate({ description: "What went wrong, for people. The wording may change." })
