import MarkdownIt, { type Token } from "markdown-it"

/** Of a Markdown document this much is read, in characters. */
const MARKDOWN_CHARACTERS = 500_000

/** Blocks and marks in each other that are read, as for the parser's own CommonMark preset: deeper ones take long and say nothing. */
const NESTING = 20

/** CommonMark with GFM tables; URLs are kept as they are written. */
const parser = new MarkdownIt({ html: true, linkify: false, typographer: false, maxNesting: NESTING })
parser.normalizeLink = (url) => url

/** What of a text is read as Markdown: without a byte order mark, lines ending in LF. */
export interface MarkdownText {
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
