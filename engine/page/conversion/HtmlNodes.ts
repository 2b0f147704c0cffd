import { htmlToMarkdown, initSync } from "mdream/wasm/mdream_edge.js"
import { readFileSync } from "node:fs"
import { escapeMarkup } from "../../text/MarkupText.ts"

/** A tree of plain HTML that is written out for a converter. */
export type HtmlNode = HtmlText | HtmlElement

interface HtmlText {
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

/*
 * Syntax of Markdown that the converter does not write: it is marked by controls, which no text has (`HtmlNodes.text` leaves them out),
 * and written after the conversion.
 */

const TICKED = "\u0001"
const OPEN = "\u0002"
const INLINE = "\u0003"
const DISPLAY = "\u0004"

/** The box of a task. */
export const taskMark = (isDone: boolean): HtmlText => ({ text: `${isDone ? TICKED : OPEN} ` })

/** A formula in TeX, which is written as it is: as code is. */
export const formulaNode = (tex: string, display: boolean): HtmlElement => {
  const mark = display ? DISPLAY : INLINE
  return node("code", [{ text: `${mark}${tex.replaceAll(CONTROLS, "")}${mark}` }])
}

const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

const FORMULA = /`{1,9} ?([\u0003\u0004])([^\u0003\u0004]{1,20000})[\u0003\u0004] ?`{1,9}/g

/** Markdown with the syntax that its marks stand for. */
const withMarksWritten = (markdown: string): string =>
  withoutMarks(
    markdown.replaceAll(FORMULA, (_, mark: string, tex: string) => (mark === DISPLAY ? `$$${tex}$$` : `$${tex}$`))
  )

/** A text as it is read where nothing is marked up. */
export const withoutMarks = (text: string): string =>
  text
    .replaceAll(/\u0001 ?/g, "[x] ")
    .replaceAll(/\u0002 ?/g, "[ ] ")
    .replaceAll(/[\u0003\u0004]/g, "")

/** The converter's WebAssembly; in the package `scripts/PackageCode.ts` copies it beside the code. */
const MODULE = new URL(
  import.meta.url.endsWith(".ts") ? "../../../node_modules/mdream/wasm/mdream_edge_bg.wasm" : "./mdream_edge_bg.wasm",
  import.meta.url
)

let loaded = false

/**
 * HTML as CommonMark with GFM tables, ending with a newline. Whatever a text holds, it is escaped where Markdown would take it for
 * syntax, and a code fence is longer than every run of its marks in the code. Linear in the tree (test/linear).
 */
export const writeMarkdown = (nodes: ReadonlyArray<HtmlNode>): string => {
  if (!loaded) initSync({ module: readFileSync(MODULE) })
  loaded = true
  return `${withMarksWritten(htmlToMarkdown(htmlOf(nodes), {})).trim()}\n`
}
