import { isTab, labelText, tabOf } from "../code/TabLabels.ts"
import {
  attribute,
  childrenOf,
  classesOf,
  type Document,
  type Element,
  findBelow,
  isElement,
  neighbour,
  parentOf
} from "../dom/HtmlTree.ts"
import { isCodeTable } from "../html/Tables.ts"
import { holdsBlock, type HtmlElement, type HtmlNode, isEmpty, node } from "./HtmlNodes.ts"

/** Containers that generators use for notes and warnings, by class or custom element. */
const CONTAINERS =
  /^(?:admonition|theme-admonition(?:-.+)?|custom-block|starlight-aside|markdown-alert|nextra-callout|callout|hint|alert|notice|infobox|rm-Callout|note|warning)$/

const KINDS = new Map([
  ["note", "Note"],
  ["seealso", "See also"],
  ["tip", "Tip"],
  ["hint", "Hint"],
  ["info", "Info"],
  ["important", "Important"],
  ["success", "Success"],
  ["caution", "Caution"],
  ["warning", "Warning"],
  ["attention", "Attention"],
  ["danger", "Danger"],
  ["error", "Error"],
  ["deprecated", "Deprecated"],
  ["example", "Example"],
  ["question", "Question"],
  ["bug", "Bug"],
  ["abstract", "Abstract"],
  ["quote", "Quote"]
])

/** A note, tip or warning set apart from the text. */
interface Admonition {
  /** Its kind as its class names it, such as `Warning`, for one that shows no title; `null`: none is named. */
  readonly kind: string | null
}

/** `null` for an element that is not an admonition. */
export const admonitionOf = (element: Element): Admonition | null => {
  if (element.name !== "div" && element.name !== "aside" && element.name !== "details" && element.name !== "blockquote")
    return null
  const classes = classesOf(element)
  if (attribute(element, "role") !== "note" && !classes.some((name) => CONTAINERS.test(name))) return null
  return { kind: classes.map((name) => kindOf(name)).find((kind) => kind !== null) ?? null }
}

const kindOf = (name: string): string | null => {
  const last = name
    .toLowerCase()
    .split(/[-_]/)
    .findLast((word) => KINDS.has(word))
  return last === undefined ? null : (KINDS.get(last) ?? null)
}

const TITLE = /(?:^|[-_])(?:title|heading|header)(?:$|[-_])|^admonitionHeading/i

/** The line that names an admonition, as its generator marks it. */
export const isAdmonitionTitle = (element: Element): boolean =>
  element.name === "summary" || classesOf(element).some((name) => TITLE.test(name))

/** Whether one of the first elements of an admonition is its title. */
export const showsTitle = (admonition: Element): boolean => childrenOf(admonition).slice(0, 3).some(isAdmonitionTitle)

/** The panels that tabs show, and the tabs themselves, whose text becomes the heading of each panel. */
export interface TabPanels {
  readonly labels: ReadonlyMap<Element, string>
  readonly tabs: ReadonlySet<Element>
}

/** Parents of panels that have neither a role nor a class of their own, such as those of VitePress' code groups. */
const PANEL_PARENTS = new Set(["blocks", "tabbed-content", "tabs-content", "tab-content"])

const PANELS = new Set("tab-pane tabbed-block sd-tab-content sphinx-tabs-panel tab-panel tabpanel".split(" "))

const MAX_PANELS = 2_000

const isPanel = (element: Element): boolean => {
  if (attribute(element, "role") === "tabpanel" || classesOf(element).some((name) => PANELS.has(name))) return true
  const parent = parentOf(element)
  return (
    (parent !== null && classesOf(parent).some((name) => PANEL_PARENTS.has(name))) ||
    neighbour(element, "before")?.name === "label"
  )
}

/** Finds the panels in a part of a page whose tabs say what they show. */
const tabPanelsIn = (content: Element, byId: (id: string) => Element | null): TabPanels => {
  const labels = new Map<Element, string>()
  const tabs = new Set<Element>()
  const gather = (parent: Element): void => {
    for (const child of childrenOf(parent)) {
      const tab = labels.size < MAX_PANELS && !isTab(child) && isPanel(child) ? tabOf(child, byId) : null
      const label = tab === null ? null : labelText(tab)
      if (tab !== null && label !== null) {
        labels.set(child, label)
        tabs.add(tab)
      }
      gather(child)
    }
  }
  gather(content)
  return { labels, tabs }
}

/** Browsers allow 1,000 columns in one cell; each of them would be a cell of its own here. */
const MAX_SPAN = 50

/** A table that is wider is written as text. */
export const MAX_COLUMNS = 200

export const HEADING = /^h[1-6]$/

export const SECTIONS = new Set(["thead", "tbody", "tfoot"])
export const TABLE_PARTS = new Set(["thead", "tbody", "tfoot", "tr"])

/** How far a table is searched for what no cell of data holds, in nodes. */
const LAYOUT_NODES = 2_000

/** A table that lays out a page or code, as it says or as it holds headings or other tables: no rows of data. */
export const isLayout = (table: Element): boolean => {
  if (attribute(table, "role") === "presentation" || isCodeTable(table) || isAdmonitionTable(table)) return true
  return findBelow(table, ({ name }) => name === "table" || HEADING.test(name), LAYOUT_NODES) !== null
}

/** Asciidoctor sets an admonition in a table: its icon or kind in one cell, its text in the other. */
const isAdmonitionTable = (table: Element): boolean => {
  const parent = parentOf(table)
  return parent !== null && classesOf(parent).includes("admonitionblock")
}

/** The cell with the icon or the kind of such an admonition, which is written above its text. */
export const isAdmonitionIcon = (element: Element): boolean => {
  if (element.name !== "td" || !classesOf(element).includes("icon")) return false
  let table = parentOf(element)
  while (table !== null && (table.name === "tr" || SECTIONS.has(table.name))) table = parentOf(table)
  return table !== null && isAdmonitionTable(table)
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

export const NO_PANELS: TabPanels = { labels: new Map(), tabs: new Set() }

/** The panels of an element or of a document, which is no element itself. */
export const panelsOf = (content: Document | Element, byId: (id: string) => Element | null): TabPanels => {
  if (isElement(content)) return tabPanelsIn(content, byId)
  const parts = content.children.filter(isElement).map((child) => tabPanelsIn(child, byId))
  return {
    labels: new Map(parts.flatMap(({ labels }) => [...labels])),
    tabs: new Set(parts.flatMap(({ tabs }) => [...tabs]))
  }
}

/** What follows a heading in an item as a paragraph: the converter would write it on the heading's line. */
export const afterHeadings = (children: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  const first = children.findIndex((child) => "name" in child && HEADING.test(child.name))
  if (first === -1) return children
  const parts: Array<HtmlNode> = [...children.slice(0, first + 1)]
  let run: Array<HtmlNode> = []
  const endRun = (): void => {
    parts.push(...(run.every(isEmpty) ? run : [node("p", run)]))
    run = []
  }
  for (const child of children.slice(first + 1)) {
    if (holdsBlock(child)) {
      endRun()
      parts.push(child)
    } else run.push(child)
  }
  endRun()
  return parts
}
