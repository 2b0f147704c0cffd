import * as Effect from "effect/Effect"
import { type Answer, isOk } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/Text.ts"
import type { Site } from "../../engine/site/Site.ts"
import type { Documentation } from "./Documentation.ts"
import { feedDates } from "./Feed.ts"
import { phrase } from "./Phrase.ts"
import { passageOf, type Place, placesOf, type Subject, titlesOf } from "./Subject.ts"
import { datesIn, type Day, newestUpTo } from "./WrittenDate.ts"

const CHANGELOG: Subject = {
  called: phrase("change ?logs?", "change[- ]log", "release ?notes?", "releases", "(?:release|version|revision|change) history", "what['’]s new(?: in)?", "product updates", "api updates"),
  spareWords: 0
}
/** Release notes may be a page for each release, in a blog. */
const RELEASE: Subject = {
  called: phrase(
    "(?:releas(?:e|ed|ing)|announcing|version)(?: (?:of|version))? v?\\d+\\.\\d+(?:\\.\\d+)?(?: release notes)?",
    "v?\\d+\\.\\d+(?:\\.\\d+)? (?:is |has been )?(?:releas(?:e|ed)|release notes|out|available)"
  ),
  spareWords: 0
}
const VERSION = /\bv?\d+\.\d+(?:\.\d+)?\b/

/** A changelog, and how new it is. */
export interface Changelog {
  /** `null` where there is none. */
  readonly place: Place | null
  /** Its newest date that is not in the future. */
  readonly newest: Day | null
}

/** The changelog with the newest date; failing dates, the first one, asked for its feed. */
export const changelogOf = Effect.fnUntraced(function*(documentation: Documentation, site: Site) {
  const places = [...placesOf(documentation, CHANGELOG), ...titlesOf(documentation, RELEASE)].filter(holdsEntries)
  const dated = places.map((place): Changelog => ({ place, newest: newestUpTo(entryDates(place, site.date), site.date) }))
  const best = dated.reduce<Changelog>((one, other) => ((other.newest ?? "") > (one.newest ?? "") ? other : one), dated[0] ?? { place: null, newest: null })
  if (best.place === null || best.newest !== null) return best
  const feed = feedOf(documentation, best.place)
  if (feed === null) return best
  const answer = yield* site.get(feed)
  const dates = isOk(answer) ? feedDates(textOf(answer).text).flatMap((text) => datesIn(text, site.date)) : []
  return { place: best.place, newest: newestUpTo(dates, site.date) }
})

/** Recipes that show how to write one. */
const RECIPE_ADDRESS = /\/(?:cookbooks?|recipes?|tutorials?|examples?|use-cases?)\//

/** A version or a date is in it; under a heading of a page, it heads an entry: "see our changelog" is none. */
const holdsEntries = (place: Place): boolean => {
  if (place.kind === "table" || RECIPE_ADDRESS.test(place.article.url)) return false
  const { sections, text } = passageOf(place)
  const lines = [...sections.map(({ heading }) => heading), ...text.slice(0, ENTRY_CHARACTERS).split("\n")]
  const isWhole = place.from === 0 || place.article.sections[place.from]?.level === 1
  return markedDates(place).length > 0 || lines.some((line) => (isWhole ? VERSION.test(line) : ENTRY_LINE.test(line)) || datesIn(leadOf(line), "9999-12-31").length > 0)
}

const ENTRY_CHARACTERS = 20_000
const ENTRY_LINE = /^\W{0,5}(?:[\w.-]{1,40} )?(?:version |release )?v?\d+\.\d+(?:\.\d+)?\b/i

/** Longer lines are running text, where a date may be of anything. */
const DATE_LINE_CHARACTERS = 80

/** Dates that lead or head an entry: in headings, short lines and `<time>` elements. */
const entryDates = (place: Place, today: Day): ReadonlyArray<Day> => {
  const { sections, text } = passageOf(place)
  const lines = text.split("\n").map(leadOf)
  return [...sections.map(({ heading }) => heading), ...lines, ...markedDates(place)].flatMap((line) => datesIn(line, today))
}

/** Markdown may carry its dates in components, such as `<Update label="April 23, 2026">`, which are no text. */
const UPDATE = /<Update\b[^>]{0,200}?\blabel=["']([^"']{1,80})["']/g

/** Dates of a page that is a changelog as a whole, as its mark-up has them. */
const markedDates = ({ article: { exchange, times }, kind }: Place): ReadonlyArray<string> =>
  kind !== "title" && kind !== "address" ? [] : [...times, ...(isOk(exchange) ? labelsIn(exchange) : [])]

const labels = new WeakMap<Answer, ReadonlyArray<string>>()

/** Looked for once in each page, which may be several places. */
const labelsIn = (answer: Answer): ReadonlyArray<string> => {
  const known = labels.get(answer) ?? [...textOf(answer).text.matchAll(UPDATE)].map(([, label = ""]) => label)
  labels.set(answer, known)
  return known
}

/** Of running text only what it opens with. */
const LEAD_CHARACTERS = 30

const leadOf = (line: string): string =>
  line.length <= DATE_LINE_CHARACTERS ? line : line.slice(0, LEAD_CHARACTERS).replace(/\S*$/, "")

const FEED_TYPES = new Set(["application/rss+xml", "application/atom+xml"])

const feedOf = ({ sampled, subjects }: Documentation, { article }: Place): string | null =>
  [...sampled, ...subjects].find(({ url }) => url === article.url)?.announcements
    .find(({ rel, type }) => rel.includes("alternate") && FEED_TYPES.has(type))?.url ?? null
