import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { formatInstant, parseInstant } from "../../engine/store/database/ColumnValues.ts"

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

/*
 * Parameters, as they are read and as they are documented. Invalid text gets a 400; an integer never does: out of range it
 * is clamped, and anything that is not a number counts as missing.
 */

/** A UUID in a path or query, that of a run unless its example says otherwise, converted to lower case. */
export const runIdParameter = (description: string, example = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b") =>
  documented({ type: "string", format: "uuid", description }, example)
    .check(Schema.isUUID())
    .pipe(Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()))

/** An integer, clamped to its range. If it is repeated, the first value counts. */
export const clampedParameter = ({
  fallback,
  maximum,
  minimum,
  ...rest
}: {
  readonly minimum: number
  readonly maximum: number
  readonly fallback: number
  readonly description: string
}) => {
  const shown: JsonSchema.JsonSchema = {
    type: "integer",
    minimum,
    maximum,
    default: fallback,
    ...rest,
    example: fallback
  }
  const raw = Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ [DOCUMENTED]: shown })
  return raw.pipe(
    Schema.decodeTo(
      Schema.Number,
      SchemaTransformation.transform({
        decode: (text) => clamp(typeof text === "string" ? text : (text[0] ?? ""), minimum, maximum, fallback),
        encode: (value): string | ReadonlyArray<string> => String(value)
      })
    )
  )
}

const clamp = (text: string, minimum: number, maximum: number, fallback: number): number => {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return Number.isNaN(value) ? fallback : Math.min(maximum, Math.max(minimum, Math.trunc(value)))
}

/** An RFC 3339 timestamp, converted to UTC with microseconds. Finer fractions are rounded up, so that "strictly older" still holds. */
export const timestampParameter = (description: string) =>
  documented({ type: "string", format: "date-time", description }, "2026-11-20T08:15:30.123456Z").pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transformEffect({
        decode: (text, options) => {
          const micros = parseInstant(text)
          return micros === null
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: "not an RFC 3339 timestamp" }, text, options))
            : Effect.succeed(formatInstant(micros))
        },
        encode: (instant) => Effect.succeed(instant)
      })
    )
  )

/** One of a few words. */
export const wordParameter = <const Words extends ReadonlyArray<string>>(
  words: Words,
  fallback: Words[number],
  description: string
) =>
  Schema.Literals(words).annotate({
    [DOCUMENTED]: { type: "string", enum: [...words], default: fallback, description, example: fallback }
  })

/** `true` or `false`. */
export const flagParameter = (description: string) =>
  Schema.Literals(["true", "false"])
    .annotate({ [DOCUMENTED]: { type: "boolean", default: false, description, example: true } })
    .pipe(
      Schema.decodeTo(
        Schema.Boolean,
        SchemaTransformation.transform({
          decode: (word) => word === "true",
          encode: (on): "true" | "false" => (on ? "true" : "false")
        })
      )
    )

/** Text of a form. */
export const formedParameter = (pattern: RegExp, description: string, example: string) =>
  documented({ type: "string", pattern: pattern.source, description }, example).check(Schema.isPattern(pattern))

/** Text of a bounded length. */
export const textParameter = (
  description: string,
  {
    example,
    longest,
    shortest = 0
  }: {
    readonly example: string
    readonly longest: number
    readonly shortest?: number
  }
) =>
  documented(
    { type: "string", ...(shortest === 0 ? {} : { minLength: shortest }), maxLength: longest, description },
    example
  ).check(Schema.isMinLength(shortest), Schema.isMaxLength(longest))
