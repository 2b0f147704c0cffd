import type { ApiDescription, FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import type { Finding } from "../../engine/plugin/Criterion.ts"
import { capitalised, itemised } from "../../engine/plugin/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { CodeBlock } from "../../engine/page/Page.ts"
import type { Article } from "../../engine/site/texts/Article.ts"
import { clippedProse } from "../../engine/text/MarkupText.ts"
import { oncePer } from "../../engine/text/OncePer.ts"
import { collapse } from "../../engine/text/WhiteSpace.ts"
import { type Documentation, partRead } from "./Documentation.ts"
import {
  describePlace,
  isDocumentation,
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
interface Part {
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
  documentation: Documentation,
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
  const part = partRead(documentation)
  const where = part === null ? "Missing" : `Missing on the ${part} that we read`
  const summary = missing.length === 0 ? documented : `${where}: ${itemised(missing)}. ${documented}`
  return [
    { good: missing.length === 0, message: summary, proof: first.seen.proof },
    ...found.map(({ does, seen }) => ({
      good: true,
      message: `${capitalised(seen.where)} ${does}.`,
      proof: seen.proof
    }))
  ]
}

/** Something with a name in a table, a definition list or a line of its own: a header, a parameter, a code. */
export interface Entry {
  readonly name: string
  /** The text beside the name. */
  readonly text: string
  readonly article: Article
}

/** First cells of table rows, defined terms and the labels of lines. */
export const entriesOf = (documentation: Documentation): ReadonlyArray<Entry> =>
  documentation.articles.filter(isDocumentation).flatMap(entriesIn)

const entriesIn = oncePer((article: Article): ReadonlyArray<Entry> => [
  ...article.tables.flatMap(({ rows }) =>
    rows.map(([name = "", ...rest]) => ({ name: name.trim(), text: rest.join(" "), article }))
  ),
  ...article.definitions.map(({ term, text }) => ({ name: term.trim(), text, article })),
  ...labelledLines(article)
])

/** "Rate limits: 300 requests per minute", `X-RateLimit-Limit - requests per minute`: most are items of lists, with a bold label. */
const LABELLED = /^[\s•*-]{0,4}([^\s:：][^:：]{1,59}?)(?:[:：](?=[\s\u2E80-\uFFEF])|\s[–—-]\s)\s*(\S.*)$/

const labelledLines = (article: Article): ReadonlyArray<Entry> => {
  const cells = new Set(article.tables.flatMap(({ header, rows }) => [header, ...rows].flat()))
  const isCode = linesOfCode(article.codeBlocks)
  return article.sections.flatMap(({ text }) =>
    text.split("\n").flatMap((line): ReadonlyArray<Entry> => {
      const [, name, rest = ""] = LABELLED.exec(line) ?? []
      return name === undefined || cells.has(line) || isCode(line)
        ? []
        : [{ name: unquoted(name), text: rest, article }]
    })
  )
}

/** A name without the quotes or the backticks around it. */
export const unquoted = (name: string): string => name.replace(/^[`"']|[`"']$/g, "")

/** Tells which lines of a text are code. The text of an HTML page has a block on one line. */
export const linesOfCode = (blocks: ReadonlyArray<CodeBlock>): ((line: string) => boolean) => {
  const code = new Set(blocks.flatMap(({ text }) => [text, ...text.split("\n")].map(collapse)))
  return (line) => code.has(collapse(line))
}
