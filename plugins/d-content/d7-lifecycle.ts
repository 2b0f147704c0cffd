import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, flag } from "../../engine/criterion/Fact.ts"
import { changelogOf } from "./Changelog.ts"
import { readDocumentation } from "./Documentation.ts"
import { phrase } from "./Phrase.ts"
import { capitalised, findingsOfParts, seenAt, seenIn, seenInSpec } from "./Sighting.ts"
import { type Place, placesOf, type Subject } from "./Subject.ts"
import { type Day, daysBetween } from "./WrittenDate.ts"

const POLICY: Subject = {
  called: phrase(
    "(?:api )?deprecation(?:s)?(?: and [\\p{L}]+)?(?: (?:policy|policies|process|schedule|timeline|notice|strategy))?", "deprecation policy", "versioning(?: (?:policy|scheme|strategy))?", "version(?:ing)? (?:policy|support|lifecycle)",
    "(?:api )?stability(?: (?:policy|guarantees?|and deprecation policy))?", "semantic versioning", "support policy", "sunset(?:ting)?(?: policy)?", "(?:api|version|product|release|feature) life ?cycle(?: policy)?", "life ?cycle policy", "release (?:policy|cycle|cadence|process)",
    "(?:backwards?[- ]compatib(?:ility|le)|backward incompatible changes|breaking changes?)(?: policy)?"
  ),
  spareWords: 2
}
const GLOSSARY: Subject = {
  called: phrase("glossary(?: of terms)?", "terminology", "vocabulary", "key terms", "terms and definitions", "definitions of terms"),
  spareWords: 1
}

/** A policy promises; a list of what was deprecated in a release only tells. */
const PROMISES = /\b(?:semantic versioning|semver|policy|months?|years?|weeks|\d+ days|notice|announce|guarantee|in advance|end[- ]of[- ]life|major (?:version|release)|(?:will|may|can|shall|never|not) (?:be |not )?(?:removed?|support(?:ed)?|break|chang(?:e|ed)|deprecat(?:e|ed)|maintain(?:ed)?)|supported (?:for|until)|backwards?[- ]compatib)/i
/** A heading of a changelog's entry is no policy. */
const ENTRY_HEADING = /\bv?\d+\.\d+|\b(?:19|20)\d\d-\d\d/
const GLOSSARY_CHARACTERS = 80

export const d7Lifecycle = define({
  id: "d7-lifecycle",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    changelog: flag("A changelog or release notes, with versions or dates in them"),
    dated: flag("Its newest date that is not in the future is known"),
    age_days: count("Days from that date to the run's date; 0 where not dated"),
    policy: flag("A policy on deprecation or versioning"),
    glossary: flag("A glossary")
  },
  measure: Effect.fn("d7-lifecycle")(function*(site) {
    const documentation = yield* readDocumentation(site)
    const { spec, tried } = documentation
    const { newest, place } = yield* changelogOf(documentation, site)
    const policy = seenIn(placesOf(documentation, POLICY).filter(isNoEntry), ({ text }) => PROMISES.test(text))
      ?? seenInSpec(spec, ({ elements }) => elements.responseHeaders.some(({ name }) => name === "sunset" || name === "deprecation"), "a response header of the API description")
    const glossary = seenIn(placesOf(documentation, GLOSSARY), ({ text }) => text.length >= GLOSSARY_CHARACTERS)
    const age = newest === null ? 0 : daysBetween(newest, site.date)
    const findings = findingsOfParts([
      { name: "a changelog", seen: place === null ? null : seenAt(place) },
      { name: "a deprecation or versioning policy", seen: policy },
      { name: "a glossary", seen: glossary }
    ], { message: "Changelog, policy on versions and glossary are the subject of no page or section.", tried })
    return {
      facts: { changelog: place !== null, dated: newest !== null, age_days: age, policy: policy !== null, glossary: glossary !== null },
      findings: place === null ? findings : withDate(findings, place, newest, age)
    }
  })
})

const isNoEntry = ({ article, from, text }: Place): boolean =>
  ![text, ...(article.sections[from]?.path ?? [])].some((heading) => ENTRY_HEADING.test(heading))

const withDate = (
  [summary, ...others]: readonly [Finding, ...ReadonlyArray<Finding>],
  place: Place,
  newest: Day | null,
  age: number
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const dating = newest === null ? "no entry of the changelog has a date" : `the newest entry of the changelog is of ${newest}, ${age} days before the audit`
  return [{ ...summary, message: `${summary.message} ${capitalised(dating)}.`, proof: place.article.exchange }, ...others]
}
