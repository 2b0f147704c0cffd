import * as Effect from "effect/Effect"
import { Parser } from "htmlparser2"
import { textOf } from "../../engine/evidence/BodyText.ts"
import { type Answer, type Exchange, isMissing, isOk } from "../../engine/evidence/Exchange.ts"
import type { CodeBlock, Section } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import type { Article } from "../../engine/site/texts/Article.ts"
import { titleParts } from "../../engine/site/topics/ProductName.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import { oncePer } from "../../engine/text/OncePer.ts"
import { linesOfCode } from "./Citation.ts"
import { datesIn, datesOfColumn, type DayOrMonth, newestUpTo } from "./WrittenDate.ts"
import type { Documentation } from "./Documentation.ts"
import { phrase } from "./Sentence.ts"
import { pagePlace, type Passage, passageOf, type Place, placesOf, titlesOf, type Topic } from "./Topic.ts"

const CHANGELOG: Topic = {
  called: phrase(
    "change ?logs?",
    "change[- ]log",
    "release ?notes?",
    "releases",
    "(?:release|version|revision|change) history",
    "what(?:['’]?s| is) (?:new|changed)(?: (?:in|since)(?: version)?)?",
    "(?:product|api) updates",
    "(?:(?:recent|latest|api|all|version) )?changes(?: (?:by|in|since|of) (?:version|release|the api))?",
    "updates? (?:log|history)"
  ),
  subject: "changelog",
  spareWords: 0
}
/** A new major version: "v6 released", "Announcing v6". */
const RELEASED = "(?:announcing|releasing) v\\d+(?:\\.\\d+){0,2}|v\\d+(?:\\.\\d+){0,2} (?:is |has been )?released"
/** Release notes may be a page for each release, in a blog. */
const RELEASE: Topic = {
  called: phrase(
    "(?:releas(?:e|ed|ing)|announcing|version)(?: (?:of|version))? v?\\d+\\.\\d+(?:\\.\\d+)?(?: release notes)?",
    "v?\\d+\\.\\d+(?:\\.\\d+)? (?:is |has been )?(?:releas(?:e|ed)|release notes|out|available)",
    RELEASED
  ),
  spareWords: 0
}
/** In a blog, also a title that is a version. */
const VERSION_TITLE = /^v?\d+\.\d+\.\d+(?:-[a-z]{1,10}(?:\.?\d{1,3})?)?$/i
const NEWS_ADDRESS = /\/(?:blog|news|releases?|changelog)\//

const versionTitles = ({ articles }: Documentation): ReadonlyArray<Place> =>
  articles
    .filter(({ title, url }) => NEWS_ADDRESS.test(url) && VERSION_TITLE.test(titleParts(title)[0] ?? ""))
    .map(pagePlace)

/** The titles of pages are headings in a full text. */
const releasesInFullText = (documentation: Documentation): ReadonlyArray<Place> =>
  placesOf(documentation, { called: phrase(RELEASED), spareWords: 0 }).filter(
    ({ article, kind }) => article.kind === "aggregate" && kind === "heading"
  )

const VERSION = /\bv?\d+\.\d+(?:\.\d+)?\b/

/** A changelog, and how new it is. */
interface Changelog {
  /** `null` if none was found. */
  readonly place: Place | null
  /** Its newest date that is not in the future. */
  readonly newest: DayOrMonth | null
  /** The response to its feed, if it is missing. */
  readonly missing: ReadonlyArray<Exchange>
}

/** The changelog with the newest date; if none has a date, the first one with the dates of its feed. */
export const changelogOf = Effect.fnUntraced(function* (documentation: Documentation, site: Site) {
  const { reader } = documentation
  const places = [
    ...[
      ...placesOf(documentation, CHANGELOG),
      ...titlesOf(documentation, RELEASE).filter(tellsOfRelease),
      ...versionTitles(documentation)
    ].filter((place) => holdsEntries(place, reader)),
    ...releasesInFullText(documentation)
  ]
  const dated = places.map((place): Changelog => ({
    place,
    newest: newestUpTo(entryDates(place, reader), site.date),
    missing: []
  }))
  const best = dated.reduce<Changelog>(
    (one, other) => ((other.newest ?? "") > (one.newest ?? "") ? other : one),
    dated[0] ?? { place: null, newest: null, missing: [] }
  )
  if (best.place === null || best.newest !== null) return best
  const feed = feedOf(documentation, best.place)
  if (feed === null) return best
  const answer = yield* site.get(feed)
  const dates = isOk(answer) ? feedDates(textOf(answer).text).flatMap((text) => datesIn(text)) : []
  return { place: best.place, newest: newestUpTo(dates, site.date), missing: isMissing(answer) ? [answer] : [] }
})

/** A start page may be titled after the version that it documents; it then says nothing of changes. */
const tellsOfRelease = (place: Place): boolean =>
  !/\bversion v?\d/i.test(place.text) ||
  /\b(?:releas|announc)/i.test(place.text) ||
  /\b(?:add(?:s|ed)|chang(?:e[sd]?|ing)|fix(?:e[sd])?|improve[ds]?|new|now|removed|deprecat)/i.test(
    passageOf(place).text
  )

/** Recipes explain how to write a changelog. */
const RECIPE_ADDRESS = /\/(?:cookbooks?|recipes?|tutorials?|examples?|use-cases?)\//

/** Has a version or a date; for a section, at the head of an entry, so that "see our changelog" does not count. */
const holdsEntries = (place: Place, reader: Reader): boolean => {
  if (place.kind === "table" || RECIPE_ADDRESS.test(place.article.url) || isAboutCalls(place)) return false
  const passage = passageOf(place)
  const lines = [
    ...passage.sections.map(entryHeading),
    ...textLines(passage).join("\n").slice(0, ENTRY_CHARACTERS).split("\n")
  ]
  const isWhole = place.from === 0 || place.article.sections[place.from]?.level === 1
  return (
    markedDates(place).length > 0 ||
    columnDates(place, reader).length > 0 ||
    lines.some(
      (line) =>
        (isWhole ? VERSION.test(line) : ENTRY_LINE.test(line)) || datesIn(leadOf(line), reader.languages).length > 0
    )
  )
}

const YEAR = /^(?:19|20)\d\d$/

/** With the year that it is below: "May" below "2026". */
const entryHeading = ({ heading, path }: Section): string => {
  const above = path.at(-1) ?? ""
  return YEAR.test(above) ? `${heading} ${above}` : heading
}

const ENTRY_CHARACTERS = 20_000
const ENTRY_LINE = /^\W{0,12}(?:[\w.-]{1,40} )?(?:version |release )?v?\d+\.\d+(?:\.\d+)?\b/i

/** Releases may be a resource of the API, which its reference shows how to call: `GET /projects/:id/releases`. */
const RELEASES_CALL = /\b(?:GET|POST|PUT|PATCH|DELETE)\s{1,3}\S{0,200}\/releases?\b/

const showsCalls = oncePer(({ sections }: Article): boolean => sections.some(({ text }) => RELEASES_CALL.test(text)))

const isAboutCalls = (place: Place): boolean =>
  /\breleases\b/i.test(place.text) &&
  (place.article.kind === "page" ? showsCalls(place.article) : RELEASES_CALL.test(passageOf(place).text))

/** A changelog may be plain text as a whole, with a version or a date at the start of its entries. */
const NOTES =
  /^[\s#=*-]{0,8}\[?(?:(?:[\w.-]{1,40} )?(?:version |release )?v?\d+\.\d+(?:\.\d+)?\b|(?:19|20)\d\d-\d\d-\d\d(?![\dT]))/im
const NOTES_LANGUAGES: ReadonlySet<string | null> = new Set([null, "text", "markdown"])

const isNotes = ({ language, text }: CodeBlock): boolean =>
  NOTES_LANGUAGES.has(language) && NOTES.test(text.slice(0, ENTRY_CHARACTERS))

/** Lines outside code: dates and versions in a response say nothing of the API. */
const textLines = ({ codeBlocks, text }: Passage): ReadonlyArray<string> => {
  const isCode = linesOfCode(codeBlocks.filter((block) => !isNotes(block)))
  return text.split("\n").filter((line) => !isCode(line))
}

/** Longer lines are running text, in which a date may mean anything. */
const DATE_LINE_CHARACTERS = 80

/** Dates that lead or head an entry: in headings, short lines and `<time>` elements. */
const entryDates = (place: Place, reader: Reader): ReadonlyArray<DayOrMonth> => {
  const passage = passageOf(place)
  const lines = textLines(passage).map(leadOf)
  const written = [...passage.sections.map(entryHeading), ...lines, ...markedDates(place)].flatMap((line) =>
    datesIn(line, reader.languages)
  )
  return [...written, ...columnDates(place, reader)]
}

const DATE_COLUMN =
  /^(?:release |released? |effective |published |publication )?(?:date|day|on|at)$|^(?:released|published|when)$/i

/** Numbers that are dates by the column that they are in. */
const columnDates = (place: Place, reader: Reader): ReadonlyArray<DayOrMonth> =>
  passageOf(place).tables.flatMap(({ header, rows }) =>
    header.flatMap((name, column) =>
      DATE_COLUMN.test(name.trim()) || reader.says("dateColumn", name)
        ? datesOfColumn(rows.map((row) => row[column] ?? ""))
        : []
    )
  )

/** Markdown may have its dates in components, such as `<Update label="April 23, 2026">`, which are not text. */
const UPDATE = /<Update\b[^>]{0,200}?\blabel=["']([^"']{1,80})["']/g

/** Dates in the mark-up of a page that is a changelog as a whole. */
const markedDates = ({ article: { exchange, times }, kind }: Place): ReadonlyArray<string> =>
  kind !== "title" && kind !== "address" ? [] : [...times, ...(isOk(exchange) ? labelsIn(exchange) : [])]

/** Cached by page, which may be several places. */
const labelsIn = oncePer((answer: Answer): ReadonlyArray<string> =>
  [...textOf(answer).text.matchAll(UPDATE)].map(([, label = ""]) => label)
)

/** Length of the beginning of running text that is searched for dates. */
const LEAD_CHARACTERS = 30

const leadOf = (line: string): string =>
  line.length <= DATE_LINE_CHARACTERS ? line : line.slice(0, LEAD_CHARACTERS).replace(/\S*$/, "")

const FEED_TYPES = new Set(["application/rss+xml", "application/atom+xml"])

const feedOf = ({ sampled, topicPages }: Documentation, { article }: Place): string | null =>
  [...sampled, ...topicPages]
    .find(({ url }) => url === article.url)
    ?.announcements.find(({ rel, type }) => rel.includes("alternate") && FEED_TYPES.has(type))?.url ?? null

const DATED = new Set(["pubdate", "lastbuilddate", "updated", "published", "dc:date", "date"])
const MAX_DATES = 1_000
const MAX_FIELD = 100
/** `feed` in `entry` in `updated`, and what extensions add: the parser's time grows with the square of the depth. */
const MAX_DEPTH = 100
const CHUNK = 1_024

/** The dates of a feed (RSS, Atom) as written, at most 1,000. */
export const feedDates = (xml: string): ReadonlyArray<string> => {
  const dates: Array<string> = []
  let text: string | null = null
  const open = { depth: 0 }
  const parser = new Parser(
    {
      onopentag: (name) => {
        open.depth++
        text = DATED.has(name.toLowerCase()) && dates.length < MAX_DATES ? "" : null
      },
      ontext: (more) => {
        if (text !== null && text.length < MAX_FIELD) text += more
      },
      onclosetag: () => {
        open.depth--
        if (text !== null) dates.push(text.trim())
        text = null
      }
    },
    { xmlMode: true }
  )
  const goesOn = (): boolean => open.depth <= MAX_DEPTH
  for (let at = 0; at < xml.length && goesOn(); at += CHUNK) parser.write(xml.slice(at, at + CHUNK))
  if (goesOn()) parser.end()
  return dates
}
