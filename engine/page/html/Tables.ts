import { tabLabelAbove } from "../code/TabLabels.ts"
import { isGutter } from "../dom/CodeText.ts"
import { childrenOf, classesOf, type Element, findBelow, isElement, isText, parentOf } from "../dom/HtmlTree.ts"
import { $ } from "../dom/Selection.ts"
import type { Definition, Table } from "../Page.ts"
import { collapse, trimEnd } from "../../text/WhiteSpace.ts"
import { BLOCKS, seenText } from "../dom/DomWalk.ts"

const MAX_ROWS = 500
const MAX_CELLS = 50
const CELL_CHARACTERS = 2_000

/** Classes of tables that lay out a block of code and its line numbers. */
const CODE_TABLES = new Set([
  "highlighttable",
  "codehilitetable",
  "lntable",
  "rouge-table",
  "hljs-ln",
  "source_code",
  "linenodiv"
])

/** A table of code: line numbers in one cell, code in the other. */
export const isCodeTable = (table: Element): boolean => {
  if (classesOf(table).some((name) => CODE_TABLES.has(name))) return true
  const cell = findBelow(table, ({ name }) => name === "td", 10)
  return cell !== null && isGutter(cell)
}

/** A table's own rows; `null` for a layout of code, or where there are no cells. */
export const readTable = (table: Element, section: number): Table | null => {
  if (isCodeTable(table)) return null
  const children = $(table).children()
  // The parser puts rows without a body into one.
  const rows = children
    .filter("thead, tbody, tfoot")
    .children("tr")
    .toArray()
    .map(readRow)
    .filter(({ cells }) => cells.length > 0)
    .slice(0, MAX_ROWS)
  const head = rows.find(({ isHead }) => isHead)
  const body = rows.filter((row) => row !== head).map(({ cells }) => cells)
  if (head === undefined && body.length === 0) return null
  const caption = children.filter("caption").get(0)
  return {
    caption: caption === undefined ? "" : seenText(caption, 300),
    header: head?.cells ?? [],
    rows: body,
    section
  }
}

interface Row {
  readonly cells: ReadonlyArray<string>
  readonly isHead: boolean
}

/** Rows of header cells alone head the table too. */
const readRow = (row: Element): Row => {
  const cells = $(row).children("td, th").slice(0, MAX_CELLS)
  const isHead = parentOf(row)?.name === "thead" || (cells.length > 1 && !cells.is("td, [scope=row]"))
  return { cells: cells.toArray().map((cell) => seenText(cell, CELL_CHARACTERS)), isHead }
}

/** The entries of a definition list; several terms before one definition are one entry each. */
export const readDefinitions = (list: Element, section: number): ReadonlyArray<Definition> => {
  const entries: Array<Definition> = []
  let terms: Array<string> = []
  let closed = false
  for (const item of childrenOf(list).flatMap((child) => (child.name === "div" ? childrenOf(child) : [child]))) {
    if (item.name === "dt") {
      if (closed) terms = []
      closed = false
      terms.push(seenText(item, 500))
    } else if (item.name === "dd" && !closed) {
      const text = seenText(item, CELL_CHARACTERS)
      for (const term of terms) entries.push({ term, text, section })
      closed = true
    }
  }
  return entries
}

/** `404 Not Found` */
const FAILED = /^[45]\d\d(?!\d)/

/** A panel whose tab names the status of a failed response; `null` for others. */
export const readResponsePanel = (
  panel: Element,
  section: number,
  byId: (id: string) => Element | null
): Definition | null => {
  const term = tabLabelAbove(panel, byId)
  return term === null || !FAILED.test(term) ? null : { term, text: seenText(panel, CELL_CHARACTERS), section }
}

/** Longer lines are running text. */
const TITLE_CHARACTERS = 60

/** The end of a sentence or of a part of one; an abbreviation may end a title, but hardly does. */
const SENTENCE_END = /[.,;!?。、！？]$/

/**
 * An item of a list that begins with a title and goes on with paragraphs about it: a line of its own, or a first paragraph in bold.
 * `null` for other items: most are a sentence or a link.
 */
export const readTitledItem = (item: Element, section: number): Definition | null => {
  const start = item.children.findIndex((child) => isElement(child) && BLOCKS.has(child.name))
  const [first, ...rest] = item.children.slice(start).filter(isElement)
  if (start < 0 || first?.name !== "p") return null
  const line = collapse(item.children.slice(0, start).map(textOf).join(""))
  const title = trimEnd(line === "" ? boldText(first) : line, ":：")
  if (title === "" || title.length > TITLE_CHARACTERS || SENTENCE_END.test(title)) return null
  const paragraphs = (line === "" ? rest : [first, ...rest]).filter(({ name }) => name === "p")
  const text = collapse(paragraphs.map((paragraph) => seenText(paragraph, CELL_CHARACTERS)).join(" "))
  return text === "" ? null : { term: title, text: text.slice(0, CELL_CHARACTERS), section }
}

const textOf = (node: Element["children"][number]): string =>
  isText(node) ? node.data.slice(0, CELL_CHARACTERS) : isElement(node) ? seenText(node, TITLE_CHARACTERS * 2) : ""

/** What a paragraph that is nothing but bold says; empty for another. */
const boldText = (paragraph: Element): string => {
  const [only, ...others] = paragraph.children.filter((child) => !isText(child) || child.data.trim() !== "")
  return only !== undefined && others.length === 0 && isElement(only) && /^(?:b|strong)$/.test(only.name)
    ? seenText(only, TITLE_CHARACTERS * 2)
    : ""
}
