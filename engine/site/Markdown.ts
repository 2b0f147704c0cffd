import { type Exchange, isOk, isUnobtainable } from "../evidence/Exchange.ts"
import { openingOf, textOf } from "../evidence/Text.ts"
import { type Canary, isSoftError } from "./Canary.ts"
import { isHtml } from "./HtmlSniff.ts"
import { type MarkdownDocument, readMarkdown, textsOf } from "./MarkdownReader.ts"
import type { Page } from "./Page.ts"

/**
 * What an answer is, as the Markdown version of a page. `error_text`: a 2xx that says "not found" or is the
 * catch-all's. `foreign`: a text without the page's own words.
 */
export type MarkdownVerdict = "markdown" | "html" | "error_text" | "foreign" | "absent" | "unobtainable"

/** An exchange judged as the Markdown version of a page. */
export interface JudgedMarkdown {
  readonly exchange: Exchange
  readonly verdict: MarkdownVerdict
  /** The body as text; empty unless `verdict` is `markdown`. */
  readonly text: string
  /** What was read in it; `null` unless `verdict` is `markdown`. */
  readonly document: MarkdownDocument | null
}

/** Whether an exchange brought the Markdown version of a page. */
export const judgeMarkdown = (page: Page, canary: Canary, exchange: Exchange): JudgedMarkdown => {
  const without = (verdict: MarkdownVerdict): JudgedMarkdown => ({ exchange, verdict, text: "", document: null })
  if (isUnobtainable(exchange)) return without("unobtainable")
  if (!isOk(exchange)) return without("absent")
  if (isHtml(exchange, openingOf(exchange))) return without("html")
  if (isSoftError(canary, exchange)) return without("error_text")
  const { text } = textOf(exchange)
  const document = readMarkdown(text)
  return hasOwnWords(page, document) ? { exchange, verdict: "markdown", text, document } : without("foreign")
}

/** Of a page this much is held against its Markdown, in characters. */
const COMPARED_CHARACTERS = 20_000
/** Fewer distinct words than these tell no page from another; its title must then. */
const ENOUGH_WORDS = 10
const OWN_SHARE = 0.5

/**
 * The page's own words are in the document: half or more of the distinct words of its main content; where the main
 * content holds hardly any, or the Markdown is a shortened version of it, the page's title or first heading as the
 * document's title.
 */
export const hasOwnWords = (page: Page, document: MarkdownDocument): boolean => {
  const words = distinctWords(page.main.text.slice(0, COMPARED_CHARACTERS))
  const found = distinctWords(textsOf(document).join("\n"))
  const shared = [...words].filter((word) => found.has(word)).length
  if (words.size >= ENOUGH_WORDS && shared / words.size >= OWN_SHARE) return true
  const title = folded(document.title)
  return title !== "" && namesOf(page).includes(title)
}

/** First headings of level 1, and the first part of the title (before the site's name). */
const namesOf = (page: Page): ReadonlyArray<string> => [
  ...page.headings.filter(({ level }) => level === 1).map(({ text }) => folded(text)),
  folded(page.title),
  folded(page.title.split(/ [|·•»«–—-] /u)[0] ?? "")
]

const folded = (text: string): string => wordsIn(text).join(" ")

/** Words long enough to mean something: four letters, or two where a script has no spaces. */
const distinctWords = (text: string): ReadonlySet<string> =>
  new Set(wordsIn(text).filter((word) => word.length >= (/^[\x20-\x7e]+$/.test(word) ? 4 : 2)))

const wordsIn = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().normalize("NFKC").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")
