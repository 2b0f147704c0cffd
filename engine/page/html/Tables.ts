import { childrenOf, classesOf, type Element, parentOf } from "../dom/HtmlTree.ts"
import { $ } from "../dom/Selection.ts"
import type { Definition, Table } from "../Page.ts"
import { seenText } from "../dom/DomWalk.ts"

const MAX_ROWS = 500
const MAX_CELLS = 50
const CELL_CHARACTERS = 2_000

/** Classes of tables that lay out a block of code and its line numbers. */
const CODE_TABLES = new Set(["highlighttable", "rouge-table", "hljs-ln", "source_code", "linenodiv"])

/** A table of code: line numbers in one cell, code in the other. */
export const isCodeTable = (table: Element): boolean => classesOf(table).some((name) => CODE_TABLES.has(name))

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
