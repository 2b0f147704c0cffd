import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { count, flag } from "../../engine/criterion/Fact.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { FoundSpec } from "../../engine/site/ApiSpec.ts"
import { readDocumentation } from "./Documentation.ts"
import { type ErrorListing, errorsIn, tallied } from "./ErrorListing.ts"
import { phrase } from "./Phrase.ts"
import { capitalised } from "./Sighting.ts"
import { describePlace, passageOf, type Place, placesOf, type Subject } from "./Subject.ts"

const ERRORS: Subject = {
  called: phrase(
    "errors?", "error[- ](?:codes?|handling|responses?|messages?|types?|reference|objects?|format|classes|names?)", "warnings and errors", "exceptions?(?: classes| types| hierarchy)?",
    "(?:status|response|result|return|exit|fault|problem) (?:codes?|types?)", "troubleshooting", "failures?", "failure modes"
  ),
  spareWords: 2
}

/** A page or section that is named after one error: its name is the subject. */
const ONE_ERROR: Subject = {
  called: /(?<![\p{L}\p{N}_])(?:[A-Za-z_]\w*(?:\.|::|\\))*(?:[A-Z]\w*(?:Error|Exception)s?|(?<=[.:\\])(?:Error|Exception)s?)(?![\p{L}\p{N}_(])|^[45]\d\d(?= [A-Z]|$)/u,
  spareWords: 2
}

interface Candidate extends ErrorListing {
  readonly where: string
  readonly proof: Exchange
}

/** Enough errors to call a list complete; the rubric judges by the same number. */
const ENOUGH = 5

/** The most is said where enough errors are explained with advice; then where most are explained, then listed. */
const better = (one: Candidate, other: Candidate): Candidate => {
  const rank = ({ advice, explained, listed }: Candidate) => [explained >= ENOUGH && advice ? 1 : 0, explained, listed, advice ? 1 : 0]
  const theirs = rank(other)
  const difference = rank(one).map((value, index) => value - (theirs[index] ?? 0)).find((value) => value !== 0) ?? 0
  return difference < 0 ? other : one
}

export const d3Errors = define({
  id: "d3-errors",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    listed: count("Different errors of the API that are named or coded in the best place"),
    explained: count("Of those, with a meaning beside them"),
    advice: flag("It is said there what to do about them")
  },
  measure: Effect.fn("d3-errors")(function*(site) {
    const documentation = yield* readDocumentation(site)
    const { spec, tried } = documentation
    const places = [...placesOf(documentation, ERRORS), ...placesOf(documentation, ONE_ERROR)]
    const candidates = [...places.map(atPlace), ...(spec === null ? [] : [inSpec(spec)])]
    const best = candidates.reduce<Candidate>(better, { listed: 0, explained: 0, advice: false, where: "", proof: places[0]?.article.exchange ?? tried })
    const { advice, explained, listed, proof, where } = best
    const message = listed > 0
      ? `${capitalised(where)} lists ${counted(listed, "error")}, ${meaningsShown(explained, listed)}, and ${advice ? "says" : "does not say"} what to do.`
      : places[0] === undefined
      ? "Errors are the subject of no page, section, table or element of the API description."
      : `Errors are the subject of ${describePlace(places[0])}, which names none.`
    return {
      facts: { listed, explained, advice },
      findings: [{ good: explained >= ENOUGH && advice, message, proof }]
    }
  })
})

const meaningsShown = (explained: number, listed: number): string =>
  explained === listed ? (listed === 1 ? "with its meaning" : "all with their meanings") : `${explained === 0 ? "none" : explained} of them with a meaning`

const atPlace = (place: Place): Candidate =>
  ({ ...errorsIn(passageOf(place), place.text), where: describePlace(place), proof: place.article.exchange })

/** The Spec's error responses; a description lists them, and does not say what to do. */
const inSpec = ({ exchange, spec }: FoundSpec): Candidate => ({
  ...tallied(spec.elements.responses.flatMap(({ description, name }) => (/^[45](?:\d\d|xx)$/i.test(name) ? [[name, description] as const] : []))),
  advice: false,
  where: "the API description",
  proof: exchange
})
