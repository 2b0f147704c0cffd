import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isWithinDepth } from "./JsonText.ts"
import { plainLines, plainText } from "./PlainText.ts"

/** Longer than any text or URL of a report that was not made to do harm. */
const LONGEST = 10_000

/** Deeper than any report. */
const DEEPEST = 50

/** What is wrong with a text that should have been JSON of some shape, as one plain clause. */
class UnreadableJson extends Data.TaggedError("UnreadableJson")<{ readonly message: string }> {}

const isList = (value: Schema.Json): value is Schema.JsonArray => Array.isArray(value)

/** Members whose texts keep their lines: excerpts of bodies. */
const OF_LINES: ReadonlySet<string> = new Set(["body"])

const inert = (value: Schema.Json, name = ""): Schema.Json => {
  if (typeof value === "string")
    return OF_LINES.has(name) ? plainLines(value.slice(0, LONGEST)) : plainText(value, LONGEST)
  if (typeof value !== "object" || value === null) return value
  if (isList(value)) return value.map((member) => inert(member))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [plainText(name, LONGEST), inert(member, name)])
  )
}

/**
 * Reads JSON that came from elsewhere, a file or a service, as what it has to be, every text in it made fit to be shown:
 * it may have been written to do harm to a terminal or its reader.
 */
export const readInert = <A, I>(text: string, schema: Schema.Codec<A, I>): Effect.Effect<A, UnreadableJson> =>
  !isWithinDepth(text, DEEPEST)
    ? Effect.fail(new UnreadableJson({ message: `it is nested deeper than ${DEEPEST} levels` }))
    : Schema.decodeEffect(Schema.fromJsonString(Schema.Json))(text).pipe(
        Effect.flatMap((json) => Schema.decodeUnknownEffect(schema)(inert(json))),
        Effect.mapError(({ message }) => new UnreadableJson({ message: plainText(message, 200) }))
      )
