import {
  NO_PLACES,
  type PlaceQuery,
  PLACES_UNREAD,
  type PlacesInput,
  type SpecPlace,
  type SpecPlaces
} from "./SpecPlaces.ts"
import { type Documents, type Located, resolveReference, wayOf } from "../text/Documents.ts"
import { has, isList, isObject, type Json, stringAt } from "../text/Json.ts"
import { type PlaceStep, placeSteps } from "../text/PlacePattern.ts"
import { pointerOf } from "../text/Pointer.ts"
import { readDocument } from "../text/ReadDocument.ts"
import { gatherDocuments } from "./ReadSpec.ts"

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

/** A place on the way, and the pointer to it in the main document, whatever file it is in. */
interface Reached {
  readonly located: Located
  readonly at: ReadonlyArray<string>
}

const find = (documents: Documents, steps: ReadonlyArray<PlaceStep>, { only }: PlaceQuery): SpecPlaces => {
  let complete = true
  let visits = 0
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  let reached: ReadonlyArray<Reached> = [{ located: root, at: [] }]
  for (const step of steps) {
    const next: Array<Reached> = []
    for (const { at, located } of reached) {
      for (const [key, value] of membersOf(located.value)) {
        if (++visits > MOST_VISITS) return { ...PLACES_UNREAD }
        if (!step(key)) continue
        const { isKnown, target } = lastOf(documents, { ...located, value, path: [...located.path, key] })
        complete &&= isKnown
        next.push({ located: target, at: [...at, key] })
      }
    }
    reached = next
  }
  const places: Array<SpecPlace> = []
  let left = MOST_CHARACTERS
  for (const { at, located } of reached) {
    const value = projected(located.value, only)
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

const projected = (value: Json, only: PlaceQuery["only"]): Json =>
  only === undefined || !isObject(value)
    ? value
    : Object.fromEntries(
        only.flatMap((key) => {
          const own = has(value, key) ? value[key] : undefined
          return own === undefined ? [] : [[key, own] as const]
        })
      )
