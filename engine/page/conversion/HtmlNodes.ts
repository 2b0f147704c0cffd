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

/** Code with links in it as code beside links, as Markdown shows what is in code as it is. */
export const codeWithLinks = (children: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  const parts: Array<HtmlNode> = []
  let code = ""
  const flush = (): void => {
    const [isSpacedBefore, isSpacedAfter] = [code.trimStart() !== code, code.trimEnd() !== code]
    if (code.trim() !== "")
      parts.push(
        ...(isSpacedBefore ? [text(" ")] : []),
        node("code", [text(code.trim())]),
        ...(isSpacedAfter ? [text(" ")] : [])
      )
    else if (code !== "") parts.push(text(" "))
    code = ""
  }
  const gather = (child: HtmlNode): void => {
    if ("text" in child) code += child.text
    else if (child.name === "br") code += " "
    else if (child.name === "a" || child.name === "img") {
      flush()
      parts.push(child.name === "a" ? node("a", [node("code", [text(textOf(child))])], child.attributes) : child)
    } else child.children.forEach(gather)
  }
  children.forEach(gather)
  flush()
  return parts
}

const textOf = (child: HtmlNode): string => ("text" in child ? child.text : child.children.map(textOf).join(""))

/** Wraps what is between white space: `** bold**` would be no emphasis. */
export const besideSpace = (
  children: ReadonlyArray<HtmlNode>,
  wrapped: (inner: ReadonlyArray<HtmlNode>) => HtmlNode
): ReadonlyArray<HtmlNode> => {
  const [first, last] = [children[0], children.at(-1)]
  const before = first !== undefined && "text" in first && /^\s/.test(first.text)
  const after = last !== undefined && "text" in last && /\s$/.test(last.text)
  const inner = children.map((child, index) => {
    if (!("text" in child)) return child
    const from = index === 0 ? child.text.trimStart() : child.text
    return text(index === children.length - 1 ? from.trimEnd() : from)
  })
  return [...(before ? [text(" ")] : []), wrapped(inner), ...(after ? [text(" ")] : [])]
}

const HEADING = /^h[1-6]$/

const holdsHeading = (child: HtmlNode): boolean =>
  "name" in child && !isEmpty(child) && (HEADING.test(child.name) || child.children.some(holdsHeading))

const hasWords = (child: HtmlNode): boolean =>
  "text" in child ? /[\p{L}\p{N}]/u.test(child.text) : child.name === "img" || child.children.some(hasWords)

/** Links one line of what a link holds: its heading, such as the title of a card, else its first words. A link of Markdown cannot hold blocks. */
export const linkFirst = (children: ReadonlyArray<HtmlNode>, href: string): ReadonlyArray<HtmlNode> => {
  const at =
    [holdsHeading, hasWords, (child: HtmlNode) => !isEmpty(child)]
      .map((wanted) => children.findIndex(wanted))
      .find((index) => index >= 0) ?? -1
  const first = children[at]
  if (first === undefined) return children
  if ("name" in first && holdsBlock(first)) {
    if (first.name === "pre" || first.name === "table" || first.name === "hr") return children
    const inner = first.children.some(holdsBlock)
      ? linkFirst(first.children, href)
      : [node("a", first.children, { href })]
    return children.with(at, node(first.name, inner, first.attributes))
  }
  const next = children.findIndex((child, index) => index > at && holdsBlock(child))
  const to = next < 0 ? children.length : next
  return [...children.slice(0, at), node("a", children.slice(at, to), { href }), ...children.slice(to)]
}

/** Emphasis by its mark: that of one kind is written alike. */
const MARKS = new Map([
  ["strong", "**"],
  ["b", "**"],
  ["em", "*"],
  ["i", "*"],
  ["del", "~~"],
  ["s", "~~"],
  ["strike", "~~"]
])

const markOf = (child: HtmlNode | undefined): string | null =>
  child !== undefined && "name" in child ? (MARKS.get(child.name) ?? null) : null

const isCode = (child: HtmlNode | undefined): boolean => child !== undefined && "name" in child && child.name === "code"

/**
 * Siblings that Markdown can tell apart: emphasis of one kind is one piece, pieces of code have a space between them, and emphasis whose
 * marks would be read as text, beside other marks or between a letter and punctuation, is text.
 */
export const besideEachOther = (siblings: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  if (!siblings.some((child) => markOf(child) !== null || isCode(child))) return siblings
  const joined = runsOf(siblings)
  const kept: Array<HtmlNode> = []
  for (const [index, child] of joined.entries()) {
    const before = kept.at(-1)
    const mark = markOf(child)
    if (isCode(child) && isCode(before)) kept.push(text(" "))
    if (mark === null || !("name" in child)) kept.push(child)
    else if (markOf(before) !== null || !canOpen(before, child)) kept.push(...child.children)
    else kept.push(...closed(child, joined[index + 1]))
  }
  return kept
}

/** Each run of emphasis of one kind as one piece. */
const runsOf = (siblings: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  const runs: Array<{ readonly first: HtmlNode; readonly mark: string | null; readonly children: Array<HtmlNode> }> = []
  for (const child of siblings) {
    const mark = markOf(child)
    const last = runs.at(-1)
    const children = "name" in child ? child.children : []
    if (mark !== null && last?.mark === mark) last.children.push(...children)
    else runs.push({ first: child, mark, children: [...children] })
  }
  return runs.map(({ children, first, mark }) =>
    mark === null || !("name" in first) ? first : node(first.name, children)
  )
}

const LETTER = /[\p{L}\p{N}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/** The character at one end of what a node is written as; empty where it is white space or nothing. */
const edgeOf = (child: HtmlNode | undefined, end: "start" | "end"): string => {
  if (child === undefined) return ""
  if ("text" in child)
    return (end === "start" ? /^\P{M}/u.exec(child.text) : /\P{M}$/u.exec(child.text))?.[0]?.trim() ?? ""
  return child.name === "br" ? "" : "*"
}

/** CommonMark: a mark before punctuation opens nothing after a letter. */
const canOpen = (before: HtmlNode | undefined, { children }: HtmlElement): boolean =>
  !(LETTER.test(edgeOf(before, "end")) && PUNCTUATION.test(edgeOf(children[0], "start")))

const ENDING = /[\p{P}\p{S}]{1,20}$/u

/** CommonMark: a mark after punctuation closes nothing before a letter, so the punctuation goes after it. */
const closed = (element: HtmlElement, after: HtmlNode | undefined): ReadonlyArray<HtmlNode> => {
  const last = element.children.at(-1)
  if (!LETTER.test(edgeOf(after, "start")) || !PUNCTUATION.test(edgeOf(last, "end"))) return [element]
  const ending = last !== undefined && "text" in last ? (ENDING.exec(last.text)?.[0] ?? "") : ""
  const rest = last !== undefined && "text" in last ? last.text.slice(0, last.text.length - ending.length) : ""
  return LETTER.test(rest.slice(-1))
    ? [node(element.name, [...element.children.slice(0, -1), text(rest)], element.attributes), text(ending)]
    : element.children
}
