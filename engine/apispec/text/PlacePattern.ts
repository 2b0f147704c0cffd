import { pathOfPointer } from "./Pointer.ts"

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
