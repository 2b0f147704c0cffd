import { checkMarkdown } from "../../page/conversion/MarkdownCheck.ts"
import { readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import { isSubstantive, type Page } from "../../page/Page.ts"
import { hasOwnWords } from "../../site/markdown/JudgedMarkdown.ts"
import { filePathOf } from "../site/FilePath.ts"
import type { GeneratedFile } from "../site/GeneratedFile.ts"

/** Converts the main content of an HTML page to Markdown with absolute links; `null` if there is none. `url`: the page's. */
export type MarkdownOf = (page: Page) => { readonly text: string } | null

/** As B3 judges: with this share of its segments missing, the Markdown is not the page. */
const MOST_MISSING = 0.05

/** Fewer missing segments are a footnote number or an icon's label. */
const FEW_MISSING = 1

/** The Markdown version of a page, to be published at `url`; `null` where it would not hold what the page holds. */
export const pageMarkdown = (page: Page, url: string, markdownOf: MarkdownOf): GeneratedFile | null => {
  const path = filePathOf(url)
  if (path === null || page.format !== "html" || !isSubstantive(page) || page.answer.cut) return null
  const text = markdownOf(page)?.text ?? null
  return text === null || !isFaithful(page, text) ? null : { path, url, criteria: ["B1", "B3"], text, completes: null }
}

/** Whether Markdown holds the text of a page: by the checks of B1 and B3. */
export const isFaithful = (page: Page, markdown: string): boolean => {
  const { missing, openFences, segments } = checkMarkdown(page, markdown)
  return segments > 0 && missing.length <= Math.max(FEW_MISSING, segments * MOST_MISSING) && missing.length < segments
    && openFences === 0 && hasOwnWords(page, readMarkdown(markdown))
}
