import { escapeMarkup } from "../../text/MarkupText.ts"

/** A tree of plain HTML that is written out for a converter. */
export type HtmlNode = HtmlText | HtmlElement

export interface HtmlText {
  readonly text: string
}

export interface HtmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<HtmlNode>
}

export const node = (
  name: string,
  children: ReadonlyArray<HtmlNode>,
  attributes: Readonly<Record<string, string>> = {}
): HtmlElement => ({ name, attributes, children })

export const text = (value: string): HtmlText => ({ text: value.toWellFormed().replaceAll(INVISIBLE, "") })

/**
 * What is invisible and could hide text from people or turn its direction: controls, zero-width spaces, direction overrides and
 * isolates, tag characters. Joiners stay, since scripts such as Persian are written with them.
 */
const INVISIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** Whether a node is or holds a block, which Markdown writes on lines of its own. */
export const holdsBlock = (child: HtmlNode): boolean =>
  "name" in child && (BLOCK_NAMES.has(child.name) || child.children.some(holdsBlock))

const BLOCK_NAMES = new Set("p div blockquote ul ol li h1 h2 h3 h4 h5 h6 hr pre table".split(" "))

/** Whether there is nothing to read. */
export const isEmpty = (child: HtmlNode): boolean =>
  "text" in child
    ? child.text.trim() === ""
    : child.name !== "img" && child.name !== "hr" && child.children.every(isEmpty)

/** Whether it is text alone: between blocks there is only space. */
export const isSpace = (child: HtmlNode): boolean => "text" in child

/** Whether there is nothing but emoji: the icon of a card, and not the tick of a cell or an item. */
export const isPicture = (children: ReadonlyArray<HtmlNode>): boolean =>
  children.every((child) => "text" in child && /^[\p{Extended_Pictographic}\u{FE0F}\u{200D}\s]*$/u.test(child.text))

const STRONG_NAMES = new Set(["strong", "b"])

/** What is within a strong text: marks within marks would be read as text. */
export const withoutStrong = (child: HtmlNode): HtmlNode =>
  "text" in child
    ? child
    : node(STRONG_NAMES.has(child.name) ? "span" : child.name, child.children.map(withoutStrong), child.attributes)

/** What is in the only node, if that is a link to a URL that begins so; `start`: `null` for no URL. */
export const withoutLinkTo = (children: ReadonlyArray<HtmlNode>, start: string | null): ReadonlyArray<HtmlNode> => {
  const [only, other] = children.filter((child) => !isSpace(child))
  const isLink = only !== undefined && other === undefined && "name" in only && only.name === "a"
  return isLink && start !== null && only.attributes["href"]?.startsWith(start) === true ? only.children : children
}

const VOID = new Set(["br", "hr", "img"])

/** HTML source; texts and attributes are escaped. */
export const htmlOf = (nodes: ReadonlyArray<HtmlNode>): string => nodes.map(htmlOfNode).join("")

const htmlOfNode = (child: HtmlNode): string => {
  if ("text" in child) return escapeMarkup(child.text)
  const attributes = Object.entries(child.attributes)
    .map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`)
    .join("")
  return VOID.has(child.name)
    ? `<${child.name}${attributes}>`
    : `<${child.name}${attributes}>${htmlOf(child.children)}</${child.name}>`
}
