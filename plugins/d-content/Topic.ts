import type { CodeBlock, Definition, Section, Table } from "../../engine/page/Page.ts"
import { isAsideAddress } from "../../engine/site/address/PageUrl.ts"
import { isReferenceBeside, titleParts } from "../../engine/site/topics/ProductName.ts"
import { oncePer } from "../../engine/text/OncePer.ts"
import { percentDecoded, withoutPageEnding } from "../../engine/text/UrlPath.ts"
import type { Article } from "../../engine/site/texts/Article.ts"
import type { Documentation } from "./Documentation.ts"
import { type Phrase, phrase, sentencesOf } from "./Sentence.ts"
import { FILLERS as FOREIGN_FILLERS, type Subject, WIDE_FILLERS } from "../../engine/text/languages/Vocabulary.ts"
import { folded, hasWideLetters, wordsIn } from "../../engine/text/languages/Language.ts"
import { clippedProse } from "../../engine/text/MarkupText.ts"

/** A place that can name a topic: a title, URL, heading or table. A word in running text is not one; see `toldPlaces`. */
export interface Place {
  /** `table`: a caption or the heading of a column; `spec`: a heading in the text of the API description; `sentence`: see `toldPlaces`. */
  readonly kind: "title" | "address" | "heading" | "table" | "spec" | "sentence"
  /** The text as written; for a URL, its last segment as words. */
  readonly text: string
  /** `text` as it is searched for topics; `null` if it is not a heading in words. */
  readonly heading: string | null
  /** How many words of the heading are beside the topic's name. */
  readonly others: number
  readonly article: Article
  /** The sections that it covers, as indices into `article.sections`. */
  readonly from: number
  readonly to: number
  /** `null` unless `kind` is `table`. */
  readonly table: Table | null
}

/** The content that a place covers. */
export interface Passage {
  /** Code and tables included, blocks separated by newlines. */
  readonly text: string
  /** Headings below the place's own. */
  readonly sections: ReadonlyArray<Section>
  readonly codeBlocks: ReadonlyArray<CodeBlock>
  readonly tables: ReadonlyArray<Table>
  readonly definitions: ReadonlyArray<Definition>
}

/** A topic, by the phrases that name it. */
export interface Topic {
  readonly called: Phrase
  /** Its names in other languages. */
  readonly subject?: Subject
  /** Maximum number of other words in the heading: "Rate limits of the search endpoint" has two. */
  readonly spareWords: number
}

/** Words in a heading that do not count as other words. */
const FILLERS = new Set(
  (
    "a an the these those and or of for to in on at with by from via is are be do does may might how what when why which where can i you we our your its it this that there as" +
    " api apis rest http https web sdk cli client server library app docs documentation reference guide overview introduction section page about" +
    " using use used handling handle handled managing manage understanding working common general basic basics all list full available supported support details notes note" +
    " following below returned returns information info step part chapter appendix any time calls requests call request make made making each per version versions v"
  ).split(" ")
)

const ASIDE_HEADING = phrase(
  "third[- ]part(?:y|ies)",
  "alternatives?",
  "vs\\.?",
  "versus",
  "compar(?:ed|ison|ing)",
  "contributing",
  "contributors?"
)

/** The places that name `topic`, in the order of the articles. */
export const placesOf = (documentation: Documentation, topic: Topic): ReadonlyArray<Place> => {
  // Generated pages repeat the same headings.
  const asked = new Map<string, number | null>()
  const othersIn = (heading: string): number | null => {
    const before = asked.get(heading)
    if (before !== undefined) return before
    const answer = wordsBeside(heading, topic, documentation)
    asked.set(heading, answer)
    return answer
  }
  const named = (place: Place): ReadonlyArray<Place> => {
    const others = place.heading === null ? null : othersIn(place.heading)
    return others === null || others > topic.spareWords ? [] : [{ ...place, others }]
  }
  return documentation.articles
    .filter(isDocumentation)
    .flatMap((article) => placesIn(article, documentation).flatMap(named))
}

/** Pages before sections, and sections before tables. */
const KIND_RANK = { title: 0, address: 0, heading: 1, spec: 1, table: 2, sentence: 3 } as const

/** The same places, those first that are about nothing beside the topic; then as they were. */
export const surestFirst = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  places.toSorted((one, other) => one.others - other.others || KIND_RANK[one.kind] - KIND_RANK[other.kind])

/** Longer ones are lists or tables that lost their lines, in characters. */
const SENTENCE_CHARACTERS = 500

/** The pages that are reference. */
export const referenceUrls = oncePer(
  ({ sampled, siteTitles, topicPages }: Documentation): ReadonlySet<string> =>
    new Set([...sampled, ...topicPages].filter(isReferenceBeside(siteTitles)).map(({ url }) => url))
)

/** Sections of reference pages and of the API description with a sentence that tells something without a heading of its own. */
export const toldPlaces = (
  documentation: Documentation,
  tells: (sentence: string) => boolean
): ReadonlyArray<Place> => {
  const reference = referenceUrls(documentation)
  return documentation.articles
    .filter((article) => article.kind === "spec" || (article.kind === "page" && reference.has(article.url)))
    .filter(isDocumentation)
    .flatMap((article) =>
      article.sections.flatMap(({ text }, from): ReadonlyArray<Place> => {
        const told = sentencesOf(text).find((sentence) => sentence.length <= SENTENCE_CHARACTERS && tells(sentence))
        if (told === undefined) return []
        return [{ kind: "sentence", text: told, heading: null, others: 0, article, from, to: from + 1, table: null }]
      })
    )
}

/** Titles of pages about it, including news. */
export const titlesOf = (documentation: Documentation, topic: Topic): ReadonlyArray<Place> =>
  documentation.articles.flatMap((article) =>
    placesIn(article, documentation).filter(
      ({ heading, kind }) => kind === "title" && heading !== null && isHeadingAbout(heading, topic, documentation)
    )
  )

/** Documentation of the product; not its blog, nor essays beside its documentation. */
export const isDocumentation = (article: Article, _: number, all: ReadonlyArray<Article>): boolean => {
  if (article.kind !== "page") return true
  const path = pathAndQuery(article.url)
  return (
    !isAsideAddress(article.url) &&
    ASIDE_HEADING.exec(article.title) === null &&
    !(ARTICLE_ADDRESS.test(path) && all.some(({ url }) => DOCS_ADDRESS.test(url)))
  )
}

/** Some generators put guides under `/articles/`; if the site has `/docs/` too, articles are essays. */
const ARTICLE_ADDRESS = /\/articles?\//
const DOCS_ADDRESS = /\/docs?\//

/** Maximum number of parts of a title that are searched. */
const TITLE_PARTS = 10

const placesIn = oncePer((article: Article, documentation: Documentation): ReadonlyArray<Place> =>
  [...named(article, documentation), ...headed(article), ...tabled(article)].map((place): Place => ({
    ...place,
    heading: headingIn(place.text),
    others: 0
  }))
)

type Named = Omit<Place, "heading" | "others">

const named = (article: Article, { siteTitles }: Documentation): ReadonlyArray<Named> => {
  if (article.kind !== "page") return []
  const whole = { article, from: 0, to: article.sections.length, table: null }
  const titles = titleParts(article.title)
    .slice(0, TITLE_PARTS)
    .filter((part) => !siteTitles.has(part))
  const address: Named = { ...whole, kind: "address", text: lastSegment(article.url) }
  return [
    ...titles.map((text): Named => ({ ...whole, kind: "title", text })),
    ...(IDENTIFIER.test(article.title) ? [] : [address])
  ]
}

/** A page as a place of its own, whatever it is called. */
export const pagePlace = (article: Article): Place => ({
  kind: "title",
  text: article.title,
  heading: headingIn(article.title),
  others: 0,
  article,
  from: 0,
  to: article.sections.length,
  table: null
})

/** The page of a class or a module; its URL is that identifier, not words. */
const IDENTIFIER = /::|[A-Za-z]\w*\.[A-Z]\w+|^(?:class|module|interface|enum|package|trait|struct|namespace)\b/i

/** The last segment of a URL as words: `/docs/rate-limits/index.html` gives "rate limits", and `/changelog/v5` "changelog v5". */
export const lastSegment = (url: string): string => {
  const segments = (URL.parse(url)?.pathname ?? "")
    .split("/")
    .filter((segment) => segment !== "" && !/^index\.\w+$/.test(segment))
  const last = asWords(segments.at(-1) ?? "")
  return VERSION_ALONE.test(last) ? `${asWords(segments.at(-2) ?? "")} ${last}`.trim() : last
}

const VERSION_ALONE = /^v?\d+(?:\.\d+)*$/i

const asWords = (segment: string): string =>
  withoutPageEnding((percentDecoded(segment) ?? segment).replace(/\.html?$/i, ""))
    .replace(/\.txt$/i, "")
    .replace(/(?:\.(?:php|aspx?))+$/i, "")
    .replace(/[-_+]|%20/g, " ")

const headed = (article: Article): ReadonlyArray<Named> =>
  article.sections.flatMap((section, from) => {
    if (
      section.level === 0 ||
      [section.heading, ...section.path].some((heading) => ASIDE_HEADING.exec(heading) !== null)
    )
      return []
    const kind = article.kind === "spec" ? "spec" : "heading"
    return [{ kind, text: section.heading, article, from, to: endOf(article.sections, from), table: null }]
  })

/** A heading covers the sections that are deeper than it. */
const endOf = (sections: ReadonlyArray<Section>, from: number): number => {
  const level = sections[from]?.level ?? 0
  let end = from + 1
  while ((sections[end]?.level ?? 0) > level) end++
  return end
}

/** A table is about its caption and the headings of its columns. */
const tabled = (article: Article): ReadonlyArray<Named> =>
  article.tables.flatMap((table) =>
    [table.caption, ...table.header]
      .filter((text) => text !== "")
      .map((text) => ({ kind: "table" as const, text, article, from: table.section, to: table.section + 1, table }))
  )

/** Maximum length of a heading, in characters. */
const HEADING_CHARACTERS = 160

/** What surrounds a heading's words: numbering, bullets, permalink signs, invisible characters. */
const BEFORE = /^[\s\p{So}\p{Pi}"'*•–—-]*(?:\d{1,2}(?:\.\d{1,3})*(?:[.):、](?!\d)\s*|\s+))?/u
const AFTER = /[\s¶#\u200B-\u200D\uFEFF:?!|–—-]+$/u

/** Full-width letters and digits, as `ＡＰＩ` in Japanese. */
const FULL_WIDTH = /[\uFF00-\uFFEF]/

const bare = (heading: string): string => {
  const start = heading.slice(0, HEADING_CHARACTERS + 1)
  return (FULL_WIDTH.test(start) ? start.normalize("NFKC") : start).replace(BEFORE, "").replace(AFTER, "")
}

/** A signature or a generator's list of members, not a heading in words: `#paginate(url) ⇒ Array`, `Methods inherited from Error`. */
const SIGNATURE = /[⇒→]|[=-]>|[\p{L}\p{N}_$]\(|^(?:nested )?\w{4,12} (?:inherited|included|declared) (?:from|in)\b/iu

/** "Authentication/Authorization" are two names, while "/orders/Errors" is a path. */
const TWO_NAMES = /^([^/]*\p{L}{3})\/(\p{Lu}\p{Ll}{2}[^/]*)$/u

const headingIn = (text: string): string | null => {
  const heading = bare(text).replace(TWO_NAMES, "$1 / $2")
  return heading.length > HEADING_CHARACTERS || SIGNATURE.test(heading) ? null : heading
}

/** `text` names the topic, and has few other words besides fillers, numbers and the product's own names. */
export const isAbout = (text: string, topic: Topic, documentation: Naming): boolean => {
  const heading = headingIn(text)
  return heading !== null && isHeadingAbout(heading, topic, documentation)
}

type Naming = Pick<Documentation, "names" | "reader">

const isHeadingAbout = (heading: string, topic: Topic, naming: Naming): boolean => {
  const others = wordsBeside(heading, topic, naming)
  return others !== null && others <= topic.spareWords
}

/** How many words of a heading are beside the topic's name; `null` if it does not name the topic. */
const wordsBeside = (heading: string, topic: Topic, { names, reader }: Naming): number | null => {
  const found = topic.called.exec(heading)
  const rest =
    found !== null
      ? heading.slice(0, found.index) + " " + heading.slice(found.index + found[0].length)
      : topic.subject !== undefined && reader.says(topic.subject, heading)
        ? reader.without(topic.subject, heading)
        : null
  if (rest === null) return null
  const isForeign = reader.languages.size > 0
  const isFiller = (word: string): boolean => FILLERS.has(word) || (isForeign && FOREIGN_FILLERS.has(folded(word)))
  const words = wordsIn((hasWideLetters(rest) ? rest.replace(WIDE_FILLERS, " ") : rest).toLowerCase())
  return words.filter((word) => word.length > 1 && !/^v?\d/.test(word) && !isFiller(word) && !names.has(word)).length
}

/** Cached by table: each of its columns may be a place. */
const passageOfTable = oncePer((table: Table): Passage => ({
  text: [...table.header, ...table.rows.flat()].join("\n"),
  sections: [],
  codeBlocks: [],
  tables: [table],
  definitions: []
}))

interface InSection {
  readonly section: number
}

/** The items of sections `from` to `to` (exclusive). Items are sorted by section, so a binary search finds them. */
const within = <A extends InSection>(items: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> =>
  items.slice(firstFrom(items, from), firstFrom(items, to))

/** The index of the first item in `section` or a later one. */
const firstFrom = (items: ReadonlyArray<InSection>, section: number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.section ?? 0) >= section) high = middle
    else low = middle + 1
  }
  return low
}

export const passageOf = (place: Place): Passage => {
  const { article, from, table, to } = place
  if (table !== null) return passageOfTable(table)
  const sections = article.sections.slice(from, to)
  return {
    text: sections.map(({ heading, text }, index) => (index === 0 ? text : `${heading}\n${text}`)).join("\n"),
    sections: sections
      .slice(place.kind === "title" || place.kind === "address" ? 0 : 1)
      .filter(({ level }) => level > 0),
    codeBlocks: within(article.codeBlocks, from, to),
    tables: within(article.tables, from, to),
    definitions: within(article.definitions, from, to)
  }
}

/** Maximum length of what a finding quotes of a page. */
export const QUOTED_CHARACTERS = 60

const quote = (text: string): string => `"${clippedProse(bare(text), QUOTED_CHARACTERS)}"`

/** The place in words, for a finding: `the section "Rate limits" of /introduction`. */
export const describePlace = ({ article, kind, text }: Place): string => {
  const quoted = quote(text)
  const at = pathAndQuery(article.url)
  const [title] = titleParts(article.title)
  return {
    title: `the page ${quoted} (${at})`,
    address: title === undefined ? `the page ${at}` : `the page ${quote(title)} (${at})`,
    heading: `the section ${quoted} of ${at}`,
    table: `the table with ${quoted} on ${at}`,
    spec: `the section ${quoted} of the API description`,
    sentence: `the sentence ${quoted} ${article.kind === "spec" ? "of the API description" : `on ${at}`}`
  }[kind]
}

/** Path and query, which identify a page of the site. */
export const pathAndQuery = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}
