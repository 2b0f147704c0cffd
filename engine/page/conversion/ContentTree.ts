import type { ElementContent, Properties, Root } from "hast"
import { normalise } from "../../evidence/Address.ts"
import { languageOfCode } from "../code/CodeBlocks.ts"
import { codeText, isLineNumbers } from "../dom/CodeText.ts"
import { BLOCKS, labelOf } from "../dom/DomWalk.ts"
import { attribute, childrenOf, classesOf, type Document, type Element, findBelow, isElement, isText } from "../dom/HtmlTree.ts"
import { containerName, isControl, isPermalink, isSurrounding, isUnseen } from "../dom/Landmarks.ts"
import { admonitionOf, isAdmonitionTitle, showsTitle } from "./Admonitions.ts"
import { holdsBlock, isEmpty, node, text } from "./HastNodes.ts"
import { type TabPanels, tabPanelsIn } from "./TabPanels.ts"

/** What of a page is copied, and what is needed to read it. */
export interface ContentSource {
  /** The element with the main content, or the whole document. */
  readonly content: Document | Element
  /** Relative URLs are resolved against it. */
  readonly base: string
  readonly byId: (id: string) => Element | null
}

/**
 * The main content as a tree of plain HTML that any converter understands: without navigation, controls and hidden parts (as
 * `DomWalk` sees them), with absolute URLs, tab panels under headings, admonitions as quotes, code as text with its language,
 * and cells and headings without blocks in them.
 */
export const contentTree = ({ base, byId, content }: ContentSource): Root => {
  const panels = isElement(content) ? tabPanelsIn(content, byId) : panelsOfDocument(content, byId)
  const copier = new Copier(base, byId, panels)
  return { type: "root", children: copier.children(content, { inContent: isElement(content), inline: null, inList: false, tabs: 0 }) }
}

/** The panels of a document, which is no element itself. */
const panelsOfDocument = (document: Document, byId: (id: string) => Element | null): TabPanels => {
  const parts = document.children.filter(isElement).map((child) => tabPanelsIn(child, byId))
  return { labels: new Map(parts.flatMap(({ labels }) => [...labels])), tabs: new Set(parts.flatMap(({ tabs }) => [...tabs])) }
}

/** Where a node stands. */
interface Around {
  readonly inContent: boolean
  /** What separates blocks where none may be: a line break in a cell, a space in a heading; `null`: blocks may be here. */
  readonly inline: "br" | "space" | null
  readonly inList: boolean
  /** How many tab panels it stands in. */
  readonly tabs: number
}

/** Elements that keep their names; all others become a `div` or a `span`. */
const BLOCK_NAMES = new Set("p blockquote ul ol li dl dt dd hr thead tbody tfoot tr".split(" "))
const INLINE_NAMES = new Set("strong b em i code kbd samp del s strike".split(" "))
const HEADING = /^h[1-6]$/

/** Tables of code: line numbers in one cell, code in the other. */
const CODE_TABLES = new Set(["highlighttable", "rouge-table", "hljs-ln", "source_code", "linenodiv"])

/** Browsers allow 1,000 columns in one cell; each of them would be a cell of its own here. */
const MAX_SPAN = 50

class Copier {
  private readonly base: string
  private readonly byId: (id: string) => Element | null
  private readonly panels: TabPanels
  private headingLevel = 1

  constructor(base: string, byId: (id: string) => Element | null, panels: TabPanels) {
    this.base = base
    this.byId = byId
    this.panels = panels
  }

  children(parent: Document | Element, around: Around): Array<ElementContent> {
    return parent.children.flatMap((child): ReadonlyArray<ElementContent> =>
      isText(child) ? [text(child.data)] : isElement(child) ? this.element(child, around) : [])
  }

  private element(element: Element, around: Around): ReadonlyArray<ElementContent> {
    if (this.panels.tabs.has(element) || isUnseen(element) || isPermalink(element)) return []
    if (isControl(element) || isSurrounding(element, around.inContent)) return []
    const within = around.inContent || containerName(element) === null ? around : { ...around, inContent: true }
    const label = this.panels.labels.get(element)
    return label === undefined ? this.byName(element, within) : this.panel(element, label, within)
  }

  private byName(element: Element, around: Around): ReadonlyArray<ElementContent> {
    const { name } = element
    if (name === "br") return [around.inline === "space" ? text(" ") : node("br", [])]
    if (name === "img") return this.image(element)
    if (name === "a") return this.link(element, around)
    if (name === "pre") return this.code(element, around)
    if (HEADING.test(name)) return this.heading(element, around)
    if (name === "table") return this.table(element, around)
    if (INLINE_NAMES.has(name)) return this.emphasis(element, around)
    const admonition = around.inline === null ? admonitionOf(element) : null
    if (admonition !== null) return [this.admonition(element, admonition.kind, around)]
    if (around.inline !== null) return this.inlined(element, around)
    if (name === "summary") return this.strongLine(this.children(element, { ...around, inline: "space" }))
    if (name === "ul" || name === "ol") return this.list(element, around)
    const children = this.children(element, name === "li" || name === "dd" ? { ...around, inList: true } : around)
    const copied = BLOCK_NAMES.has(name) ? name : BLOCKS.has(name) ? "div" : "span"
    return name !== "hr" && children.every(isEmpty) ? children.filter(isSpace) : [node(copied, children)]
  }

  /** A block where none may be: its text, set apart by what may stand there. */
  private inlined(element: Element, around: Around): ReadonlyArray<ElementContent> {
    const children = this.children(element, around)
    if (!BLOCKS.has(element.name)) return [node("span", children)]
    if (children.every(isEmpty)) return [text(" ")]
    return around.inline === "br" ? [node("br", []), ...children, node("br", [])] : [text(" "), ...children, text(" ")]
  }

  private emphasis(element: Element, around: Around): ReadonlyArray<ElementContent> {
    const children = this.children(element, around)
    if (children.every(isEmpty)) return children.filter(isSpace)
    return children.some(holdsBlock) ? [node("div", children)] : [node(element.name, children)]
  }

  private heading(element: Element, around: Around): ReadonlyArray<ElementContent> {
    if (around.inline !== null) return this.inlined(element, around)
    const children = this.children(element, { ...around, inline: "space" })
    if (children.every(isEmpty)) return []
    this.headingLevel = Number(element.name.slice(1))
    return [node(element.name, children)]
  }

  private list(element: Element, around: Around): ReadonlyArray<ElementContent> {
    const items = this.children(element, around).filter((child) => !isEmpty(child))
    const start = Number(attribute(element, "start") ?? "1")
    const properties: Properties = element.name === "ol" && Number.isSafeInteger(start) && start >= 0 ? { start } : {}
    return items.length === 0 ? [] : [node(element.name, items, properties)]
  }

  private link(element: Element, around: Around): ReadonlyArray<ElementContent> {
    const children = this.children(element, around)
    const href = this.absolute(attribute(element, "href"))
    if (href === null) return children
    if (!children.every(isEmpty)) return [node("a", children, { href })]
    const label = labelOf(element)
    return label === "" ? [] : [node("a", [text(label)], { href })]
  }

  /** Images without alternative text are decoration. */
  private image(element: Element): ReadonlyArray<ElementContent> {
    const alt = attribute(element, "alt")?.trim() ?? ""
    const source = attribute(element, "src") ?? ""
    const src = source.startsWith("data:") ? null : this.absolute(source)
    return alt === "" || src === null ? [] : [node("img", [], { alt: alt.slice(0, 1_000), src })]
  }

  private absolute(href: string | null): string | null {
    const written = href?.trim() ?? ""
    if (/^mailto:[^\s<>()]{1,300}$/i.test(written)) return written
    const url = written === "" ? null : normalise(written, this.base)
    const hash = url === null ? "" : URL.parse(written, this.base)?.hash ?? ""
    return url === null ? null : `${url}${hash}`
  }

  private code(element: Element, around: Around): ReadonlyArray<ElementContent> {
    const code = codeText(element)
    if (code.trim() === "") return []
    if (around.inline !== null) return code.split("\n").flatMap((line) => (line.trim() === "" ? [] : [node("br", []), node("code", [text(line)])]))
    const language = languageOfCode(element, this.byId)
    const properties: Properties = language !== null && LANGUAGE.test(language) ? { className: [`language-${language}`] } : {}
    return [node("pre", [node("code", [text(code)], properties)])]
  }

  private table(element: Element, around: Around): ReadonlyArray<ElementContent> {
    if (around.inline !== null) return this.inlined(element, around)
    if (classesOf(element).some((name) => CODE_TABLES.has(name)) || isLayout(element)) return this.layout(element, around)
    const caption = childrenOf(element).find(({ name }) => name === "caption")
    const rows = childrenOf(element).flatMap((child) => (child.name === "tr" ? [child] : SECTIONS.has(child.name) ? childrenOf(child) : []))
      .filter(({ name }) => name === "tr")
      .flatMap((row): ReadonlyArray<ElementContent> => this.row(row, around))
    if (rows.length === 0) return []
    const title = caption === undefined ? [] : this.strongLine(this.children(caption, { ...around, inline: "space" }))
    return [...title, node("table", rows)]
  }

  private row(row: Element, around: Around): ReadonlyArray<ElementContent> {
    if (isUnseen(row)) return []
    const cells = childrenOf(row).filter((cell) => (cell.name === "td" || cell.name === "th") && !isUnseen(cell))
      .map((cell) => node(cell.name, trimBreaks(this.children(cell, { ...around, inline: "br" })), spansOf(cell)))
    return cells.every(isEmpty) ? [] : [node("tr", cells)]
  }

  /** A table that lays out a page: its cells one after the other. */
  private layout(element: Element, around: Around): ReadonlyArray<ElementContent> {
    return childrenOf(element).flatMap((child): ReadonlyArray<ElementContent> =>
      isUnseen(child) || isLineNumbers(child) ? [] : TABLE_PARTS.has(child.name) ? this.layout(child, around) : [node("div", this.children(child, around))])
  }

  private admonition(element: Element, kind: string | null, around: Around): ElementContent {
    const within = { ...around, inList: true }
    const children = element.children.flatMap((child): ReadonlyArray<ElementContent> => {
      if (isText(child)) return [text(child.data)]
      if (!isElement(child)) return []
      return isAdmonitionTitle(child) && !isUnseen(child) ? this.strongLine(this.children(child, { ...within, inline: "space" })) : this.element(child, within)
    })
    const title = kind === null || showsTitle(element) ? [] : this.strongLine([text(kind)])
    return node("blockquote", [...title, ...children])
  }

  private panel(element: Element, label: string, around: Around): ReadonlyArray<ElementContent> {
    if (around.inline !== null) return [node("br", []), node("strong", [text(label)]), node("br", []), ...this.byName(element, around)]
    const level = Math.min(6, this.headingLevel + 1 + around.tabs)
    const heading = around.inList ? this.strongLine([text(label)]) : [node(`h${level}`, [text(label)])]
    // Headings inside the panel must not move those of the next panel.
    const before = this.headingLevel
    const children = this.byName(element, { ...around, tabs: around.tabs + 1 })
    this.headingLevel = before
    return children.every(isEmpty) ? [] : [node("div", [...heading, ...children])]
  }

  private strongLine(children: ReadonlyArray<ElementContent>): ReadonlyArray<ElementContent> {
    return children.every(isEmpty) ? [] : [node("p", [node("strong", children)])]
  }
}

const LANGUAGE = /^[\w+#.-]{1,30}$/

const SECTIONS = new Set(["thead", "tbody", "tfoot"])
const TABLE_PARTS = new Set(["thead", "tbody", "tfoot", "tr"])

const isSpace = (child: ElementContent): boolean => child.type === "text"

/** How far a table is searched for what no cell of data holds, in nodes. */
const LAYOUT_NODES = 2_000

/** It holds headings, or tables that are not code: no rows of data. */
const isLayout = (table: Element): boolean => {
  if (attribute(table, "role") === "presentation") return true
  return findBelow(table, ({ name }) => name === "table" || HEADING.test(name), LAYOUT_NODES) !== null
}

const spansOf = (cell: Element): Properties => {
  const span = (name: string): number => Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attribute(cell, name) ?? "1", 10) || 1))
  const [colSpan, rowSpan] = [span("colspan"), span("rowspan")]
  return { ...(colSpan > 1 ? { colSpan } : {}), ...(rowSpan > 1 ? { rowSpan } : {}) }
}

const isBreak = (child: ElementContent | undefined): boolean => child?.type === "element" && child.tagName === "br"

const isBlank = (child: ElementContent): boolean => child.type === "text" && child.value.trim() === ""

/** Without line breaks at either end, and one where there were several. */
const trimBreaks = (children: ReadonlyArray<ElementContent>): ReadonlyArray<ElementContent> => {
  const kept: Array<ElementContent> = []
  let pending: ElementContent | null = null
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
