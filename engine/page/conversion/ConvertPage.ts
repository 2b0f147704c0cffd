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
import { type HtmlElement, type HtmlNode, isEmpty, node, text, writeMarkdown } from "./HtmlNodes.ts"

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

/**
 * The content with what stands above its main heading and is no part of the page at its end: links to its other languages, the site's
 * name in a banner, a notice. Nothing is left out, so what is taken for one of these by mistake is still there.
 *
 * @param title the page's title.
 */
const withLeadingPartsLast = (content: ReadonlyArray<HtmlNode>, title: string): ReadonlyArray<HtmlNode> => {
  const languages = first(content, isLanguageList)
  const below = languages === null ? content : without(content, languages)
  const banner = bannerIn(below, title)
  const inner = banner === null ? below : without(below, banner)
  const notice = noticeIn(inner, title)
  return [
    ...notice.reduce(without, inner),
    ...(languages === null ? [] : [languages]),
    ...notice.map((block) => (block.name === "h1" ? node("h2", block.children) : block)),
    ...(banner === null ? [] : [node("h2", banner.children)])
  ]
}

/** The first element with something to read, or the first one within it, that is what is looked for; `null`: none is. */
const first = (nodes: ReadonlyArray<HtmlNode>, isWanted: (element: HtmlElement) => boolean): HtmlElement | null => {
  const leading = nodes.find((child) => !isEmpty(child))
  if (leading === undefined || "text" in leading) return null
  return isWanted(leading) ? leading : first(leading.children, isWanted)
}

/** The nodes without one of them or of what they hold. */
const without = (nodes: ReadonlyArray<HtmlNode>, left: HtmlElement): ReadonlyArray<HtmlNode> => {
  const at = nodes.findIndex((child) => !isEmpty(child))
  const leading = nodes[at]
  if (leading === undefined || "text" in leading) return nodes
  const rest = leading === left ? [] : [{ ...leading, children: without(leading.children, left) }]
  return [...nodes.slice(0, at), ...rest, ...nodes.slice(at + 1)]
}

/** A longer text is no list of languages, in characters. */
const LONGEST_LIST = 1_000

const LIST_NAMES = new Set(["p", "div", "ul", "ol"])

/** Languages by their codes, and by their names in English and in themselves, in lower case. */
const LANGUAGES = new Set(
  (
    "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja jp ko kr lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk ur vi zh cn tw" +
    " english deutsch german español espanol castellano spanish français francais french italiano italian português portugues portuguese" +
    " nederlands dutch polski polish русский russian українська ukrainian čeština czech magyar hungarian türkçe turkish svenska swedish" +
    " norsk dansk suomi română ελληνικά greek български tiếng-việt vietnamese indonesia ไทย हिन्दी বাংলা العربية arabic עברית hebrew فارسی persian" +
    " 中文 简体中文 繁體中文 繁体中文 chinese 日本語 japanese 한국어 korean"
  ).split(" ")
)

/** What is written beside the name of a language: that these are languages, or where or how it is written. */
const BESIDE = new Set(
  (
    "language languages langue langues sprache sprachen idioma idiomas lingua taal язык языки 语言 語言 言語 언어" +
    " brasil brazil portugal us uk gb br simplified traditional 简体 繁體 繁体 hans hant"
  ).split(" ")
)

/** Nothing but names of two languages or more, and links to some of them. */
const isLanguageList = (element: HtmlElement): boolean => {
  if (!LIST_NAMES.has(element.name) || !holdsLink(element)) return false
  const text = textIn([element])
  if (text.length > LONGEST_LIST) return false
  const words = text
    .toLowerCase()
    .normalize("NFC")
    .replaceAll("tiếng việt", "tiếng-việt")
    .split(/[^\p{L}\p{M}-]+/u)
    .filter((word) => /\p{L}/u.test(word))
  const languages = words.filter((word) => LANGUAGES.has(word) || LANGUAGES.has(word.split("-", 1)[0] ?? ""))
  return languages.length > 1 && words.every((word) => languages.includes(word) || BESIDE.has(word))
}

const holdsLink = ({ children, name }: HtmlElement): boolean =>
  name === "a" || children.some((child) => "name" in child && holdsLink(child))

/** The text of nodes, a space between elements; no more than tells that it is longer than a list of languages. */
const textIn = (nodes: ReadonlyArray<HtmlNode>): string => {
  let text = ""
  for (const child of nodes) {
    if (text.length > LONGEST_LIST) break
    text += "text" in child ? child.text : ` ${textIn(child.children)} `
  }
  return text
}

/**
 * A heading that is alone in its part of the page, right above the heading of the page itself. The page's title tells which of the two
 * is its own.
 */
const bannerIn = (content: ReadonlyArray<HtmlNode>, title: string): HtmlElement | null => {
  const [banner, heading] = [...flow(content, false).take(2)]
  if (banner?.heading?.name !== "h1" || !banner.isAlone || heading?.heading?.name !== "h1") return null
  const [shown, above, own] = [title, textIn([banner.heading]), textIn([heading.heading])].map(fold)
  if (shown === undefined || above === undefined || own === undefined || shown === "" || above === own) return null
  return !shown.includes(above) || isStartOf(own, shown) ? banner.heading : null
}

/** Maximum number of blocks and of characters of a notice. */
const NOTICE_BLOCKS = 4
const NOTICE_CHARACTERS = 400

const NOTICE_NAMES = new Set(["h1", "p", "blockquote"])

/** A heading and a few words above the heading that is the page's title, block by block; empty: there is none. */
const noticeIn = (content: ReadonlyArray<HtmlNode>, title: string): ReadonlyArray<HtmlElement> => {
  const blocks: Array<HtmlElement> = []
  const shown = fold(title)
  let rest = content
  while (blocks.length <= NOTICE_BLOCKS) {
    const block = first(rest, isBlock)
    if (block === null || !NOTICE_NAMES.has(block.name)) break
    const isTitle = block.name === "h1" && isStartOf(fold(textIn([block])), shown)
    if (isTitle) return textIn(blocks).length <= NOTICE_CHARACTERS ? blocks : []
    // Of two headings that are not the title, either may be the page's.
    if ((block.name === "h1") !== (blocks.length === 0)) break
    blocks.push(block)
    rest = without(rest, block)
  }
  return []
}

const isStartOf = (start: string, text: string): boolean => start !== "" && text.startsWith(start)

const BLOCK = /^(?:h[1-6]|p|blockquote|pre|ul|ol|table|hr)$/

const isBlock = ({ name }: HtmlElement): boolean => BLOCK.test(name)

interface Flowing {
  /** `null`: a text that is in no heading. */
  readonly heading: HtmlElement | null
  /** Whether its element holds nothing else to read. */
  readonly isAlone: boolean
}

const HEADING = /^h[1-6]$/

/** Headings and texts in their order. */
function* flow(nodes: ReadonlyArray<HtmlNode>, inElement: boolean): Generator<Flowing> {
  const full = nodes.filter((child) => !isEmpty(child))
  for (const child of full) {
    if ("text" in child || child.children.length === 0) yield { heading: null, isAlone: false }
    else if (HEADING.test(child.name)) yield { heading: child, isAlone: inElement && full.length === 1 }
    else yield* flow(child.children, true)
  }
}
