import * as Schema from "effect/Schema"
import { documented } from "../../api/Documented.ts"

/*
 * Fields and parameters that several operations of the admin API have.
 */

/** A moment as answers tell it. */
export const moment = (description: string) => Schema.String.annotate({ description, format: "date-time" })

/** The id of a run in an answer. */
export const runId = Schema.String.annotate({ description: "Identifier of the run.", format: "uuid" })

/** The address of a page of documentation, or its host form. */
export const siteText = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
  description: "A site: its address, or its host form such as `docs.example.com/v2`. A site stands for everything below it as well.",
  examples: ["docs.example.com"]
})

/** The same in a query. */
export const siteParameter = documented({
  type: "string",
  minLength: 1,
  maxLength: 2_048,
  description: "A site: its address, or its host form. A site stands for everything below it as well."
}, "docs.example.com").check(Schema.isMinLength(1), Schema.isMaxLength(2_048))

/** Where a page of a list begins. */
export const cursorParameter = (description: string) => documented({ type: "string", description }, "42").check(Schema.isMaxLength(2_048))

/** A cursor that is the number of a row: `null` where it is none. */
export const numberOf = (cursor: string): number | null => (/^\d{1,15}$/.test(cursor) ? Number(cursor) : null)
