import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { capitalised, counted } from "../../engine/plugin/Wording.ts"
import type { SpecRemark } from "../../engine/apispec/ApiSpec.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import { changelogOf } from "./Changelog.ts"
import { readingLength } from "../../engine/text/languages/Language.ts"
import { nothingRead, readDocumentation } from "./Documentation.ts"
import { phrase } from "./Sentence.ts"
import { type Citation, findingsOfParts, foundAt, foundIn, foundInSpec } from "./Citation.ts"
import { type Passage, type Place, placesOf, toldPlaces, type Topic } from "./Topic.ts"
import { datesIn, dateText, type DayOrMonth, daysSince, isMonth } from "./WrittenDate.ts"

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

/** A heading may name the terms beside something else, "Partitions and terminology", if the text below defines some. */
const TERMS: Topic = {
  called: phrase("glossary", "terminology", "vocabulary", "(?:key )?terms", "definitions"),
  subject: "glossary",
  spareWords: 3
}
/** What people agree to is called terms, too. */
const LEGAL_TERMS =
  /\b(?:agreements?|billing|conditions|contracts?|legal|licen[cs]\w*|of (?:service|use)|payments?|search|usage|use)\b/i
/** Fewer terms are no glossary where the heading names something else as well. */
const LEAST_TERMS = 3
const DEFINED_TERM = /^[\s•*-]{0,4}[^\s:–—][^:–—\n]{0,59}?(?::|\s[–—-])\s{1,4}\S.{14}/u

/** Versions that customers keep of what is theirs are a feature. */
const KEPT_VERSIONS =
  /\b(?:artifact|asset|bucket|content|data(?:set)?|document|entity|entry|file|model|object|page|prompt|record|secret|table|template|workflow)s? versioning\b|\bversioning (?:of |for )?(?:\w+ )?(?:artifacts|assets|buckets|content|datasets?|documents|entities|entries|files|models|objects|pages|prompts|records|secrets|tables|templates|workflows)\b/i

/** A policy makes a promise; a list of what a release deprecated does not. */
const PROMISES =
  /\b(?:semantic versioning|semver|policy|months?|years?|weeks|\d+ days|notice|announce|guarantee|in advance|end[- ]of[- ]life|major (?:version|release)|(?:will|may|can|shall|never|not) (?:be |not )?(?:removed?|support(?:ed)?|break|chang(?:e|ed)|deprecat(?:e|ed)|maintain(?:ed)?)|supported (?:for|until)|backwards?[- ]compatib|(?:non-?)?breaking changes?|incompatible changes?|pin(?:ned)? (?:to )?(?:a|the|your) version|new (?:major )?version (?:of|for|when|whenever|with))/i
/** "Breaking changes will only be introduced with a new version", "deprecated endpoints stay available for six months". */
const TOLD_POLICY =
  /\bbreaking changes?\b[^.\n]{0,60}\b(?:will|are|is|only)\b[^.\n]{0,60}\b(?:new|next|major)(?: major| api)? versions?\b|\b(?:deprecated|old(?:er)?|previous)(?: api)? (?:versions?|endpoints?|methods?|fields?)(?! of\b)[^.\n]{0,60}\b(?:available|maintained|removed|supported)\b[^.\n]{0,40}\b(?:\d+|six|twelve) (?:days|weeks|months|years)\b/i
/** The heading of a changelog entry is not a policy. */
const ENTRY_HEADING =
  /\bv?\d+\.\d+|\b(?:19|20)\d\d-\d\d|\bv\d+ (?:is |has been )?released\b|\b(?:announcing|releasing) (?:[\w-]+ ){0,3}v\d+\b/i
/** A date at its beginning, or little else: "May 2026", but not "Developer guide, as of May 2026". */
const DATE_FIRST =
  /^\W{0,3}(?:(?:releases?|updates?|changes) (?:of |for |from |in )?)?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
const DATE_CHARACTERS = 20

const isEntry = (heading: string, { languages }: Reader): boolean =>
  ENTRY_HEADING.test(heading) ||
  (datesIn(heading, languages).length > 0 &&
    (DATE_FIRST.test(heading) || (heading.length <= DATE_CHARACTERS && POLICY.called.exec(heading) === null)))

/** Less text is a placeholder. A wide letter counts as two characters. */
const GLOSSARY_CHARACTERS = 80

export const d7Lifecycle = define({
  id: "d7-lifecycle",
  revision: 3,
  // The feed of a changelog without dates.
  budget: { requests: 1, megabytes: 1 },
  params: Schema.Struct({}),
  facts: {
    changelog: flag("a changelog or release notes with versions or dates"),
    dated: flag("its newest date that is not in the future is known"),
    age_days: count("days from that date to the run's date; 0 if not dated"),
    policy: flag(
      "a deprecation or versioning policy, or a deprecated operation of the API description that names what to use instead"
    ),
    glossary: flag("a glossary")
  },
  measure: Effect.fn("d7-lifecycle")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { reader, spec, tried } = documentation
      const { missing, newest, place } = yield* changelogOf(documentation, site)
      const policy =
        foundIn(
          placesOf(documentation, POLICY).filter(
            (place) => !isInEntry(place, reader) && !KEPT_VERSIONS.test(place.text)
          ),
          ({ text }) => PROMISES.test(text) || reader.says("promise", text)
        ) ??
        foundIn(
          toldPlaces(documentation, (sentence) => TOLD_POLICY.test(sentence)).filter(
            (place) => !isInEntry(place, reader)
          ),
          () => true
        ) ??
        foundInSpec(
          spec,
          ({ elements }) => elements.responseHeaders.some(({ name }) => name === "sunset" || name === "deprecation"),
          "a response header of the API description"
        ) ??
        foundInSpec(spec, ({ elements }) => elements.remarks.some((remark) => namesReplacement(remark, reader)))
      const glossaries = placesOf(documentation, GLOSSARY)
      const glossary =
        foundIn(glossaries, ({ text }) => readingLength(text) >= GLOSSARY_CHARACTERS) ??
        foundIn(
          placesOf(documentation, TERMS).filter(({ kind, text }) => kind !== "table" && !LEGAL_TERMS.test(text)),
          definesTerms
        )
      const short = glossary === null ? foundIn(glossaries, (_, { kind }) => kind !== "table") : null
      const age = newest === null ? 0 : daysSince(newest, site.date)
      const findings = findingsOfParts(
        [
          { name: "a changelog", does: "is a changelog", seen: place === null ? null : foundAt(place) },
          {
            name: "a deprecation or versioning policy",
            does: "states a deprecation or versioning policy",
            seen: policy
          },
          ...(glossary === null ? [] : [{ name: "a glossary", does: "is a glossary", seen: glossary }])
        ],
        documentation,
        {
          message: nothingRead({ ...documentation, spec: null }, "is a changelog or a deprecation policy"),
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
        findings: [
          ...(place === null ? findings : withDate(findings, place, newest, age)),
          ...(short === null ? [] : [tooShort(short)])
        ] as const
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

/** "Deprecated: use `POST /v2/orders` instead." */
const REPLACEMENT =
  /\b(?:use|call|see|try|prefer|switch to|migrate to|move to)\b[^\n]{0,80}\binstead\b|\binstead,? (?:use|call)\b|\b(?:replaced|superseded) (?:by|with)\b|\bin favou?r of\b|\bdeprecated\b[^\n]{0,40}\b(?:please )?use\b|\b(?:migrate|switch) to\b/i

const namesReplacement = ({ deprecated, text }: SpecRemark, reader: Reader): boolean =>
  deprecated && (REPLACEMENT.test(text) || reader.says("replacement", text))

const tooShort = ({ proof, where }: Citation): Finding => ({
  good: false,
  message: `${capitalised(where)} has fewer than ${GLOSSARY_CHARACTERS} characters, too few for a glossary.`,
  proof
})

/** A list, a table or a run of lines that gives terms with their meanings. Beside code, what is defined are objects. */
const definesTerms = ({ codeBlocks, definitions, tables, text }: Passage): boolean =>
  codeBlocks.length === 0 &&
  (definitions.length >= LEAST_TERMS ||
    tables.some(({ header, rows }) => header.length === 2 && rows.length >= LEAST_TERMS) ||
    text.split("\n").filter((line) => DEFINED_TERM.test(line)).length >= LEAST_TERMS)

const isInEntry = ({ article, from, text }: Place, reader: Reader): boolean =>
  [text, ...(article.sections[from]?.path ?? [])].some((heading) => isEntry(heading, reader))

const withDate = (
  [summary, ...others]: readonly [Finding, ...ReadonlyArray<Finding>],
  place: Place,
  newest: DayOrMonth | null,
  age: number
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const dating =
    newest === null
      ? "No changelog entry has a date"
      : `The newest changelog entry is dated ${dateText(newest)}, ${distanceOf(newest, age)}`
  return [{ ...summary, message: `${summary.message} ${dating}.`, proof: place.article.exchange }, ...others]
}

/** A month may have ended fewer days before the audit than its entry is old. */
const distanceOf = (newest: DayOrMonth, age: number): string => {
  const unit = isMonth(newest) ? "month" : "day"
  if (age === 0) return `the ${unit} of the audit`
  return `${isMonth(newest) ? "which ended " : ""}${counted(age, "day")} before the audit`
}
