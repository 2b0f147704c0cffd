import { textOf } from "../../evidence/BodyText.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { elementsById, type PageTree, readTree } from "../dom/DomWalk.ts"
import { contentOf, isElement } from "../dom/HtmlTree.ts"
import { baseOf } from "../html/PageLinks.ts"
import { chooseContent } from "../html/MainContentReader.ts"
import { type Faithfulness, faithfulness } from "../markdown/Faithfulness.ts"
import { readMarkdown } from "../markdown/MarkdownReader.ts"
import { fold, hasOwnWords } from "../markdown/TextParity.ts"
import { isSubstantive, type Page } from "../Page.ts"
import { contentTree } from "./ContentTree.ts"
import { type Conversion, type NotConverted, notConverted } from "./Conversion.ts"
import { type HtmlNode, node, text, writeMarkdown } from "./HtmlNodes.ts"
import { withLeadingPartsLast } from "./LeadingParts.ts"

/** Minimum length of a segment in characters, as in the rubric. */
export const SEGMENT_CHARACTERS = 20

/** As B3 judges for all its points: with more of its segments, lines of code, headings or link targets missing, the Markdown is not the page. */
const MOST_MISSING = { segments: 0.05, code: 0.05, headings: 0.1, targets: 0.2 } as const

/**
 * As few may be missing of a short page: of its main part a footnote number, an icon's label or one link, beside it a theme's breadcrumb
 * and colophon. Of code, no line.
 */
const FEW_MISSING = { segments: [1, 2], code: [0, 0], headings: [1, 1], targets: [1, 3] } as const

/** What is not written, and why, in the order in which it weighs. */
const LOSSES = [
  ["segments", "text_lost"],
  ["code", "code_lost"],
  ["headings", "headings_lost"],
  ["targets", "links_lost"]
] as const satisfies ReadonlyArray<readonly [keyof Faithfulness, NotConverted]>

/** Converts a page, and checks the Markdown as B1 and B3 do: what they would not take for the page is not written. */
export const convertPage = (page: Page, tree: PageTree | null): Conversion => {
  const unfit = whyUnfit(page, tree)
  if (unfit !== null || tree === null) return notConverted(unfit ?? "format")
  const text = markdownOf(page, tree)?.text ?? null
  if (text === null) return notConverted("thin")
  const document = readMarkdown(text)
  if (document.cut) return notConverted("too_large")
  if (document.unclosedFences > 0) return notConverted("code_lost")
  const kept = withoutLabelRows(faithfulness(page, { url: page.url, text, document }, SEGMENT_CHARACTERS), tree, text)
  const { segments } = kept
  // A page of short lines only has none that B3 compares, so each of them must be there.
  const isWhole = segments.total > 0 ? segments.missing.length < segments.total : holdsAll(page.main.segments, text)
  if (!isWhole || !hasOwnWords(page, document)) return notConverted("text_lost")
  const ofMain = {
    segments: new Set(page.main.segments),
    targets: new Set(page.links.flatMap(({ place, url }) => (place === "main" ? [url] : [])))
  }
  const isOfMain = (kind: keyof Faithfulness, missing: string): boolean =>
    kind === "segments" || kind === "targets" ? ofMain[kind].has(missing) : true
  const lost = LOSSES.find(([kind]) => {
    const { missing, total } = kept[kind]
    const [few, fewInAll] = FEW_MISSING[kind]
    const most = total * MOST_MISSING[kind]
    return (
      missing.length > Math.max(fewInAll, most) ||
      missing.filter((one) => isOfMain(kind, one)).length > Math.max(few, most)
    )
  })
  return lost === undefined ? { _tag: "Converted", text } : notConverted(lost[1])
}

/** Rows of labels that switch tabs are one segment of the page, and each a label of its own in the Markdown. */
const withoutLabelRows = (kept: Faithfulness, { walk }: PageTree, markdown: string): Faithfulness => {
  if (kept.segments.missing.length === 0) return kept
  const there = fold(markdown)
  const rows = Map.groupBy(walk.byName.get("label") ?? [], ({ parent }) => parent)
  const found = new Set(
    [...rows.keys()].flatMap((row) => {
      const labels =
        row === null || !isElement(row)
          ? []
          : row.children.filter(isElement).map((label) => collapse(contentOf(label, LONGEST_LABEL)))
      return labels.length > 1 && labels.every((label) => there.includes(fold(label))) ? [fold(labels.join(""))] : []
    })
  )
  return {
    ...kept,
    segments: { ...kept.segments, missing: kept.segments.missing.filter((segment) => !found.has(fold(segment))) }
  }
}

const LONGEST_LABEL = 500

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

/** A Markdown file made from a page. */
interface PageMarkdown {
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
