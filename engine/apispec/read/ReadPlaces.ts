import { type Documents, type Located, resolveReference, wayOf } from "../text/Documents.ts"
import {
  has,
  isList,
  isObject,
  type Json,
  member,
  type PlaceStep,
  placeSteps,
  pointerOf,
  stringAt
} from "../text/Json.ts"
import { readDocument } from "../text/ReadDocument.ts"
import { gatherDocuments } from "./ReadSpec.ts"
import {
  NO_PLACES,
  type PlaceQuery,
  PLACES_UNREAD,
  type PlacesInput,
  type SpecPlace,
  type SpecPlaces
} from "./SpecPlaces.ts"

const MOST_PLACES = 5_000
const MOST_CHARACTERS = 4_000_000
/** Members and items that are looked at on the way. */
const MOST_VISITS = 200_000

/** Finds what a query asks of a description. Never fails; takes as long as reading the description: call it in a thread. */
export const readPlaces = async ({ query, ...input }: PlacesInput): Promise<SpecPlaces> => {
  const steps = placeSteps(query.at)
  if (steps === null) return NO_PLACES
  try {
    const reading = await readDocument(input.document, input.limits)
    if (reading._tag !== "ParsedDocument") return reading._tag === "GraphQlDocument" ? NO_PLACES : PLACES_UNREAD
    return find(await gatherDocuments(input, reading), steps, query)
  } catch {
    return PLACES_UNREAD
  }
}

/** Levels below a place at which references are followed: to an operation's parameters and responses, and not into their schemas. */
const LEVELS = 2

/** A place on the way, the pointer to it in the main document, whatever file it is in, and what it is in. */
interface Reached {
  readonly located: Located
  readonly at: ReadonlyArray<string>
  readonly above: Located | null
}

const find = (documents: Documents, steps: ReadonlyArray<PlaceStep>, { at: wanted, only }: PlaceQuery): SpecPlaces => {
  let complete = true
  let visits = 0
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  let reached: ReadonlyArray<Reached> = [{ located: root, at: [], above: null }]
  for (const step of steps) {
    const next: Array<Reached> = []
    for (const { at, located } of reached) {
      for (const [key, value] of membersOf(located.value)) {
        if (++visits > MOST_VISITS) return { ...PLACES_UNREAD }
        if (!step(key)) continue
        const { isKnown, target } = lastOf(documents, { ...located, value, path: [...located.path, key] })
        complete &&= isKnown
        next.push({ located: target, at: [...at, key], above: located })
      }
    }
    reached = next
  }
  const places: Array<SpecPlace> = []
  let left = MOST_CHARACTERS
  const inside = (located: Located, levels: number): Json => {
    if (levels === 0) return located.value
    const members = membersOf(located.value).map(([key, value]): readonly [string, Json] => {
      visits++
      const { isKnown, target } = lastOf(documents, { ...located, value, path: [...located.path, key] })
      complete &&= isKnown
      return [key, inside(target, levels - 1)]
    })
    if (isList(located.value)) return members.map(([, value]) => value)
    return isObject(located.value) ? Object.fromEntries(members) : located.value
  }
  for (const { above, at, located } of reached) {
    const own = inside({ ...located, value: projected(located.value, only) }, LEVELS)
    const hasShared = wanted === "operations" && above !== null && only?.includes("parameters") !== false
    const value = hasShared
      ? withShared(
          own,
          member(inside({ ...above, value: projected(above.value, ["parameters"]) }, LEVELS), "parameters")
        )
      : own
    if (visits > MOST_VISITS) return { ...PLACES_UNREAD }
    left -= JSON.stringify(value).length
    if (left < 0 || places.length === MOST_PLACES)
      return { _tag: "SpecPlaces", isDocument: true, places, complete: false }
    places.push({ at: pointerOf(at), value })
  }
  return { _tag: "SpecPlaces", isDocument: true, places, complete }
}

const membersOf = (value: Json): ReadonlyArray<readonly [string, Json]> =>
  isObject(value) || isList(value) ? Object.entries(value) : []

/** Where the references of a place lead, and whether that is known: a file may not have been read. */
const lastOf = (documents: Documents, start: Located): { readonly target: Located; readonly isKnown: boolean } => {
  const target = wayOf(documents, start).at(-1) ?? start
  const ref = stringAt(target.value, "$ref")
  return { target, isKnown: ref === "" || resolveReference(documents, ref, target.document)._tag !== "Unread" }
}

/** An operation with the parameters that its path has for all operations; one of its own with the same name and place counts instead. */
const withShared = (operation: Json, shared: Json | undefined): Json => {
  if (!isObject(operation) || !isList(shared)) return operation
  const own = isList(operation["parameters"]) ? operation["parameters"] : []
  const names = new Set(own.map(parameterKey))
  return { ...operation, parameters: [...own, ...shared.filter((one) => !names.has(parameterKey(one)))] }
}

const parameterKey = (parameter: Json): string =>
  JSON.stringify([stringAt(parameter, "in"), stringAt(parameter, "name")])

const projected = (value: Json, only: PlaceQuery["only"]): Json =>
  only === undefined || !isObject(value)
    ? value
    : Object.fromEntries(
        only.flatMap((key) => {
          const own = has(value, key) ? value[key] : undefined
          return own === undefined ? [] : [[key, own] as const]
        })
      )
