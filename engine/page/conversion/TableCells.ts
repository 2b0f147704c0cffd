import { attribute, type Element, findBelow } from "../dom/HtmlTree.ts"
import { isCodeTable } from "../html/Tables.ts"
import { type HtmlElement, type HtmlNode, node } from "./HtmlNodes.ts"

/** Browsers allow 1,000 columns in one cell; each of them would be a cell of its own here. */
const MAX_SPAN = 50

/** A table that is wider is written as text. */
export const MAX_COLUMNS = 200

const HEADING = /^h[1-6]$/

export const SECTIONS = new Set(["thead", "tbody", "tfoot"])
export const TABLE_PARTS = new Set(["thead", "tbody", "tfoot", "tr"])

/** How far a table is searched for what no cell of data holds, in nodes. */
const LAYOUT_NODES = 2_000

/** A table that lays out a page or code, as it says or as it holds headings or other tables: no rows of data. */
export const isLayout = (table: Element): boolean => {
  if (attribute(table, "role") === "presentation" || isCodeTable(table)) return true
  return findBelow(table, ({ name }) => name === "table" || HEADING.test(name), LAYOUT_NODES) !== null
}

export const columnsOf = (cell: Element): number =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attribute(cell, "colspan") ?? "1", 10) || 1))

const MAX_ROWS = 1_000

/** The rows that a cell is in; `rowspan=0` means all that follow. */
export const rowsOf = (cell: Element): number => {
  const rows = Number.parseInt(attribute(cell, "rowspan") ?? "1", 10)
  return rows === 0 ? MAX_ROWS : Math.min(MAX_ROWS, Math.max(1, rows || 1))
}

interface SpanningCell {
  readonly columns: number
  readonly rows: number
  readonly cell: HtmlElement
}

/** The rows of a table, one after the other. */
export interface RowSpans {
  /** The cells of the next row: an empty one in each place that a cell above or on the left is in, too. */
  readonly row: (cells: ReadonlyArray<SpanningCell>) => ReadonlyArray<HtmlElement>
}

export const rowSpans = (): RowSpans => {
  /** By column: the rows that the cell above is still in. */
  const left: Array<number> = []
  return {
    row: (cells) => {
      const written: Array<HtmlElement> = []
      const takeSpanned = (): void => {
        for (let rows = left[written.length] ?? 0; rows > 0; rows = left[written.length] ?? 0) {
          left[written.length] = rows - 1
          written.push(...emptyCells(1))
        }
      }
      for (const { cell, columns, rows } of cells) {
        takeSpanned()
        for (let column = 0; column < columns; column++) {
          left[written.length] = rows - 1
          written.push(...(column === 0 ? [cell] : emptyCells(1)))
        }
      }
      takeSpanned()
      return written
    }
  }
}

export const emptyCells = (count: number): ReadonlyArray<HtmlElement> =>
  Array.from({ length: count }, () => node("td", []))

const isBreak = (child: HtmlNode | undefined): boolean => child !== undefined && "name" in child && child.name === "br"

const isBlank = (child: HtmlNode): boolean => "text" in child && child.text.trim() === ""

/** Without line breaks at either end, and one where there were several. */
export const trimBreaks = (children: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  const kept: Array<HtmlNode> = []
  let pending: HtmlNode | null = null
  for (const child of children) {
    if (isBreak(child)) pending = child
    else if (!isBlank(child)) {
      if (pending !== null && kept.length > 0) kept.push(pending)
      pending = null
      kept.push(child)
    } else if (pending === null) kept.push(child)
  }
  return kept
}
