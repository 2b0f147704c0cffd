import type { Token } from "markdown-it"
import { escapeMarkup } from "../../text/MarkupText.ts"
import { parseHtml } from "../dom/HtmlParser.ts"
import type { HiddenInstruction } from "../Page.ts"
import { hiddenInstructions } from "../html/HiddenInstructions.ts"
import { previewOfHtml } from "../ErrorPage.ts"
import { anchorsIn, markdownText, markdownTokens, readInline } from "./MarkdownInline.ts"

/** A Markdown text (CommonMark with GFM tables) as plain data. Reading never fails. */
export interface MarkdownDocument {
  /** `title:` of the front matter, else the first H1, else the first heading; empty where there is none. */
  readonly title: string
  /** Front matter as written, without its fences; empty where there is none. */
  readonly frontMatter: string
  /** Everything in reading order; at most 50 000 blocks. */
  readonly blocks: ReadonlyArray<MarkdownBlock>
  /** Links of all blocks in order, images left out; at most 20 000. */
  readonly links: ReadonlyArray<MarkdownLink>
  /** Fenced code blocks that nothing closes before the document or their container ends. */
  readonly unclosedFences: number
  /** Orders to agents in texts that people do not see, at most 20. */
  readonly hiddenInstructions: ReadonlyArray<HiddenInstruction>
  /** Longer than 500 000 characters: read up to the last line before that. */
  readonly cut: boolean
}

/** Texts have their white space collapsed and are trimmed; code is as written. HTML tags are left out of texts. */
export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  /** `language`: the first word of the info string as written; empty where there is none, or where it is indented. */
  | {
      readonly kind: "code"
      readonly text: string
      readonly language: string
      readonly closed: boolean
      /** The line of the document on which its text begins, from 1. */
      readonly line: number
    }
  | {
      readonly kind: "table"
      readonly header: ReadonlyArray<string>
      readonly rows: ReadonlyArray<ReadonlyArray<string>>
    }

interface MarkdownLink {
  /** As written. */
  readonly href: string
  readonly text: string
  /** Index into `blocks` of the block that contains it. */
  readonly block: number
}

const MAX_BLOCKS = 50_000
const MAX_LINKS = 20_000

export const readMarkdown = (text: string): MarkdownDocument => {
  const { cut, text: whole } = markdownText(text)
  const { frontMatter, body } = splitFrontMatter(whole)
  const reader = new BlockReader(body.split("\n"), lineBreaks(whole.slice(0, whole.length - body.length)))
  const tokens = markdownTokens(body)
  for (const token of tokens) reader.take(token)
  const { blocks, links } = reader
  return {
    title: titleIn(frontMatter) ?? firstHeading(blocks),
    frontMatter,
    blocks: blocks.slice(0, MAX_BLOCKS),
    links: links.filter(({ block }) => block < MAX_BLOCKS).slice(0, MAX_LINKS),
    unclosedFences: blocks.filter((block) => block.kind === "code" && !block.closed).length,
    hiddenInstructions: hiddenInMarkdown(tokens),
    cut
  }
}

/** All text of a document, code and cells included, block by block: what a passage is looked for in. */
export const textsOf = (document: MarkdownDocument): ReadonlyArray<string> =>
  document.blocks.flatMap((block) => (block.kind === "table" ? [block.header, ...block.rows].flat() : [block.text]))

/** `key: value`, or a comment. A rule at the top of a document is followed by something else. */
const YAML_LINE = /^---\n(?:#|["']?[A-Za-z_][\w .-]{0,80}["']?[ \t]*:)/

/** YAML between two lines `---` at the very beginning. */
const splitFrontMatter = (text: string): { readonly frontMatter: string; readonly body: string } => {
  const end = YAML_LINE.test(text) ? text.indexOf("\n---", 3) : -1
  const after = end < 0 ? -1 : end + "\n---".length
  if (end < 0 || (text[after] !== undefined && text[after] !== "\n")) return { frontMatter: "", body: text }
  return { frontMatter: text.slice("---\n".length, end), body: text.slice(after) }
}

const titleIn = (frontMatter: string): string | null => {
  const value = /^title:[ \t]*(\S[^\n]*)$/m.exec(frontMatter)?.[1]?.trim() ?? ""
  const bare = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value
  return bare === "" ? null : bare
}

const firstHeading = (blocks: ReadonlyArray<MarkdownBlock>): string => {
  const headings = blocks.flatMap((block) => (block.kind === "heading" ? [block] : []))
  return (headings.find(({ level }) => level === 1) ?? headings[0])?.text ?? ""
}

const LEVELS = [1, 2, 3, 4, 5, 6] as const

interface OpenTable {
  readonly header: Array<string>
  readonly rows: Array<Array<string>>
}

/** Turns the parser's flat tokens into blocks. */
class BlockReader {
  readonly blocks: Array<MarkdownBlock> = []
  readonly links: Array<MarkdownLink> = []
  readonly lines: ReadonlyArray<string>
  heading: (typeof LEVELS)[number] | null = null
  table: OpenTable | null = null
  inHeader = false
  /** Lines of the document before `lines`. */
  readonly before: number

  constructor(lines: ReadonlyArray<string>, before: number) {
    this.lines = lines
    this.before = before
  }

  take(token: Token): void {
    switch (token.type) {
      case "heading_open":
        this.heading = LEVELS.find((level) => token.tag === `h${level}`) ?? null
        return
      case "heading_close":
        this.heading = null
        return
      case "table_open":
        this.table = { header: [], rows: [] }
        return
      case "thead_open":
      case "thead_close":
        this.inHeader = token.nesting === 1
        return
      case "tr_open":
        if (!this.inHeader) this.table?.rows.push([])
        return
      case "table_close":
        if (this.table !== null) this.blocks.push({ kind: "table", ...this.table })
        this.table = null
        return
      case "inline":
        return this.takeInline(token)
      case "fence":
      case "code_block":
        return this.takeCode(token)
      case "html_block":
        return this.takeHtml(token.content)
      default:
    }
  }

  takeInline(token: Token): void {
    const { text, links } = readInline(token)
    for (const { href, text } of links) this.links.push({ href, text, block: this.blocks.length })
    if (this.table !== null) (this.inHeader ? this.table.header : this.table.rows.at(-1))?.push(text)
    else if (this.heading !== null) this.blocks.push({ kind: "heading", level: this.heading, text })
    else if (text !== "") this.addParagraph(text)
  }

  takeCode(token: Token): void {
    const fenced = token.type === "fence"
    this.blocks.push({
      kind: "code",
      text: token.content.replace(/\n$/, ""),
      language: fenced ? (token.info.trim().split(/[\s{,]/, 1)[0] ?? "") : "",
      closed: !fenced || isClosed(token, this.lines),
      line: this.before + (token.map?.[0] ?? 0) + (fenced ? 2 : 1)
    })
  }

  /** Blocks of markup inside Markdown, components included: their texts, line by line. */
  takeHtml(html: string): void {
    for (const href of anchorsIn(html)) this.links.push({ href, text: "", block: this.blocks.length })
    for (const line of previewOfHtml(html).text.split("\n")) if (line !== "") this.addParagraph(line)
  }

  addParagraph(text: string): void {
    this.blocks.push({ kind: "paragraph", text })
  }
}

const lineBreaks = (text: string): number => text.split("\n").length - 1

/** The last line of a fenced block closes it: the same mark, at least as long, and nothing else. */
const isClosed = (token: Token, lines: ReadonlyArray<string>): boolean => {
  const [start = 0, end = 0] = token.map ?? []
  const last = end - 1 > start ? (lines[end - 1] ?? "").replace(/^[\s>]+/, "").trimEnd() : ""
  const mark = token.markup[0] ?? "`"
  return last.length >= token.markup.length && last === mark.repeat(last.length)
}

/** HTML in which something may be hidden; most documents have none. U+DB40 begins every invisible tag character. */
const MAY_HIDE = /<!--|<noscript|\shidden\b|\sstyle\s*=|\sclass\s*=/i

/** The orders to agents that a Markdown document hides from people: in comments, and in HTML elements that are hidden. */
const hiddenInMarkdown = (tokens: ReadonlyArray<Token>): ReadonlyArray<HiddenInstruction> =>
  tokens.some(mayHide) ? hiddenInstructions(parseHtml(tokens.map(markupOf).join("\n"))) : []

const mayHide = ({ children, content, type }: Token): boolean =>
  content.includes("\u{DB40}") ||
  (type === "html_block"
    ? MAY_HIDE.test(content)
    : (children ?? []).some((child) => child.type === "html_inline" && MAY_HIDE.test(child.content)))

/** HTML as it is written and text as it is read; code blocks are shown to people, so nothing in them is hidden. */
const markupOf = ({ children, content, type }: Token): string => {
  if (type === "html_block") return content
  return type === "inline"
    ? `<p>${(children ?? []).map((child) => (child.type === "html_inline" ? child.content : escapeMarkup(child.content))).join(" ")}</p>`
    : ""
}
