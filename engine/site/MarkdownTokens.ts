import MarkdownIt, { type Token } from "markdown-it"

/** Of a text this much is read, in characters. */
export const MARKDOWN_CHARACTERS = 500_000

/** CommonMark with GFM tables; addresses are kept as they are written. */
const parser = new MarkdownIt({ html: true, linkify: false, typographer: false })
parser.normalizeLink = (url) => url

/** The beginning of a text that is read as Markdown, without a byte order mark, lines ending in LF. */
export const markdownText = (text: string): string =>
  text.slice(0, MARKDOWN_CHARACTERS).replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")

/** Block tokens in reading order; a text that the parser gives up on has none. */
export const markdownTokens = (text: string): ReadonlyArray<Token> => {
  try {
    return parser.parse(text, {})
  } catch {
    return []
  }
}
