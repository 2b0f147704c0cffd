import * as Predicate from "effect/Predicate"
import { type Answer, type Exchange, isOk } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/Text.ts"
import { type Canary, countsAsAbsent } from "../../engine/site/Canary.ts"

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON document at a well-known address: `null` as value where it is there and does not hold a JSON object. */
export interface JsonDocument {
  readonly answer: Answer
  readonly value: JsonObject | null
}

/** The documents among the exchanges; addresses that answer with an error, a web page or the catch-all are left out. */
export const jsonDocuments = (canary: Canary, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<JsonDocument> =>
  exchanges.flatMap((exchange) =>
    isOk(exchange) && !countsAsAbsent(canary, exchange, "json") ? [{ answer: exchange, value: parseObject(textOf(exchange).text) }] : [])

/** The JSON object that a text holds, or `null`. */
export const parseObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

export const isJsonObject = (value: unknown): value is JsonObject => Predicate.isObject(value) && !Array.isArray(value)

/** The member where it is a string that is not blank. */
export const stringAt = (value: JsonObject, key: string): string | null => {
  const member = value[key]
  return typeof member === "string" && member.trim() !== "" ? member : null
}

/** The member's objects where it is a list of nothing but objects and not empty; else `null`. */
export const objectsAt = (value: JsonObject, key: string): ReadonlyArray<JsonObject> | null => {
  const member = value[key]
  return Array.isArray(member) && member.length > 0 && member.every(isJsonObject) ? member : null
}
