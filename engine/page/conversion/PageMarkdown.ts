import { isSubstantive, type Page } from "../Page.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { elementsById, type PageTree, readTree } from "../dom/DomWalk.ts"
import { baseOf } from "../html/BaseUrl.ts"
import { chooseContent } from "../html/MainContentReader.ts"
import { contentTree } from "./ContentTree.ts"
import { type HtmlNode, node, text } from "./HtmlNodes.ts"
import { withLeadingPartsLast } from "./LeadingParts.ts"
import { writeMarkdown } from "./WriteMarkdown.ts"

/** A Markdown file made from a page. */
export interface PageMarkdown {
  /** CommonMark with GFM tables; begins with a level 1 heading if the page has a title, ends with a newline. */
  readonly text: string
  /** Its length in UTF-8. */
  readonly bytes: number
}

/**
 * The main content of a web page as Markdown, by the same choice of content as `Page.main`; the same page gives the same bytes.
 * `null` for what has no content of its own to write: Markdown and other formats, error pages, logins, placeholders, and bodies
 * and trees that were cut.
 */
export const markdownOf = (page: Page, tree?: PageTree): PageMarkdown | null => {
  if (page.format !== "html" || page.answer.cut || !isSubstantive(page)) return null
  const { document, isCut, walk } = tree ?? readTree(textOf(page.answer).text)
  if (isCut) return null
  const { container } = chooseContent(walk)
  const content = contentTree({
    content: container.element ?? document,
    base: baseOf(walk, page.url),
    byId: elementsById(walk)
  })
  const markdown = writeMarkdown([...titleOf(page), ...withLeadingPartsLast(content, page.title)])
  return { text: markdown, bytes: new TextEncoder().encode(markdown).length }
}

/** The page's title as a heading, where its main content has no H1 itself. */
const titleOf = ({ headings, title }: Page): ReadonlyArray<HtmlNode> => {
  if (headings.some(({ inMain, level }) => inMain && level === 1)) return []
  const shown = headings.find(({ level }) => level === 1)?.text ?? title
  return shown === "" ? [] : [node("h1", [text(shown)])]
}
