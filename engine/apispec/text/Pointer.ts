import { percentDecoded } from "../../text/PercentDecoding.ts"
import { isList, isObject, type Json } from "./Json.ts"

/** A place in a JSON document: member names and indices from the top. As text it is a JSON pointer (RFC 6901). */
export type Path = ReadonlyArray<string>

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
