import type { FullTextFile } from "../../engine/site/wellknown/FullText.ts"
import type { FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import { normaliseLanguage } from "../../engine/page/code/CodeLanguage.ts"
import { type MarkdownBlock, readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import type { CodeBlock, Definition, Heading, Page, Section, Table } from "../../engine/page/Page.ts"
import { sectionsOf } from "../../engine/page/Sections.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { nonBlankLines } from "../../engine/text/WhiteSpace.ts"

/** A text of the site in the shape that category D reads, whatever its source. */
export interface Article {
  readonly kind: "page" | "aggregate" | "spec"
  readonly url: string
  /** The exchange it was read from, which findings cite. */
  readonly exchange: Exchange
  /** The page's title; empty for full-text files and API descriptions, whose title names the whole product. */
  readonly title: string
  readonly sections: readonly [Section, ...ReadonlyArray<Section>]
  readonly codeBlocks: ReadonlyArray<CodeBlock>
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
  sections: page.sections,
  codeBlocks: page.codeBlocks,
  tables: page.tables,
  definitions: page.definitions,
  times: page.times
})

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

const articleOfMarkdown = (kind: Article["kind"], url: string, exchange: Exchange, text: string): Article => {
  const builder = new SectionBuilder()
  for (const block of readMarkdown(text).blocks) builder.take(block)
  return { kind, url, exchange, title: "", definitions: [], times: [], ...builder.finish() }
}

/** Cuts a run of Markdown blocks at its headings, as `Page` does with HTML. */
class SectionBuilder {
  readonly #headings: Array<Pick<Heading, "anchor" | "level" | "text">> = []
  readonly #texts: Array<Array<string>> = [[]]
  readonly #codeBlocks: Array<CodeBlock> = []
  readonly #tables: Array<Table> = []

  take(block: MarkdownBlock): void {
    if (block.kind === "heading") {
      this.#headings.push({ level: block.level, text: block.text, anchor: null })
      this.#texts.push([])
      return
    }
    const section = this.#headings.length
    if (block.kind === "code") this.#codeBlocks.push(codeBlock(block.text, block.language, section))
    if (block.kind === "table") this.#tables.push({ caption: "", header: block.header, rows: block.rows, section })
    for (const line of block.kind === "table" ? [block.header, ...block.rows].flat() : [block.text])
      this.#texts[section]?.push(line)
  }

  finish(): Pick<Article, "sections" | "codeBlocks" | "tables"> {
    const sections = sectionsOf(
      this.#headings,
      this.#texts.map((lines) => lines.join("\n"))
    )
    return { sections, codeBlocks: this.#codeBlocks, tables: this.#tables }
  }
}

const codeBlock = (text: string, language: string, section: number): CodeBlock => ({
  text,
  lines: nonBlankLines(text),
  language: normaliseLanguage(language),
  label: null,
  section
})
