import MarkdownIt, { type Token } from "markdown-it"
import { collapse } from "../../text/WhiteSpace.ts"

/** Of a Markdown document this much is read, in characters. */
const MARKDOWN_CHARACTERS = 500_000

/** Blocks and marks in each other that are read, as for the parser's own CommonMark preset: deeper ones take long and say nothing. */
const NESTING = 20

/** CommonMark with GFM tables; URLs are kept as they are written. */
const parser = new MarkdownIt({ html: true, linkify: false, typographer: false, maxNesting: NESTING })
parser.normalizeLink = (url) => url

/** What of a text is read as Markdown: without a byte order mark, lines ending in LF. */
interface MarkdownText {
  readonly text: string
  /** It was longer than `most` characters: `text` ends with the last line before that, or within a line that is longer itself. */
  readonly cut: boolean
}

export const markdownText = (text: string, most = MARKDOWN_CHARACTERS): MarkdownText => ({
  text: beginningOf(text, most)
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n"),
  cut: text.length > most
})

const beginningOf = (text: string, most: number): string => {
  if (text.length <= most) return text
  const lineEnd = Math.max(text.lastIndexOf("\n", most - 1), text.lastIndexOf("\r", most - 1))
  return text.slice(0, lineEnd < 0 ? most : lineEnd + 1)
}

/** Block tokens in reading order; a text that the parser gives up on has none. */
export const markdownTokens = (text: string): ReadonlyArray<Token> => {
  try {
    return parser.parse(text, {})
  } catch {
    return []
  }
}

/** The text of a paragraph, heading or cell, and the links in it. */
export interface Inline {
  /** White space collapsed, trimmed; images by their alternative text, HTML tags left out. */
  readonly text: string
  readonly links: ReadonlyArray<InlineLink>
}

export interface InlineLink {
  /** As written. */
  readonly href: string
  readonly text: string
  /** What precedes and follows it in the same run. */
  readonly before: string
  readonly after: string
  /** Written as an HTML anchor. */
  readonly html: boolean
}

/** Anchors in a piece of HTML. Every part is bounded, so that no text makes it slow. */
const ANCHOR = /<a\s[^>]{0,300}?href\s{0,9}=\s{0,9}(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})')/gi

/** URLs of anchors in a piece of HTML, as written, in order. */
export const anchorsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(ANCHOR)].map((match) => match[1] ?? match[2] ?? "")

interface Span {
  readonly href: string
  readonly html: boolean
  readonly from: number
  readonly to: number
}

/** Reads the children of an `inline` token. A link that is never closed ends with its run. */
export const readInline = (token: Pick<Token, "children">): Inline => {
  const spans: Array<Span> = []
  let text = ""
  let open: Omit<Span, "to"> | null = null
  for (const child of token.children ?? []) {
    const opened = openingOf(child)
    if (open !== null && (opened !== null || closes(child))) {
      spans.push({ ...open, to: text.length })
      open = null
    }
    if (opened !== null) open = { ...opened, from: text.length }
    text += textOfToken(child)
  }
  if (open !== null) spans.push({ ...open, to: text.length })
  return { text: collapse(text), links: spans.map((span) => linkOf(text, span)) }
}

const openingOf = (token: Token): Pick<Span, "href" | "html"> | null => {
  if (token.type === "link_open") return { href: String(token.attrGet("href") ?? ""), html: false }
  const href = token.type === "html_inline" ? anchorsIn(token.content)[0] : undefined
  return href === undefined ? null : { href, html: true }
}

const closes = (token: Token): boolean =>
  token.type === "link_close" || (token.type === "html_inline" && /^<\/a\s*>/i.test(token.content))

/** Enough of what surrounds a link to see whether it leads its item, and what is said of it. */
const CONTEXT_CHARACTERS = 2_000

const linkOf = (text: string, { href, html, from, to }: Span): InlineLink => ({
  href,
  html,
  text: collapse(text.slice(from, to)),
  before: collapse(text.slice(Math.max(0, from - CONTEXT_CHARACTERS), from)),
  after: collapse(text.slice(to, to + CONTEXT_CHARACTERS))
})

const textOfToken = (token: Token): string => {
  switch (token.type) {
    case "text":
    case "text_special":
    case "code_inline":
      return token.content
    case "image":
      return (token.children ?? []).map(textOfToken).join("")
    case "softbreak":
    case "hardbreak":
      return " "
    case "html_inline":
      return /^<br\b/i.test(token.content) ? " " : ""
    default:
      return ""
  }
}
