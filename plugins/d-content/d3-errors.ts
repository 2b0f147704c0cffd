import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/plugin/Criterion.ts"
import { between, count, eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { capitalised, counted, grouped } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { FoundSpec, SpecQuality } from "../../engine/apispec/ApiSpec.ts"
import { helpsCallers } from "../../engine/apispec/quality/Quality.ts"
import { clippedProse } from "../../engine/text/MarkupText.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import type { Definition, Section } from "../../engine/page/Page.ts"
import type { Article } from "../../engine/site/texts/Article.ts"
import { foundIn, foundInSpec, unquoted } from "./Citation.ts"
import { type Documentation, nothingRead, readDocumentation } from "./Documentation.ts"
import { type ErrorListing, type ErrorPassage, errorsIn, listingOf, tallied } from "./ErrorListing.ts"
import { phrase } from "./Sentence.ts"
import { type SectionTree, sectionTrees } from "./SectionTrees.ts"
import {
  describePlace,
  isAbout,
  type Passage,
  passageOf,
  pathAndQuery,
  type Place,
  placesOf,
  QUOTED_CHARACTERS,
  type Topic
} from "./Topic.ts"

const ERRORS: Topic = {
  called: phrase(
    "errors?",
    "error[- ](?:handling|responses?|messages?|types?|reference|objects?|format|classes|names?)",
    "error[- ]?codes?",
    "warnings and errors",
    "exceptions?(?: classes| types| hierarchy)?",
    "(?:status|response|result|return|exit|fault|problem) codes?",
    "(?:fault|problem) types?",
    "problems",
    "problem details",
    "troubleshooting",
    "failures?",
    "failure modes"
  ),
  subject: "errors",
  spareWords: 2
}

/** What a list of codes is for may take more words: "Validate customer addresses error codes". */
const ERROR_CODES: Topic = { called: /(?<![\p{L}\p{N}_])error codes$/iu, spareWords: 5 }

/** What an operation answers with: successes and errors in one list. */
const RESPONSES: Topic = { called: phrase("(?:http )?(?:responses?|returns)"), spareWords: 1 }
const STATUS_LISTS = [ERRORS, RESPONSES]

/** A page or section named after one error; `CatchErrors` is what does something with errors. */
const ONE_ERROR: Topic = {
  called:
    /(?<![\p{L}\p{N}_])(?:[A-Za-z_]\w*(?:\.|::|\\))*(?:[A-Z]\w*(?:Error|Exception)s?|(?<=[.:\\])(?:Error|Exception)s?)(?<!(?<![A-Za-z])(?:Catch|Handle|Ignore|Log|Raise|Report|Suppress|Throw)(?:All|Any)?(?:Error|Exception)s?)(?![\p{L}\p{N}_(])|^[45]\d\d(?=\s?[:–—-]?\s[A-Z]|$)|^(?:Response|Status|HTTP|Error)[\s:]{1,3}\(?[45]\d\d\b/u,
  spareWords: 2
}

/** What visitors of a web site see in place of a page. */
const ERROR_PAGES = /\b(?:error|404|not[- ]found) pages?\b/i

interface Candidate extends ErrorListing {
  /** In words, to begin a sentence: the place, or the first of those that are read together. */
  readonly where: string
  /** Other places that are read together with it. */
  readonly others: number
  readonly proof: Exchange
}

/** The rubric's threshold for full points. */
const ENOUGH = 5

/** Prefers enough explained errors with advice, then the most explained, then the most listed. */
const better = (one: Candidate, other: Candidate): Candidate => {
  const rank = ({ advice, explained, listed }: Candidate) => [
    explained >= ENOUGH && advice ? 1 : 0,
    explained,
    listed,
    advice ? 1 : 0
  ]
  const theirs = rank(other)
  const difference =
    rank(one)
      .map((value, index) => value - (theirs[index] ?? 0))
      .find((value) => value !== 0) ?? 0
  return difference < 0 ? other : one
}

export const d3Errors = define({
  id: "d3-errors",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    listed: count(
      "different errors of the API, by name or code, in the best place; places in one section tree are one"
    ),
    explained: count("of those, errors with a meaning beside them"),
    advice: flag("the same place says what to do about them"),
    body: flag(
      "the API description, or a sample or table on errors, has an error body with a message and the field, the reason or what to do"
    )
  },
  measure: Effect.fn("d3-errors")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { reader, spec, tried } = documentation
      const places = [ERRORS, ERROR_CODES, ONE_ERROR]
        .flatMap((topic) => placesOf(documentation, topic))
        .filter(({ text }) => !ERROR_PAGES.test(text))
      const read = new Map<Place, ErrorPassage>()
      const passageAt = (place: Place): ErrorPassage => {
        const known = read.get(place) ?? errorsIn(passageOf(place), place.text, reader)
        read.set(place, known)
        return known
      }
      const candidates = [
        ...places.map((place): Candidate => ({
          ...listingOf([passageAt(place)], reader),
          where: describePlace(place),
          others: 0,
          proof: place.article.exchange
        })),
        ...sectionTrees(documentation, ERRORS, places).map((tree) =>
          ofTree(tree, listingOf(tree.map(passageAt), reader))
        ),
        ...documentation.articles.flatMap((article) =>
          article.definitions.flatMap((term) => inTerm(term, article, documentation))
        ),
        ...documentation.articles.flatMap((article) => inLists(article, documentation)),
        ...documentation.articles.flatMap((article) => inLabelledLines(article, documentation)),
        ...documentation.articles.flatMap((article) => inResponses(article, documentation)),
        ...(spec === null ? [] : [inSpec(spec, reader)])
      ]
      const best = candidates.reduce<Candidate>(better, {
        listed: 0,
        explained: 0,
        advice: false,
        where: "",
        others: 0,
        proof: places[0]?.article.exchange ?? tried
      })
      const { advice, explained, listed, others, proof, where } = best
      const body =
        foundInSpec(spec, ({ quality }) => describesBody(quality)) ??
        foundIn(placesOf(documentation, ERRORS), (passage) => showsBody(passage))
      const together =
        others === 0
          ? `${capitalised(where)} names`
          : `${capitalised(where)} and ${counted(others, "other place")} name`
      const message =
        listed > 0
          ? `${together} ${counted(listed, "error")}, ${meaningsShown(explained, listed)}, ${advice === explained > 0 ? "and" : "but"} ${saying(advice, others > 0)} what to do about ${listed === 1 ? "it" : "them"}.`
          : places[0] === undefined
            ? nothingRead(documentation, body === null ? "documents errors" : "lists errors")
            : `${capitalised(describePlace(places[0]))} is about errors, but names none.`
      return {
        facts: { listed, explained, advice, body: body !== null },
        findings: [
          { good: explained >= ENOUGH && advice, message, proof },
          ...(body === null
            ? []
            : [
                {
                  good: true,
                  message: `${capitalised(body.where)} has an error body with a message, and the field, the reason or what to do.`,
                  proof: body.proof
                }
              ])
        ] as const
      }
    },
    withMissingText(({ advice, body, explained, listed }) => ({
      // Another place counts instead only if it explains more, or enough of them with advice.
      listed: between(Math.min(listed, 1), null),
      explained: between(Math.min(explained, ENOUGH), null),
      advice: eitherUnless(advice && explained >= ENOUGH),
      body: eitherUnless(body)
    }))
  )
})

/** Most operations that describe the body of an error do it so that a caller is helped. */
const describesBody = ({ errorOperations, helpfulErrors }: SpecQuality): boolean =>
  helpfulErrors.part > 0 && helpfulErrors.part * 2 >= errorOperations.part

/** Maximum number of characters of a sample. */
const SAMPLE_CHARACTERS = 10_000
const MEMBER = /["']([\w-]{1,40})["']\s{0,4}:/g

/** A sample of a body, or a table or list of its fields. */
const showsBody = ({ codeBlocks, definitions, tables }: Passage): boolean =>
  codeBlocks.some(({ text }) =>
    helpsCallers([...text.slice(0, SAMPLE_CHARACTERS).matchAll(MEMBER)].flatMap(([, name]) => name ?? []))
  ) ||
  tables.some(({ rows }) => helpsCallers(rows.map(([name = ""]) => unquoted(name)))) ||
  helpsCallers(definitions.map(({ term }) => unquoted(term)))

const saying = (advice: boolean, plural: boolean): string =>
  advice ? (plural ? "say" : "says") : plural ? "do not say" : "does not say"

const meaningsShown = (explained: number, listed: number): string =>
  listed === 1
    ? explained === 1
      ? "with its meaning"
      : "without its meaning"
    : `${explained === listed ? (listed === 2 ? "both" : "all") : explained === 0 ? "none" : grouped(explained)}${explained === listed || explained === 0 ? "" : " of them"} with a meaning`

const ofTree = (tree: SectionTree, listing: ErrorListing): Candidate => ({
  ...listing,
  where: describePlace(tree[0]),
  others: tree.length - 1,
  proof: tree[0].article.exchange
})

/** Statuses below a term such as "Possible errors". */
const inTerm = (
  { term, text }: Definition,
  article: Article,
  documentation: Documentation
): ReadonlyArray<Candidate> => {
  const statuses = isAbout(withoutAside(term), ERRORS, documentation)
    ? (text.slice(0, TERM_CHARACTERS).match(/\b[45]\d\d\b/g) ?? [])
    : []
  if (statuses.length === 0) return []
  const listed = tallied(
    statuses.map((status) => [status, null]),
    documentation.reader
  )
  return [
    {
      ...listed,
      advice: false,
      where: `the term "${clippedProse(term, QUOTED_CHARACTERS)}" on ${pathAndQuery(article.url)}`,
      others: 0,
      proof: article.exchange
    }
  ]
}

const TERM_CHARACTERS = 1_000

const STATUS_ITEM = /^[\s•*-]{0,4}[`"']?(?:HTTP )?[45]\d\d\b/
/** In a list of statuses, those of success come first. */
const ANY_STATUS_ITEM = /^[\s•*-]{0,4}[`"']?(?:HTTP )?[1-5]\d\d\b/
const LINE_CHARACTERS = 100

/** A line that names errors, and the statuses in the list right below it. */
interface StatusList {
  readonly line: string
  readonly passage: ErrorPassage
}

/**
 * Lists of two statuses or more, one of them of an error, below a line that names errors ("Possible errors:", "Status codes:"), or
 * a line or heading that names responses.
 */
const statusLists = ({ heading, text }: Section, documentation: Documentation): ReadonlyArray<StatusList> => {
  if (!STATUS_LINE.test(`\n${text}`)) return []
  const lines = isAbout(heading, RESPONSES, documentation) ? [heading, ...text.split("\n")] : text.split("\n")
  const leadAt = (at: number): string => lastSentence(lines[at] ?? "")
  const namesStatuses = (lead: string): boolean =>
    lead.length <= LINE_CHARACTERS && STATUS_LISTS.some((topic) => isAbout(withoutAside(lead), topic, documentation))
  const begins = (at: number): boolean =>
    ANY_STATUS_ITEM.test(lines[at + 1] ?? "") && !ANY_STATUS_ITEM.test(lines[at] ?? "") && namesStatuses(leadAt(at))
  const lists: Array<StatusList> = []
  for (let at = 0; at < lines.length; at++) {
    if (!begins(at)) continue
    const line = leadAt(at)
    const items = itemsFrom(lines, at + 1, begins)
    at = items.at(-1)?.at ?? at
    const errors = items.filter((item) => STATUS_ITEM.test(item.text))
    if (items.length < 2 || errors.length === 0) continue
    const listed = errors.map((item) => item.text).join("\n")
    const list = { text: listed, sections: [], codeBlocks: [], tables: [], definitions: [] }
    lists.push({ line, passage: errorsIn(list, "", documentation.reader) })
  }
  return lists
}

/** What leads to a list. */
const lastSentence = (line: string): string => line.slice(line.lastIndexOf(". ") + 1).trimStart()

/** The most lines between two items: a status may have a list of its own. */
const NESTED_LINES = 12

/** An item of a list, with the list in it, and the index of its line. */
interface StatusItem {
  readonly at: number
  readonly text: string
}

/** The items of a list of statuses that begins at a line, as far as no other begins. */
const itemsFrom = (
  lines: ReadonlyArray<string>,
  first: number,
  begins: (at: number) => boolean
): ReadonlyArray<StatusItem> => {
  const items: Array<StatusItem> = []
  let nested: Array<string> = []
  for (let at = first; nested.length <= NESTED_LINES && at < lines.length && !begins(at); at++) {
    const text = lines[at] ?? ""
    if (!ANY_STATUS_ITEM.test(text)) nested.push(text)
    else {
      const before = items.pop()
      if (before !== undefined) items.push({ ...before, text: [before.text, ...nested].join(" ") })
      items.push({ at, text })
      nested = []
    }
  }
  return items
}

/** The lists of statuses of a page, together: a reference has one for each operation. */
const inLists = (article: Article, documentation: Documentation): ReadonlyArray<Candidate> => {
  const lists = article.sections.flatMap((section) => statusLists(section, documentation))
  const [first] = lists
  if (first === undefined) return []
  return [
    {
      ...listingOf(
        lists.map(({ passage }) => passage),
        documentation.reader
      ),
      where: `the list "${clippedProse(first.line, QUOTED_CHARACTERS)}" on ${pathAndQuery(article.url)}`,
      others: lists.length - 1,
      proof: article.exchange
    }
  ]
}

/** The failed responses among the terms of a page: a reference has a tab or a term for each status. */
const inResponses = (article: Article, { reader }: Documentation): ReadonlyArray<Candidate> => {
  const definitions = article.definitions.filter(({ term }) => STATUS_ITEM.test(term))
  if (definitions.length === 0) return []
  const passage = { text: "", sections: [], codeBlocks: [], tables: [], definitions }
  return [
    {
      ...listingOf([errorsIn(passage, "", reader)], reader),
      where: `the list of responses on ${pathAndQuery(article.url)}`,
      others: 0,
      proof: article.exchange
    }
  ]
}

/** "Error response codes: 404, 409." */
const LABELLED_LINE = /^([^\n:\d]{3,60}):\s{0,3}(\d{3}(?:[ ,;/|]{1,3}(?:and |or )?\d{3}){0,30})[.,]?$/gm

/** Statuses in lines that name errors and have nothing else, together for a page: a reference has one for each operation. */
const inLabelledLines = (article: Article, documentation: Documentation): ReadonlyArray<Candidate> => {
  const lines = article.sections.flatMap(({ text }) =>
    [...text.matchAll(LABELLED_LINE)].flatMap(([, label = "", codes = ""]) =>
      isAbout(label, ERRORS, documentation) ? [{ label, statuses: codes.match(/\b[45]\d\d\b/g) ?? [] }] : []
    )
  )
  const statuses = lines.flatMap((line) => line.statuses)
  const label = lines.find((line) => line.statuses.length > 0)?.label
  if (label === undefined) return []
  const listed = tallied(
    statuses.map((status) => [status, null]),
    documentation.reader
  )
  return [
    {
      ...listed,
      advice: false,
      where: `the text after "${clippedProse(label, QUOTED_CHARACTERS)}" on ${pathAndQuery(article.url)}`,
      others: 0,
      proof: article.exchange
    }
  ]
}

const STATUS_LINE = /\n[\s•*-]{0,4}[`"']?(?:HTTP )?[45]\d\d\b/

/** Without what is in brackets, such as a media type, and the verb that leads to a list: "Other response codes include:". */
const withoutAside = (line: string): string => line.replace(/\([^)]{0,60}\)| includes?:$/g, "")

/** The error responses of the API description, which does not say what to do about them. */
const inSpec = ({ exchange, spec }: FoundSpec, reader: Reader): Candidate => ({
  ...tallied(
    spec.elements.responses.flatMap(({ description, name }) =>
      /^[45](?:\d\d|xx)$/i.test(name) ? [[name, description] as const] : []
    ),
    reader
  ),
  advice: false,
  where: "the API description",
  others: 0,
  proof: exchange
})
