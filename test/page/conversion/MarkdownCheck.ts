import { type MarkdownDocument, textsOf } from "../../../engine/page/markdown/MarkdownReader.ts"
import { parity } from "../../../engine/page/markdown/TextParity.ts"
import { SEGMENT_CHARACTERS } from "../../../engine/page/conversion/ConvertPage.ts"
import type { Page } from "../../../engine/page/Page.ts"

/** How faithful a Markdown text is to a page, by the measure of criterion B3. */
export interface MarkdownCheck {
  /** Different text segments of the page's main content. */
  readonly segments: number
  /** Those of them that the Markdown lacks. */
  readonly missing: ReadonlyArray<string>
  /** Code fences that are never closed. */
  readonly openFences: number
}

export const checkDocument = (page: Page, document: MarkdownDocument): MarkdownCheck => {
  const { missing, segments } = parity(
    page.main.segments,
    [document.title, document.frontMatter, ...textsOf(document)],
    SEGMENT_CHARACTERS
  )
  return { segments, missing, openFences: document.unclosedFences }
}
