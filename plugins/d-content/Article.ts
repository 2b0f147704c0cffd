import type { Aggregate } from "../../engine/site/Aggregates.ts"
import type { FoundSpec } from "../../engine/site/ApiSpec.ts"
import { normaliseLanguage } from "../../engine/site/CodeLanguage.ts"
import { codeLines } from "../../engine/site/CodeText.ts"
import { type MarkdownBlock, readMarkdown } from "../../engine/site/MarkdownReader.ts"
import type { CodeBlock, Definition, Page, Section, Table } from "../../engine/site/Page.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"

/** A text of the site in the one shape that category D reads, wherever it comes from. */
export interface Article {
  readonly kind: "page" | "aggregate" | "spec"
  readonly url: string
  /** What it was read from: what findings cite. */
  readonly exchange: Exchange
  /** As the page says it; empty for an aggregate and a description, whose title names the whole product. */
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

/** The prose that an API description opens with. */
export const articleOfSpec = (found: FoundSpec): Article => articleOfMarkdown("spec", found.spec.url, found.exchange, found.spec.description)

/** Of an aggregate this much is read, in characters; and at a time, because the Markdown reader stops at 500 000. */
const AGGREGATE_CHARACTERS = 2_000_000
const PART_CHARACTERS = 400_000

const read = new WeakMap<Aggregate, ReadonlyArray<Article>>()

/** An aggregate, in as many parts as reading it takes. Five criteria ask for it; it is read once. */
export const articlesOfAggregate = (aggregate: Aggregate): ReadonlyArray<Article> => {
  const known = read.get(aggregate)
  if (known !== undefined) return known
  const articles = partsOf(aggregate.text.slice(0, AGGREGATE_CHARACTERS))
    .map((part) => articleOfMarkdown("aggregate", aggregate.url, aggregate.answer, part))
  read.set(aggregate, articles)
  return articles
}

/** Cut before a top-level heading where there is one within reach, so that no section is torn apart. */
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

type Level = Exclude<Section["level"], 0>

/** Cuts a run of Markdown blocks at its headings, as `Page` does with HTML. */
class SectionBuilder {
  readonly #sections: Array<Section> = []
  readonly #codeBlocks: Array<CodeBlock> = []
  readonly #tables: Array<Table> = []
  #above: ReadonlyArray<{ readonly level: Level; readonly text: string }> = []
  #open: Omit<Section, "text"> = { heading: "", level: 0, anchor: null, path: [] }
  #lines: Array<string> = []

  take(block: MarkdownBlock): void {
    if (block.kind === "heading") return this.#begin(block.level, block.text)
    const section = this.#sections.length
    if (block.kind === "code") this.#codeBlocks.push(codeBlock(block.text, block.language, section))
    if (block.kind === "table") this.#tables.push({ caption: "", header: block.header, rows: block.rows, section })
    for (const line of block.kind === "table" ? [block.header, ...block.rows].flat() : [block.text]) this.#lines.push(line)
  }

  finish(): Pick<Article, "sections" | "codeBlocks" | "tables"> {
    const [first, ...others] = [...this.#sections, this.#closed()]
    return { sections: [first ?? this.#closed(), ...others], codeBlocks: this.#codeBlocks, tables: this.#tables }
  }

  #begin(level: Level, text: string): void {
    this.#sections.push(this.#closed())
    this.#above = this.#above.filter((heading) => heading.level < level)
    this.#open = { heading: text, level, anchor: null, path: this.#above.map((heading) => heading.text) }
    this.#above = [...this.#above, { level, text }]
    this.#lines = []
  }

  #closed(): Section {
    return { ...this.#open, text: this.#lines.join("\n") }
  }
}

const codeBlock = (text: string, language: string, section: number): CodeBlock => ({
  text,
  lines: codeLines(text),
  language: normaliseLanguage(language),
  label: null,
  section
})
