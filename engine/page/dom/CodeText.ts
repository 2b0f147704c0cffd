import { oncePer } from "../../text/OncePer.ts"
import {
  attribute,
  classesOf,
  contentOf,
  type Element,
  findBelow,
  hasAttributes,
  isElement,
  isText,
  neighbour,
  parentOf
} from "./HtmlTree.ts"

const LINE_NUMBERS = new Set([
  "linenos",
  "linenodiv",
  "lineno",
  "line-number",
  "line-numbers",
  "line-numbers-rows",
  "line-numbers-wrapper",
  "gutter",
  "rouge-gutter",
  "hljs-ln-numbers",
  "lnt",
  "ln",
  "linenumber",
  "blob-num",
  "CodeMirror-linenumber",
  "copy-button",
  "copybtn"
])

/** Blocks that highlighters put around each line. */
const LINE_BLOCKS = new Set(["div", "tr", "li", "p"])

const LINE_CLASS = /^(?:\w{1,20}-)?line$/i
const BLOCK_STYLE = /(?:^|;)\s{0,4}display\s{0,4}:\s{0,4}(?:block|flex|grid|table-row|list-item)\s{0,4}(?:;|$)/i

/** A line of its own: a block, or an element named after a line with nothing between it and the next. */
const isLine = (element: Element): boolean => {
  if (LINE_BLOCKS.has(element.name)) return true
  if (!hasAttributes(element)) return false
  if (BLOCK_STYLE.test((attribute(element, "style") ?? "").slice(0, 500))) return true
  const sibling = element.next ?? element.prev
  return sibling !== null && isElement(sibling) && isNamedLine(element) && isNamedLine(sibling)
}

const isNamedLine = (element: Element): boolean => {
  const classes = classesOf(element)
  return attribute(element, "data-line") !== null || (!classes.includes(TOKEN) && classes.some(isLineClass))
}

const isLineClass = (name: string): boolean => LINE_CLASS.test(name)

/** Prism's class of a part of a line: the method of an HTTP request is `token request-line`. */
const TOKEN = "token"

const isBesideCode = (element: Element): boolean =>
  element.name === "button" ||
  element.name === "style" ||
  element.name === "script" ||
  isHiddenLine(element) ||
  (element.children.length === 0 && attribute(element, "data-line-number") !== null) ||
  isLineNumbers(element)

/** Lines that mdBook hides until a reader asks for them: they make an example complete, and are no part of what it shows. */
const isHiddenLine = (element: Element): boolean => classesOf(element).includes("boring")

/** Line numbers, or a button, beside code. */
export const isLineNumbers = (element: Element): boolean => classesOf(element).some((name) => LINE_NUMBERS.has(name))

const ONLY_NUMBERS = /^[\d\s]+$/
const GUTTER_CHARACTERS = 20_000

/** The cell with the numbers of the lines in the cell after it, in a table of one row. */
export const isGutter = (cell: Element): boolean => {
  const row = parentOf(cell)
  const code = cell.name === "td" && row !== null ? neighbour(cell, "after") : null
  return (
    code !== null &&
    row !== null &&
    [row.prev, row.next].every((beside) => beside === null || !isElement(beside)) &&
    ONLY_NUMBERS.test(contentOf(cell, GUTTER_CHARACTERS)) &&
    findBelow(code, ({ name }) => name === "pre", 50) !== null
  )
}

/** The code in a `pre` as its author wrote it: line breaks as shown, line numbers and buttons left out. */
export const codeText = oncePer((pre: Element): string => {
  const parts: Array<string> = []
  let atLineStart = true
  const put = (text: string): void => {
    if (text === "") return
    parts.push(text)
    atLineStart = text.endsWith("\n")
  }
  const gather = (parent: Element): void => {
    for (const child of parent.children) {
      if (isText(child)) put(child.data)
      else if (!isElement(child) || isBesideCode(child)) continue
      else if (child.name === "br") put("\n")
      else if (isLine(child)) {
        if (!atLineStart) put("\n")
        gather(child)
        if (!atLineStart) put("\n")
      } else gather(child)
    }
  }
  gather(pre)
  return trimBlankLines(parts.join(""))
})

const trimBlankLines = (text: string): string => {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ""
  let from = 0
  let to = lines.length
  while (from < to && isBlank(lines[from])) from++
  while (to > from && isBlank(lines[to - 1])) to--
  return lines.slice(from, to).join("\n")
}

/** Where the text of a `pre` is in its document. */
export interface CodePlace {
  /** The line of its first character that is no white space, from 1. */
  readonly line: number
  /** That character as written: `&` where it is a reference. */
  readonly first: string
  /** Line breaks from there to its end. */
  readonly breaks: number
}

/** Tags, comments and white space before the text: more of them are no highlighter's. */
const MOST_BEFORE = 200

const BEFORE = /\s+|<(?!\/pre)[^<>]{1,2000}>/iy

/** A tag that closes a `pre` later than this belongs to another one, in characters. */
const LONGEST = 500_000

/**
 * The place of the text that begins after `start`, the end of a tag `<pre>`.
 *
 * @param line the line of `start`, from 1.
 */
export const codePlace = (html: string, start: number, line: number): CodePlace | null => {
  const from = textStart(html, start)
  if (from === null) return null
  const closing = html.indexOf("</pre", from)
  const end = closing < 0 || closing - from > LONGEST ? from : closing
  return { line: line + breaksIn(html, start, from), first: html.charAt(from), breaks: breaksIn(html, from, end) }
}

const textStart = (html: string, start: number): number | null => {
  let at = start
  for (let count = 0; count < MOST_BEFORE; count++) {
    BEFORE.lastIndex = at
    const before = BEFORE.exec(html)
    if (before === null) return at
    at += before[0].length
  }
  return null
}

const breaksIn = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++
  return count
}
