import type { Finding } from "../../engine/criterion/Criterion.ts"
import { capitalised, itemised } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { ApiDescription, FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import { clippedProse } from "../../engine/text/MarkdownText.ts"
import type { Entry } from "./Entries.ts"
import {
  describePlace,
  type Passage,
  passageOf,
  pathAndQuery,
  type Place,
  QUOTED_CHARACTERS,
  surestFirst
} from "./Topic.ts"

/** Where something is documented. */
export interface Citation {
  /** In words, to begin a sentence once capitalised: `the section "Rate limits" of /introduction`. */
  readonly where: string
  readonly proof: Exchange
}

export const foundAt = (place: Place): Citation => ({ where: describePlace(place), proof: place.article.exchange })

/** The surest place whose passage passes the test. */
export const foundIn = (
  places: ReadonlyArray<Place>,
  holds: (passage: Passage, place: Place) => boolean
): Citation | null => {
  const place = surestFirst(places).find((candidate) => holds(passageOf(candidate), candidate))
  return place === undefined ? null : foundAt(place)
}

/** The first entry of a table or a definition list that passes the test. */
export const foundAmong = (entries: ReadonlyArray<Entry>, is: (entry: Entry) => boolean): Citation | null => {
  const entry = entries.find(is)
  return entry === undefined
    ? null
    : {
        where: `the entry ${clippedProse(entry.name, QUOTED_CHARACTERS)} on ${pathAndQuery(entry.article.url)}`,
        proof: entry.article.exchange
      }
}

/** The API description, if it passes the test. */
export const foundInSpec = (
  found: FoundSpec | null,
  says: (spec: ApiDescription) => boolean,
  what = "the API description"
): Citation | null => (found !== null && says(found.spec) ? { where: what, proof: found.exchange } : null)

/** One of the parts that a criterion asks for. */
export interface Part {
  /** What it is, to follow "Documented:" or "Missing:". */
  readonly name: string
  /** What is missing without it, where that is less than the name says. */
  readonly missing?: string
  /** What the place does that has it; without it, "documents" and the name. */
  readonly does?: string
  readonly seen: Citation | null
}

/** The finding for when no part was found. */
export interface Nothing {
  readonly message: string
  readonly tried: Exchange
}

/** A summary of which parts were found, then one finding for each. */
export const findingsOfParts = (
  parts: ReadonlyArray<Part>,
  nothing: Nothing
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const found = parts.flatMap(({ does, name, seen }) =>
    seen === null ? [] : [{ name, seen, does: does ?? `documents ${name}` }]
  )
  const missing = parts.flatMap(({ missing, name, seen }) => (seen === null ? [missing ?? name] : []))
  const [first] = found
  if (first === undefined) return [{ good: false, message: nothing.message, proof: nothing.tried }]
  // What is missing comes first: short reports cut the end off.
  const documented = `Documented: ${itemised(found.map(({ name }) => name))}.`
  const summary = missing.length === 0 ? documented : `Missing: ${itemised(missing)}. ${documented}`
  return [
    { good: missing.length === 0, message: summary, proof: first.seen.proof },
    ...found.map(({ does, seen }) => ({
      good: true,
      message: `${capitalised(seen.where)} ${does}.`,
      proof: seen.proof
    }))
  ]
}
