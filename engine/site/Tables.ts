import { attribute, childrenOf, classesOf, type Element } from "./HtmlTree.ts"
import type { Definition, Table } from "./Page.ts"
import { seenText } from "./PageWalk.ts"

const MAX_ROWS = 500
const MAX_CELLS = 50
const CELL_CHARACTERS = 2_000

/** Tables that lay out a block of code and its line numbers. */
const CODE_TABLES = new Set(["highlighttable", "rouge-table", "hljs-ln", "source_code", "linenodiv"])

/** A table's own rows; `null` for a layout of code, or where there are no cells. */
export const readTable = (table: Element, section: number): Table | null => {
  if (classesOf(table).some((name) => CODE_TABLES.has(name))) return null
  const rows = rowsOf(table).slice(0, MAX_ROWS)
  const head = rows.find((row) => row.isHead)
  const body = rows.filter((row) => row !== head).map((row) => row.cells)
  if (head === undefined && body.length === 0) return null
  const caption = childrenOf(table).find((child) => child.tagName === "caption")
  return { caption: caption === undefined ? "" : seenText(caption, 300), header: head?.cells ?? [], rows: body, section }
}

interface Row {
  readonly cells: ReadonlyArray<string>
  readonly isHead: boolean
}

const rowsOf = (table: Element): ReadonlyArray<Row> =>
  childrenOf(table).flatMap((part) =>
    part.tagName === "tr"
      ? readRow(part, false)
      : part.tagName === "thead" || part.tagName === "tbody" || part.tagName === "tfoot"
      ? childrenOf(part).filter((row) => row.tagName === "tr").flatMap((row) => readRow(row, part.tagName === "thead"))
      : []
  )

/** Rows of header cells alone head the table too. */
const readRow = (row: Element, inHead: boolean): ReadonlyArray<Row> => {
  const cells = childrenOf(row).filter((cell) => cell.tagName === "td" || cell.tagName === "th").slice(0, MAX_CELLS)
  if (cells.length === 0) return []
  const isHead = inHead || (cells.length > 1 && cells.every((cell) => cell.tagName === "th" && attribute(cell, "scope") !== "row"))
  return [{ cells: cells.map((cell) => seenText(cell, CELL_CHARACTERS)), isHead }]
}

/** The entries of a definition list; several terms before one definition are one entry each. */
export const readDefinitions = (list: Element, section: number): ReadonlyArray<Definition> => {
  const entries: Array<Definition> = []
  let terms: Array<string> = []
  let closed = false
  for (const item of childrenOf(list).flatMap((child) => (child.tagName === "div" ? childrenOf(child) : [child]))) {
    if (item.tagName === "dt") {
      if (closed) terms = []
      closed = false
      terms.push(seenText(item, 500))
    } else if (item.tagName === "dd" && !closed) {
      const text = seenText(item, CELL_CHARACTERS)
      for (const term of terms) entries.push({ term, text, section })
      closed = true
    }
  }
  return entries
}
