import * as Predicate from "effect/Predicate"

/** The value of a JSON text; `undefined`, which no JSON value is, if the text is not JSON. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject => Predicate.isObject(value) && !Array.isArray(value)
