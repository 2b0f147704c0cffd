import { type Answer, mediaType } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type PageTree, readTree } from "../dom/DomWalk.ts"
import { type PageReading, readHtmlPage } from "../html/HtmlPage.ts"
import { isHtml, responseFacts } from "../ResponseFacts.ts"
import { readMarkdownPage } from "../markdown/MarkdownPage.ts"
import type { Page, PageFormat, PageInput } from "../Page.ts"
import { isMarkdownType, isMarkdownUrl } from "../../text/UrlPath.ts"

/** Reads a page. Pure; never fails, whatever the body holds; linear in it. */
export const readPage = (input: PageInput): Page => readWithTree(input).page

/** A page and the tree that it was read from; `null` for what is no HTML. */
interface PageWithTree {
  readonly page: Page
  readonly tree: PageTree | null
}

export const readWithTree = ({ answer }: PageInput, reading: PageReading = "whole"): PageWithTree => {
  const decoded = textOf(answer)
  const format = formatOf(answer, decoded.text)
  const facts = responseFacts(answer, decoded, format)
  if (format !== "html") return { page: readMarkdownPage(facts, format === "other" ? "" : decoded.text), tree: null }
  const tree = readTree(decoded.text, reading === "whole")
  return { page: readHtmlPage(facts, tree, reading), tree }
}

/** By the body first: servers label Markdown as HTML or plain text. */
const formatOf = (answer: Answer, text: string): PageFormat => {
  const type = mediaType(answer)
  const markdown = isMarkdownType(type) || isMarkdownUrl(answer.url)
  const readable =
    type === "" || type.startsWith("text/") || type === "application/xhtml+xml" || type === "application/octet-stream"
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
