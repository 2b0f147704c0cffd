import type { FoundSpec } from "../../apispec/ApiSpec.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { normaliseLanguage } from "../../page/code/CodeLanguage.ts"
import { type MarkdownBlock, readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import {
  type CodeBlock,
  type Definition,
  type Heading,
  isSubstantive,
  type Page,
  type Section,
  type Table
} from "../../page/Page.ts"
import { sectionsOf } from "../../page/html/Headings.ts"
import { nonBlankLines } from "../../text/WhiteSpace.ts"
import type { MarkdownVersions } from "../markdown/MarkdownVersions.ts"
import type { FullText, FullTextFile } from "../wellknown/FullText.ts"

/** A text of the site in the shape that category D reads, whatever its source. */
export interface Article {
  readonly kind: "page" | "aggregate" | "spec"
  readonly url: string
  /** The exchange it was read from, which findings cite. */
  readonly exchange: Exchange
  /** The page's title; empty for full-text files and API descriptions, whose title names the whole product. */
  readonly title: string
  /** The language that a page says it is in; empty for the others. */
  readonly lang: string
  readonly sections: readonly [Section, ...ReadonlyArray<Section>]
  readonly codeBlocks: ReadonlyArray<CodeBlock>
  /** A table without a caption has the line before it as one. */
  readonly tables: ReadonlyArray<Table>
  readonly definitions: ReadonlyArray<Definition>
  /** Machine-readable dates (`<time datetime>`). */
  readonly times: ReadonlyArray<string>
}

export const articleOfPage = (page: Page): Article => ({
  kind: "page",
  url: page.url,
  exchange: page.answer,
  title: page.title,
  lang: page.lang,
  sections: page.sections,
  codeBlocks: page.codeBlocks,
  tables: page.tables.map((table) =>
    table.caption === "" ? { ...table, caption: lineBefore(table, page.sections[table.section]?.text ?? "") } : table
  ),
  definitions: page.definitions,
  times: page.times
})

/** Longer lines are running text. */
const CAPTION_CHARACTERS = 100

/** The line before a table's first cells in the text of its section; empty if there is none, or it is no caption. */
const lineBefore = ({ header, rows }: Table, text: string): string => {
  const cells = [...header, ...(rows[0] ?? [])].filter((cell) => cell !== "").slice(0, 2)
  const at = cells.length < 2 ? -1 : text.indexOf(`\n${cells.join("\n")}`)
  return at < 0 ? "" : captionIn(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))
}

const captionIn = (line: string): string => (line.length > CAPTION_CHARACTERS ? "" : line)

/** The introductory text of an API description. */
export const articleOfSpec = (found: FoundSpec): Article =>
  articleOfMarkdown("spec", found.spec.url, found.exchange, found.spec.description)

/** Maximum length of one part: the Markdown reader stops at 500,000 characters. */
const PART_CHARACTERS = 400_000

const read = new WeakMap<FullTextFile, ReadonlyArray<Article>>()

/** A full-text file in parts that the Markdown reader can take. Cached, because five criteria read it. */
export const articlesOfAggregate = (aggregate: FullTextFile): ReadonlyArray<Article> => {
  const known = read.get(aggregate)
  if (known !== undefined) return known
  const articles = partsOf(aggregate.text).map((part) =>
    articleOfMarkdown("aggregate", aggregate.url, aggregate.answer, part)
  )
  read.set(aggregate, articles)
  return articles
}

/** Cuts before a top-level heading if possible, so that sections stay whole. */
const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let from = 0
  while (from < text.length) {
    const end = from + PART_CHARACTERS
    const heading = end < text.length ? text.lastIndexOf("\n# ", end) : -1
    const to = end >= text.length ? text.length : heading > from ? heading + 1 : end
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** A Markdown text, without a title of its own. */
const articleOfMarkdown = (kind: Article["kind"], url: string, exchange: Exchange, text: string): Article => {
  const builder = new SectionBuilder()
  for (const block of readMarkdown(text).blocks) builder.take(block)
  return { kind, url, exchange, title: "", lang: "", definitions: [], times: [], ...builder.finish() }
}

/** Cuts a run of Markdown blocks at its headings, as `Page` does with HTML. */
class SectionBuilder {
  readonly #headings: Array<Pick<Heading, "anchor" | "level" | "text">> = []
  readonly #texts: Array<Array<string>> = [[]]
  readonly #codeBlocks: Array<CodeBlock> = []
  readonly #tables: Array<Table> = []
  /** The paragraph right before the next block. */
  #before = ""

  take(block: MarkdownBlock): void {
    if (block.kind === "heading") {
      this.#headings.push({ level: block.level, text: block.text, anchor: null })
      this.#texts.push([])
      this.#before = ""
      return
    }
    const section = this.#headings.length
    if (block.kind === "code") this.#codeBlocks.push(codeBlock(block, section))
    if (block.kind === "table")
      this.#tables.push({ caption: captionIn(this.#before), header: block.header, rows: block.rows, section })
    for (const line of block.kind === "table" ? [block.header, ...block.rows].flat() : [block.text])
      this.#texts[section]?.push(line)
    this.#before = block.kind === "paragraph" ? block.text : ""
  }

  finish(): Pick<Article, "sections" | "codeBlocks" | "tables"> {
    const sections = sectionsOf(
      this.#headings,
      this.#texts.map((lines) => lines.join("\n"))
    )
    return { sections, codeBlocks: this.#codeBlocks, tables: this.#tables }
  }
}

const codeBlock = (
  { language, line, text }: Extract<MarkdownBlock, { readonly kind: "code" }>,
  section: number
): CodeBlock => ({
  text,
  lines: nonBlankLines(text),
  language: normaliseLanguage(language),
  label: null,
  section,
  line,
  lineByLine: true
})

/** A text in which calls, tables and figures are looked for. */
export interface DriftText extends Article {
  /** The page that it is the text of; `null` for Markdown versions and full texts, which mostly repeat pages. */
  readonly page: Page | null
}

/** Pages first, each once; then their Markdown versions, and full texts. */
export const driftTexts = (
  pages: ReadonlyArray<Page>,
  { pages: versioned }: Pick<MarkdownVersions, "pages">,
  { files }: Pick<FullText, "files">
): ReadonlyArray<DriftText> => {
  const byUrl = new Map(pages.filter(isSubstantive).map((page) => [page.url, page]))
  const versions = versioned.flatMap(({ version }) =>
    version === null || version.how === "self"
      ? []
      : [articleOfMarkdown("page", version.url, version.answer, version.text)]
  )
  return [
    ...[...byUrl.values()].map((page): DriftText => ({ ...articleOfPage(page), page })),
    ...[...versions, ...files.flatMap(articlesOfAggregate)].map((article): DriftText => ({ ...article, page: null }))
  ]
}
