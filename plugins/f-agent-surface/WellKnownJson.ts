import { type Answer, type Exchange, isOk } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonObject.ts"
import { parsedJson } from "../../engine/text/JsonText.ts"
import { countsAsAbsent, type NotFoundProbe } from "../../engine/site/wellknown/FileVerdict.ts"

/** A document at a well-known URL; its `value` is `null` if it is not a JSON object. */
export interface WellKnownJson {
  readonly answer: Answer
  readonly value: JsonObject | null
}

/** The documents among the exchanges, without errors, HTML pages and soft 404s. */
export const jsonDocuments = (
  notFoundProbe: NotFoundProbe,
  exchanges: ReadonlyArray<Exchange>
): ReadonlyArray<WellKnownJson> =>
  exchanges.flatMap((exchange) =>
    isOk(exchange) && !countsAsAbsent(notFoundProbe, exchange, "json")
      ? [{ answer: exchange, value: parseObject(textOf(exchange).text) }]
      : []
  )

/** Parses a JSON object; `null` for anything else. */
export const parseObject = (text: string): JsonObject | null => {
  const value = parsedJson(text)
  return isJsonObject(value) ? value : null
}

/** The member, if it is a string that is not blank. */
export const filledStringAt = (value: JsonObject, key: string): string | null => {
  const member = value[key]
  return typeof member === "string" && member.trim() !== "" ? member : null
}

/** The member, if it is a list of objects that is not empty. */
export const filledObjectsAt = (value: JsonObject, key: string): ReadonlyArray<JsonObject> | null => {
  const member = value[key]
  return Array.isArray(member) && member.length > 0 && member.every(isJsonObject) ? member : null
}
