import { readMarkdown } from "../markdown/MarkdownReader.ts"
import { hasOwnWords } from "../markdown/OwnWords.ts"
import { fold } from "../markdown/TextParity.ts"
import { isSubstantive, type Page } from "../Page.ts"
import type { PageTree } from "../dom/DomWalk.ts"
import { type Conversion, type NotConverted, notConverted } from "./Conversion.ts"
import { checkDocument } from "./MarkdownCheck.ts"
import { markdownOf } from "./PageMarkdown.ts"

/** As B3 judges: with this share of its segments missing, the Markdown is not the page. */
const MOST_MISSING = 0.05

/** Fewer missing segments are a footnote number or an icon's label. */
const FEW_MISSING = 1

/** Converts a page, and checks the Markdown as B1 and B3 do: what they would not take for the page is not written. */
export const convertPage = (page: Page, tree: PageTree | null): Conversion => {
  const unfit = whyUnfit(page, tree)
  if (unfit !== null || tree === null) return notConverted(unfit ?? "format")
  const text = markdownOf(page, tree)?.text ?? null
  if (text === null) return notConverted("thin")
  const document = readMarkdown(text)
  if (document.cut) return notConverted("too_large")
  const { missing, openFences, segments } = checkDocument(page, document)
  // A page of short lines only has none that B3 compares, so each of them must be there.
  const isWhole = segments > 0 || holdsAll(page.main.segments, text)
  const isFaithful =
    isWhole &&
    missing.length <= Math.max(FEW_MISSING, segments * MOST_MISSING) &&
    (segments === 0 || missing.length < segments) &&
    openFences === 0 &&
    hasOwnWords(page, document)
  return isFaithful ? { _tag: "Converted", text } : notConverted("text_lost")
}

const holdsAll = (segments: ReadonlyArray<string>, markdown: string): boolean => {
  const there = fold(markdown)
  return segments.length > 0 && segments.every((segment) => there.includes(fold(segment)))
}

const whyUnfit = (page: Page, tree: PageTree | null): NotConverted | null => {
  if (page.format !== "html") return "format"
  if (page.saysNotFound || page.loginWall || page.challenge !== null) return "error_page"
  if (page.answer.cut || tree?.isCut === true) return "too_large"
  return isSubstantive(page) ? null : page.substance === "placeholder" ? "no_text" : "thin"
}
