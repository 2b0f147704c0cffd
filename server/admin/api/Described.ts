import * as Schema from "effect/Schema"
import { clampedParameter, documented } from "../../api/Parameters.ts"

/*
 * Fields and parameters of several operations of the admin API.
 */

/** A site by its URL or its host form. */
export const siteField = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2_048)).annotate({
  description: "A site: its URL, or its host form such as `docs.example.com/v2`. It includes everything below it.",
  examples: ["docs.example.com"]
})

/** The same in a query. */
export const siteParameter = documented(
  {
    type: "string",
    minLength: 1,
    maxLength: 2_048,
    description: "A site: its URL or its host form. It includes everything below it."
  },
  "docs.example.com"
).check(Schema.isMinLength(1), Schema.isMaxLength(2_048))

const cursorParameter = documented(
  { type: "string", description: "The `next_cursor` of the previous page." },
  "42"
).check(Schema.isMaxLength(2_048))

/** The query parameters of a list that is read page by page; `items` are what it lists. */
export const pageParameters = (items: string) => ({
  limit: Schema.optionalKey(
    clampedParameter({
      minimum: 1,
      maximum: 200,
      fallback: 50,
      description: `${items} per page. Out-of-range values are clamped.`
    })
  ),
  cursor: Schema.optionalKey(cursorParameter)
})

/** The same in a response: what to ask for next. */
export const nextCursor = Schema.String.annotate({ description: "The `cursor` of the next page; empty on the last." })

/** Parses a cursor that is a row number; `null`: invalid. */
export const cursorNumber = (cursor: string): number | null => (/^\d{1,15}$/.test(cursor) ? Number(cursor) : null)
