/** A JSON value as read: from JSON, or from YAML as its JSON equivalent. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** A member of its own: `toString` and the like are none. */
export const member = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

export const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const found = member(value, key)
  return isObject(found) ? found : EMPTY
}

export const listAt = (value: Json | undefined, key: string): ReadonlyArray<Json> => {
  const found = member(value, key)
  return isList(found) ? found : []
}

/** Trimmed; empty where there is no string. */
export const stringAt = (value: Json | undefined, key: string): string => {
  const found = member(value, key)
  return typeof found === "string" ? found.trim() : ""
}

/** A string or a number as text (YAML reads an unquoted version as a number); empty for anything else. */
export const wordAt = (value: Json | undefined, key: string): string => {
  const found = member(value, key)
  return typeof found === "number" ? String(found) : stringAt(value, key)
}

export const has = (value: Json | undefined, key: string): boolean => isObject(value) && Object.hasOwn(value, key)

export const entriesAt = (value: Json | undefined, key: string): ReadonlyArray<readonly [string, Json]> =>
  Object.entries(objectAt(value, key))

/** At most `characters`, and no half of a surrogate pair at the end. */
export const cutTo = (text: string, characters: number): string =>
  text.length <= characters ? text : text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, "")

const EMPTY: JsonObject = {}
