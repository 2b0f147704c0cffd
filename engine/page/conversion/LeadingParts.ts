import { fold } from "../markdown/TextParity.ts"
import { type HtmlElement, type HtmlNode, isEmpty, node } from "./HtmlNodes.ts"

/**
 * The content with what stands above its main heading and is no part of the page at its end: links to its other languages, the site's
 * name in a banner, a notice. Nothing is left out, so what is taken for one of these by mistake is still there.
 *
 * @param title the page's title.
 */
export const withLeadingPartsLast = (content: ReadonlyArray<HtmlNode>, title: string): ReadonlyArray<HtmlNode> => {
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
  const text = textOf([element])
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
const textOf = (nodes: ReadonlyArray<HtmlNode>): string => {
  let text = ""
  for (const child of nodes) {
    if (text.length > LONGEST_LIST) break
    text += "text" in child ? child.text : ` ${textOf(child.children)} `
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
  const [shown, above, own] = [title, textOf([banner.heading]), textOf([heading.heading])].map(fold)
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
    const isTitle = block.name === "h1" && isStartOf(fold(textOf([block])), shown)
    if (isTitle) return textOf(blocks).length <= NOTICE_CHARACTERS ? blocks : []
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
