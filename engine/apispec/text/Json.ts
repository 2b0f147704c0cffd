import { percentDecoded } from "../../text/UrlPath.ts"

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

/** A place in a JSON document: member names and indices from the top. As text it is a JSON pointer (RFC 6901). */
export type Path = ReadonlyArray<string>

/** A key that an object has twice, which parsers settle silently by taking the last. */
export interface DuplicateKey {
  /** Of the object. */
  readonly path: Path
  readonly key: string
}

export const pointerOf = (path: Path): string =>
  path.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** `null` where the text is no JSON pointer. */
export const pathOfPointer = (pointer: string): Path | null => {
  if (pointer === "") return []
  if (!pointer.startsWith("/")) return null
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
}

/** Of a pointer in the fragment of a URL, percent-encoded or, as many write it, not. */
export const pathOfFragment = (fragment: string): Path | null => pathOfPointer(percentDecoded(fragment) ?? fragment)

/** What the path leads to; `undefined` where it leads nowhere. */
export const valueAt = (root: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((value, segment) => {
    if (isList(value)) return /^(?:0|[1-9]\d{0,8})$/.test(segment) ? value[Number(segment)] : undefined
    return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
  }, root)

/** Whether a member's name, or an item's index, is on the way. */
export type PlaceStep = (key: string) => boolean

const LONGEST = 500
const MOST_STEPS = 20

const METHODS = new Set("get put post delete options head patch trace query".split(" "))

const OPERATIONS: ReadonlyArray<PlaceStep> = [
  (key) => key === "paths",
  (key) => key.startsWith("/"),
  (key) => METHODS.has(key)
]

/** The steps of a `PlaceQuery`'s `at`; `null` where it is neither a JSON pointer nor `operations`, or too long. */
export const placeSteps = (at: string): ReadonlyArray<PlaceStep> | null => {
  if (at === "operations") return OPERATIONS
  const path = at.length > LONGEST ? null : pathOfPointer(at)
  return path === null || path.length > MOST_STEPS
    ? null
    : path.map((segment) => (segment === "*" ? () => true : (key) => key === segment))
}
