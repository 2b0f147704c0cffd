import { type Answer, mediaType } from "../evidence/Exchange.ts"
import { textOf } from "../evidence/Text.ts"
import { readHtmlPage } from "./HtmlPage.ts"
import { isHtml } from "./HtmlSniff.ts"
import { readMarkdownPage } from "./MarkdownPage.ts"
import type { Page, PageFormat, PageInput } from "./Page.ts"
import { frameOf } from "./PageFrame.ts"

/** Reads a page. Pure; never fails, whatever the body holds; linear in it. */
export const readPage = ({ answer }: PageInput): Page => {
  const decoded = textOf(answer)
  const format = formatOf(answer, decoded.text)
  const frame = frameOf(answer, decoded, format)
  if (format === "html") return readHtmlPage(frame, decoded.text)
  return readMarkdownPage(frame, format === "other" ? "" : decoded.text)
}

const MARKDOWN_TYPES = new Set(["text/markdown", "text/x-markdown", "text/mdx"])
const MARKDOWN_PATH = /\.(?:md|mdx|markdown|md\.txt)$/i

/** By the body first: servers label Markdown as HTML or plain text. */
const formatOf = (answer: Answer, text: string): PageFormat => {
  const type = mediaType(answer)
  const markdown = MARKDOWN_TYPES.has(type) || MARKDOWN_PATH.test(URL.parse(answer.url)?.pathname ?? "")
  const readable = type === "" || type.startsWith("text/") || type === "application/xhtml+xml" || type === "application/octet-stream"
  if (!readable || text.includes("\0".repeat(4))) return "other"
  if (isHtml(answer, text)) return "html"
  if (markdown) return "markdown"
  if (type === "text/html" || type === "application/xhtml+xml") return "html"
  return type === "text/plain" ? (looksLikeMarkdown(text) ? "markdown" : "text") : "other"
}

/** It has a heading, and a list, a link or a fence. */
const looksLikeMarkdown = (text: string): boolean => {
  const head = text.slice(0, 20_000)
  return /^#{1,6} \S/m.test(head) && /^(?:[-*+] \S|```)|\]\(\S/m.test(head)
}
