import { type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { fileVerdict, type FileVerdict } from "../wellknown/FileVerdict.ts"
import type { NotFoundProbe } from "../wellknown/NotFoundProbe.ts"
import { type MarkdownDocument, readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import { hasOwnWords } from "../../page/markdown/OwnWords.ts"
import type { Page } from "../../page/Page.ts"

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

const UNFOUND: Readonly<Record<FileVerdict, MarkdownVerdict>> = {
  found: "absent",
  html: "html",
  soft_404: "error_text",
  missing: "absent",
  unobtainable: "unobtainable"
}

/** Whether an exchange brought the Markdown version of a page. */
export const judgeMarkdown = (page: Page, notFoundProbe: NotFoundProbe, exchange: Exchange): JudgedMarkdown => {
  const without = (verdict: MarkdownVerdict): JudgedMarkdown => ({ exchange, verdict, text: "", document: null })
  const verdict = fileVerdict(notFoundProbe, exchange, "markdown")
  if (verdict !== "found" || !isAnswer(exchange)) return without(UNFOUND[verdict])
  const { text } = textOf(exchange)
  const document = readMarkdown(text)
  return hasOwnWords(page, document) ? { exchange, verdict: "markdown", text, document } : without("foreign")
}
