import type { CodeBlock, Definition, Section, Table } from "../../engine/site/Page.ts"
import { isAsideAddress } from "../../engine/site/PageAddress.ts"
import { titleParts } from "../../engine/site/SiteTitle.ts"
import type { Article } from "./Article.ts"
import type { Documentation } from "./Documentation.ts"
import { type Phrase, phrase } from "./Phrase.ts"

/** Where a subject can stand. A bare word in running text is no such place. */
export interface Place {
  /** `table`: a caption or the heading of a column; `spec`: a heading in the prose of the API description. */
  readonly kind: "title" | "address" | "heading" | "table" | "spec"
  /** What stands there, as written; of an address, its last segment as words. */
  readonly text: string
  /** `text` in the form that is searched for subjects; `null` where it is no heading in words. */
  readonly heading: string | null
  readonly article: Article
  /** The sections that it stands over, as indices into `article.sections`. */
  readonly from: number
  readonly to: number
  /** `null` unless `kind` is `table`. */
  readonly table: Table | null
}

/** What a place stands over. */
export interface Passage {
  /** Code and tables included, blocks separated by newlines. */
  readonly text: string
  /** Headings below the place's own. */
  readonly sections: ReadonlyArray<Section>
  readonly codeBlocks: ReadonlyArray<CodeBlock>
  readonly tables: ReadonlyArray<Table>
  readonly definitions: ReadonlyArray<Definition>
}

/** What a subject is called where it stands. */
export interface Subject {
  readonly called: Phrase
  /** Words beside it that leave it the subject: "Rate limits of the search endpoint" has two. */
  readonly spareWords: number
}

/** Words that say nothing of their own in a heading. */
const FILLERS = new Set(
  ("a an the and or of for to in on at with by from via is are be do does how what when why which where can i you we our your its it this that there as"
    + " api apis rest http https web sdk cli client server library app docs documentation reference guide overview introduction section page about"
    + " using use used handling handle handled managing manage understanding working common general basic basics all list full available supported support details notes note"
    + " information info step part chapter appendix any time calls requests call request make made making each per version versions v")
    .split(" ")
)

const ASIDE_HEADING = phrase("third[- ]part(?:y|ies)", "alternatives?", "vs\\.?", "versus", "compar(?:ed|ison|ing)", "contributing", "contributors?")

/** The places that `subject` stands at, in the order of the articles. */
export const placesOf = (documentation: Documentation, subject: Subject): ReadonlyArray<Place> => {
  // Generated pages all have the same headings.
  const asked = new Map<string, boolean>()
  const isNamed = ({ heading }: Place): boolean => {
    if (heading === null) return false
    const before = asked.get(heading)
    if (before !== undefined) return before
    const answer = isHeadingAbout(heading, subject, documentation.names)
    asked.set(heading, answer)
    return answer
  }
  return documentation.articles.filter(isDocumentation).flatMap((article) => placesIn(article, documentation).filter(isNamed))
}

/** Titles of pages that are about it, those of news among them. */
export const titlesOf = (documentation: Documentation, subject: Subject): ReadonlyArray<Place> =>
  documentation.articles.flatMap((article) =>
    placesIn(article, documentation).filter(({ heading, kind }) =>
      kind === "title" && heading !== null && isHeadingAbout(heading, subject, documentation.names)))

const isDocumentation = (article: Article, _: number, all: ReadonlyArray<Article>): boolean => {
  if (article.kind !== "page") return true
  const path = pathOf(article.url)
  return !isAsideAddress(article.url) && ASIDE_HEADING.exec(article.title) === null && !(ARTICLE_ADDRESS.test(path) && all.some(({ url }) => DOCS_ADDRESS.test(url)))
}

/** Some generators keep guides under `/articles/`; where the site has `/docs/`, they are essays. */
const ARTICLE_ADDRESS = /\/articles?\//
const DOCS_ADDRESS = /\/docs?\//

const known = new WeakMap<Article, ReadonlyArray<Place>>()

/** Parts of a title that may name a subject: a title with more names nothing. */
const TITLE_PARTS = 10

const placesIn = (article: Article, documentation: Documentation): ReadonlyArray<Place> => {
  const before = known.get(article)
  if (before !== undefined) return before
  const places = [...named(article, documentation), ...headed(article), ...tabled(article)]
    .map((place): Place => ({ ...place, heading: headingIn(place.text) }))
  known.set(article, places)
  return places
}

type Named = Omit<Place, "heading">

const named = (article: Article, { siteTitles }: Documentation): ReadonlyArray<Named> => {
  if (article.kind !== "page") return []
  const whole = { article, from: 0, to: article.sections.length, table: null }
  const titles = titleParts(article.title).slice(0, TITLE_PARTS).filter((part) => !siteTitles.has(part))
  const address: Named = { ...whole, kind: "address", text: lastSegment(article.url) }
  return [...titles.map((text): Named => ({ ...whole, kind: "title", text })), ...(IDENTIFIER.test(article.title) ? [] : [address])]
}

/** The page of a class or a module; its address is that identifier, and no words. */
const IDENTIFIER = /::|[A-Za-z]\w*\.[A-Z]\w+|^(?:class|module|interface|enum|package|trait|struct|namespace)\b/i

/** `/docs/rate-limits/index.html` says "rate limits". */
export const lastSegment = (url: string): string => {
  const segments = (URL.parse(url)?.pathname ?? "").split("/").filter((segment) => segment !== "" && !/^index\.\w+$/.test(segment))
  return (segments.at(-1) ?? "").replace(/(?:\.(?:html?|mdx?|txt|php|aspx?))+$/i, "").replace(/[-_+]|%20/g, " ")
}

const headed = (article: Article): ReadonlyArray<Named> =>
  article.sections.flatMap((section, from) => {
    if (section.level === 0 || [section.heading, ...section.path].some((heading) => ASIDE_HEADING.exec(heading) !== null)) return []
    const kind = article.kind === "spec" ? "spec" : "heading"
    return [{ kind, text: section.heading, article, from, to: endOf(article.sections, from), table: null }]
  })

/** A heading stands over what is deeper than it. */
const endOf = (sections: ReadonlyArray<Section>, from: number): number => {
  const level = sections[from]?.level ?? 0
  let end = from + 1
  while ((sections[end]?.level ?? 0) > level) end++
  return end
}

/** A table is about its caption and about what its columns are headed with. */
const tabled = (article: Article): ReadonlyArray<Named> =>
  article.tables.flatMap((table) =>
    [table.caption, ...table.header].filter((text) => text !== "")
      .map((text) => ({ kind: "table" as const, text, article, from: table.section, to: table.section + 1, table })))

/** The longest heading that is still a heading, in characters. */
const HEADING_CHARACTERS = 160

/** What surrounds a heading's words: numbering, bullets, permalink signs, invisible characters. */
const BEFORE = /^[\s\p{So}\p{Pi}"'*•–—-]*(?:\d{1,2}(?:\.\d{1,3})*[.):]?\s+)?/u
const AFTER = /[\s¶#\u200B-\u200D\uFEFF:?!|–—-]+$/u

const bare = (heading: string): string => heading.slice(0, HEADING_CHARACTERS + 1).replace(BEFORE, "").replace(AFTER, "")

/** A signature or a generator's list of members, not a heading in words: `#paginate(url) ⇒ Array`, `Methods inherited from Error`. */
const SIGNATURE = /[⇒→]|[=-]>|[\p{L}\p{N}_$]\(|^(?:nested )?\w{4,12} (?:inherited|included|declared) (?:from|in)\b/iu

const headingIn = (text: string): string | null => {
  const heading = bare(text)
  return heading.length > HEADING_CHARACTERS || SIGNATURE.test(heading) ? null : heading
}

/** `text` is about the subject: it says it, and little else besides fillers, numbers and the product's own names. */
export const isAbout = (text: string, subject: Subject, names: ReadonlySet<string>): boolean => {
  const heading = headingIn(text)
  return heading !== null && isHeadingAbout(heading, subject, names)
}

const isHeadingAbout = (heading: string, subject: Subject, names: ReadonlySet<string>): boolean => {
  const found = subject.called.exec(heading)
  if (found === null) return false
  const rest = heading.slice(0, found.index) + " " + heading.slice(found.index + found[0].length)
  const words = rest.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word.length > 1 && !/^v?\d/.test(word) && !FILLERS.has(word) && !names.has(word)).length <= subject.spareWords
}

const ofTables = new WeakMap<Table, Passage>()

/** Put together once for each table: each of its columns may be a place. */
const passageOfTable = (table: Table): Passage => {
  const known = ofTables.get(table)
  if (known !== undefined) return known
  const text = [...table.header, ...table.rows.flat()].join("\n")
  const passage: Passage = { text, sections: [], codeBlocks: [], tables: [table], definitions: [] }
  ofTables.set(table, passage)
  return passage
}

interface InSection {
  readonly section: number
}

/** Those of the sections from `from` to before `to`. They stand in the order of their sections, so the search is by halves. */
const within = <A extends InSection>(items: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> =>
  items.slice(firstFrom(items, from), firstFrom(items, to))

/** The index of the first that stands in `section` or a later one. */
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
    sections: sections.slice(place.kind === "heading" || place.kind === "spec" ? 1 : 0).filter(({ level }) => level > 0),
    codeBlocks: within(article.codeBlocks, from, to),
    tables: within(article.tables, from, to),
    definitions: within(article.definitions, from, to)
  }
}

/** Something with a name of its own in a table, a definition list or the Spec: a header, a parameter, a code. */
export interface Entry {
  readonly name: string
  /** What is said of it. */
  readonly text: string
  readonly article: Article
}

/** All of them in prose: first cells of rows and defined terms. */
export const entriesOf = (documentation: Documentation): ReadonlyArray<Entry> =>
  documentation.articles.filter(isDocumentation).flatMap((article) => [
    ...article.tables.flatMap(({ rows }) => rows.map(([name = "", ...rest]) => ({ name: name.trim(), text: rest.join(" "), article }))),
    ...article.definitions.map(({ term, text }) => ({ name: term.trim(), text, article }))
  ])

const QUOTED_CHARACTERS = 60

/** The place in words, for a finding: `the section "Rate limits" of /introduction`. */
export const describePlace = ({ article, kind, text }: Place): string => {
  const quoted = `"${shortened(bare(text))}"`
  const at = pathOf(article.url)
  return {
    title: `the page ${quoted} (${at})`,
    address: `the page ${at}`,
    heading: `the section ${quoted} of ${at}`,
    table: `the table with ${quoted} on ${at}`,
    spec: `the section ${quoted} of the API description`
  }[kind]
}

const shortened = (text: string): string => (text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS - 1)}…` : text)

/** Path and query, which tell a page of the site from the others. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}
