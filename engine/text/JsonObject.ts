import * as Predicate from "effect/Predicate"

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject => Predicate.isObject(value) && !Array.isArray(value)
