import type { Finding } from "../../engine/criterion/Criterion.ts"
import { enumerated } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { ApiDescription, FoundSpec } from "../../engine/site/ApiSpec.ts"
import { describePlace, type Entry, type Passage, passageOf, pathOf, type Place } from "./Subject.ts"

/** Where something was seen to be documented. */
export interface Sighting {
  /** In words that begin a sentence once capitalised: `the section "Rate limits" of /introduction`. */
  readonly where: string
  readonly proof: Exchange
}

export const seenAt = (place: Place): Sighting => ({ where: describePlace(place), proof: place.article.exchange })

/** The first place whose passage holds what is looked for. */
export const seenIn = (places: ReadonlyArray<Place>, holds: (passage: Passage, place: Place) => boolean): Sighting | null => {
  const place = places.find((candidate) => holds(passageOf(candidate), candidate))
  return place === undefined ? null : seenAt(place)
}

/** The first entry of a table or a definition list that is what is looked for. */
export const seenAmong = (entries: ReadonlyArray<Entry>, is: (entry: Entry) => boolean): Sighting | null => {
  const entry = entries.find(is)
  return entry === undefined ? null : { where: `the entry ${entry.name.slice(0, 40)} on ${pathOf(entry.article.url)}`, proof: entry.article.exchange }
}

/** The API description, where it says what is looked for. */
export const seenInSpec = (found: FoundSpec | null, says: (spec: ApiDescription) => boolean, what = "the API description"): Sighting | null =>
  found !== null && says(found.spec) ? { where: what, proof: found.exchange } : null

/** One of the things that a criterion asks for. */
export interface Part {
  /** What it is, to follow "documents" or "missing:". */
  readonly name: string
  readonly seen: Sighting | null
}

/** Where nothing at all was found. */
export interface Nothing {
  /** One plain sentence. */
  readonly message: string
  readonly tried: Exchange
}

/** A summary of which parts were found, then one finding for each of them. */
export const findingsOfParts = (parts: ReadonlyArray<Part>, nothing: Nothing): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const found = parts.flatMap(({ name, seen }) => (seen === null ? [] : [{ name, seen }]))
  const missing = parts.filter(({ seen }) => seen === null).map(({ name }) => name)
  const [first] = found
  if (first === undefined) return [{ good: false, message: nothing.message, proof: nothing.tried }]
  const summary = missing.length === 0
    ? `Documented are ${enumerated(parts.map(({ name }) => name))}.`
    : `${found.length} of ${parts.length} ${found.length === 1 ? "is" : "are"} documented: ${enumerated(found.map(({ name }) => name))}; missing: ${enumerated(missing)}.`
  return [
    { good: missing.length === 0, message: summary, proof: first.seen.proof },
    ...found.map(({ name, seen }) => ({ good: true, message: `${capitalised(seen.where)} documents ${name}.`, proof: seen.proof }))
  ]
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
