import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, flag } from "../../engine/criterion/Fact.ts"
import { withMissingText } from "../../engine/criterion/MissingText.ts"
import { between, eitherUnless } from "../../engine/criterion/Uncertain.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import type { Reader } from "../../engine/text/languages/Reader.ts"
import { changelogOf } from "./Changelog.ts"
import { readingLength } from "../../engine/text/languages/Words.ts"
import { nothingRead, readDocumentation } from "./Documentation.ts"
import { phrase } from "./Phrase.ts"
import { findingsOfParts, foundAt, foundIn, foundInSpec } from "./Citation.ts"
import { type Place, placesOf, type Topic } from "./Topic.ts"
import { type Day, daysBetween } from "./dates/Day.ts"
import { datesIn } from "./dates/WrittenDate.ts"

const POLICY: Topic = {
  called: phrase(
    "(?:api )?deprecation(?:s)?(?: and [\\p{L}]+)?(?: (?:policy|policies|process|schedule|timeline|notice|strategy))?",
    "deprecation policy",
    "versioning(?: (?:policy|scheme|strategy))?",
    "version(?:ing)? (?:policy|support|lifecycle)",
    "(?:api )?stability(?: (?:policy|guarantees?|and deprecation policy))?",
    "semantic versioning",
    "support policy",
    "sunset(?:ting)?(?: policy)?",
    "(?:api|version|product|release|feature) life ?cycle(?: policy)?",
    "life ?cycle policy",
    "release (?:policy|cycle|cadence|process)",
    "(?:backwards?[- ]compatib(?:ility|le)|backward incompatible changes|breaking changes?)(?: policy)?"
  ),
  subject: "policy",
  spareWords: 2
}
const GLOSSARY: Topic = {
  called: phrase(
    "glossary(?: of terms)?",
    "terminology",
    "vocabulary",
    "key terms",
    "terms and definitions",
    "definitions of terms"
  ),
  subject: "glossary",
  spareWords: 1
}

/** A policy makes a promise; a list of what a release deprecated does not. */
const PROMISES =
  /\b(?:semantic versioning|semver|policy|months?|years?|weeks|\d+ days|notice|announce|guarantee|in advance|end[- ]of[- ]life|major (?:version|release)|(?:will|may|can|shall|never|not) (?:be |not )?(?:removed?|support(?:ed)?|break|chang(?:e|ed)|deprecat(?:e|ed)|maintain(?:ed)?)|supported (?:for|until)|backwards?[- ]compatib|(?:non-?)?breaking changes?|incompatible changes?|pin(?:ned)? (?:to )?(?:a|the|your) version|new (?:major )?version (?:of|for|when|whenever|with))/i
/** The heading of a changelog entry is not a policy. */
const ENTRY_HEADING = /\bv?\d+\.\d+|\b(?:19|20)\d\d-\d\d/
/** A date at its beginning, or little else: "May 2026", but not "Developer guide, as of May 2026". */
const DATE_FIRST =
  /^\W{0,3}(?:(?:releases?|updates?|changes) (?:of |for |from |in )?)?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
const DATE_CHARACTERS = 20

const isEntry = (heading: string, { languages }: Reader): boolean =>
  ENTRY_HEADING.test(heading) ||
  (datesIn(heading, "9999-12-31", languages).length > 0 &&
    (DATE_FIRST.test(heading) || (heading.length <= DATE_CHARACTERS && POLICY.called.exec(heading) === null)))

const GLOSSARY_CHARACTERS = 80

export const d7Lifecycle = define({
  id: "d7-lifecycle",
  revision: 2,
  budget: { requests: 1, redirects: 1, megabytes: 1, extra: true },
  params: Schema.Struct({}),
  facts: {
    changelog: flag("a changelog or release notes with versions or dates"),
    dated: flag("its newest date that is not in the future is known"),
    age_days: count("days from that date to the run's date; 0 if not dated"),
    policy: flag("a deprecation or versioning policy"),
    glossary: flag("a glossary")
  },
  measure: Effect.fn("d7-lifecycle")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { reader, spec, tried } = documentation
      const { missing, newest, place } = yield* changelogOf(documentation, site)
      const policy =
        foundIn(
          placesOf(documentation, POLICY).filter((place) => !isInEntry(place, reader)),
          ({ text }) => PROMISES.test(text) || reader.says("promise", text)
        ) ??
        foundInSpec(
          spec,
          ({ elements }) => elements.responseHeaders.some(({ name }) => name === "sunset" || name === "deprecation"),
          "a response header of the API description"
        )
      const glossary = foundIn(
        placesOf(documentation, GLOSSARY),
        ({ text }) => readingLength(text) >= GLOSSARY_CHARACTERS
      )
      const age = newest === null ? 0 : daysBetween(newest, site.date)
      const findings = findingsOfParts(
        [
          { name: "a changelog", does: "is a changelog", seen: place === null ? null : foundAt(place) },
          {
            name: "a deprecation or versioning policy",
            does: "states a deprecation or versioning policy",
            seen: policy
          },
          { name: "a glossary", does: "is a glossary", seen: glossary }
        ],
        {
          message: nothingRead({ ...documentation, spec: null }, "is a changelog, a deprecation policy or a glossary"),
          tried
        }
      )
      return {
        facts: {
          changelog: place !== null,
          dated: newest !== null,
          age_days: age,
          policy: policy !== null,
          glossary: glossary !== null
        },
        unanswered: missing,
        findings: place === null ? findings : withDate(findings, place, newest, age)
      }
    },
    withMissingText(({ age_days: age, changelog, dated, glossary, policy }) => ({
      changelog: eitherUnless(changelog),
      dated: eitherUnless(dated),
      age_days: between(0, dated ? age : null),
      policy: eitherUnless(policy),
      glossary: eitherUnless(glossary)
    }))
  )
})

const isInEntry = ({ article, from, text }: Place, reader: Reader): boolean =>
  [text, ...(article.sections[from]?.path ?? [])].some((heading) => isEntry(heading, reader))

const withDate = (
  [summary, ...others]: readonly [Finding, ...ReadonlyArray<Finding>],
  place: Place,
  newest: Day | null,
  age: number
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const dating =
    newest === null
      ? "No changelog entry has a date"
      : `The newest changelog entry is dated ${newest}, ${age === 0 ? "the day of the audit" : `${counted(age, "day")} before the audit`}`
  return [{ ...summary, message: `${summary.message} ${dating}.`, proof: place.article.exchange }, ...others]
}
