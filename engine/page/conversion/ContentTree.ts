import { normalise } from "../../evidence/Address.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { languageOfCode } from "../code/CodeBlocks.ts"
import { codeText, isLineNumbers } from "../dom/CodeText.ts"
import { formulaOf } from "../dom/Formulas.ts"
import {
  containerName,
  isControl,
  isHidden,
  isNoText,
  isPermalink,
  isSetApart,
  isSurrounding,
  isTaskBox,
  isUnseen
} from "../dom/Landmarks.ts"
import { BLOCKS, labelOf } from "../dom/DomWalk.ts"
import { attribute, childrenOf, type Document, type Element, isElement, isText, parentOf } from "../dom/HtmlTree.ts"
import {
  admonitionOf,
  afterHeadings,
  columnsOf,
  emptyCells,
  HEADING,
  isAdmonitionIcon,
  isAdmonitionTitle,
  isLayout,
  MAX_COLUMNS,
  NO_PANELS,
  panelsOf,
  rowsOf,
  type RowSpans,
  rowSpans,
  SECTIONS,
  showsTitle,
  TABLE_PARTS,
  type TabPanels,
  trimBreaks
} from "./Blocks.ts"
import {
  besideEachOther,
  besideSpace,
  codeWithLinks,
  formulaNode,
  holdsBlock,
  type HtmlElement,
  type HtmlNode,
  isEmpty,
  isPicture,
  isSpace,
  linkFirst,
  node,
  taskMark,
  text,
  withoutLinkTo,
  withoutStrong
} from "./HtmlNodes.ts"

/** What of a page is copied, and what is needed to read it. */
interface ContentSource {
  /** The element with the main content, or the whole document. */
  readonly content: Document | Element
  /** Relative URLs are resolved against it. */
  readonly base: string
  readonly byId: (id: string) => Element | null
  /** Keeps navigation, controls and hidden parts, as converters do that know nothing of pages; not if missing. */
  readonly whole?: boolean
}

/**
 * The main content as a tree of plain HTML that any converter understands: without navigation, controls and hidden parts (as
 * `DomWalk` sees them), with absolute URLs, tab panels under bold labels, admonitions as quotes, code as text with its language,
 * and cells and headings without blocks in them.
 */
export const contentTree = ({ base, byId, content, whole = false }: ContentSource): ReadonlyArray<HtmlNode> => {
  const panels = whole ? NO_PANELS : panelsOf(content, byId)
  const copier = new Copier(base, byId, panels, whole)
  return copier.children(content, { inContent: isElement(content), inline: null, list: null })
}

/** The position of a node. */
interface Around {
  readonly inContent: boolean
  /** What separates blocks where none may be: a line break in a cell, a space in a heading; `null`: blocks may be here. */
  readonly inline: "br" | "space" | null
  /** The list that it is in; `null`: none. */
  readonly list: List | null
}

/** A list whose items are numbered from `next`, or (`null`) not numbered. */
interface List {
  next: number | null
}

/** Elements that keep their names; all others become a `div` or a `span`. */
const BLOCK_NAMES = new Set("p blockquote li hr".split(" "))
const INLINE_NAMES = new Set("strong b em i code kbd samp del s strike".split(" "))
class Copier {
  private readonly base: string
  private readonly byId: (id: string) => Element | null
  private readonly panels: TabPanels
  private readonly whole: boolean

  constructor(base: string, byId: (id: string) => Element | null, panels: TabPanels, whole: boolean) {
    this.base = base
    this.byId = byId
    this.panels = panels
    this.whole = whole
  }

  children(parent: Document | Element, around: Around): ReadonlyArray<HtmlNode> {
    return besideEachOther(
      parent.children.flatMap((child): ReadonlyArray<HtmlNode> =>
        isText(child) ? [text(child.data)] : isElement(child) ? this.element(child, around) : []
      )
    )
  }

  private element(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const formula = formulaOf(element)
    if (formula !== null && !isHidden(element)) return [formulaNode(formula.tex, formula.display)]
    if (isTaskBox(element)) return [taskMark(attribute(element, "checked") !== null)]
    if (this.whole ? isNoText(element) : this.isLeftOut(element, around)) return []
    const within = around.inContent || containerName(element) === null ? around : { ...around, inContent: true }
    const label = this.panels.labels.get(element)
    if (label !== undefined) return this.panel(element, label, within)
    return isSetApart(element) ? [text(" "), ...this.byName(element, within), text(" ")] : this.byName(element, within)
  }

  private isLeftOut(element: Element, { inContent }: Around): boolean {
    return (
      this.panels.tabs.has(element) ||
      isUnseen(element) ||
      isPermalink(element) ||
      isControl(element) ||
      isSurrounding(element, inContent)
    )
  }

  private byName(element: Element, around: Around): ReadonlyArray<HtmlNode> {
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
    if (name === "summary")
      return this.headed(element, around) ?? this.strongLine(this.children(element, { ...around, inline: "space" }))
    if (name === "ul" || name === "ol") return this.list(element, around)
    if (name === "dl") return this.definitions(element, around)
    if (name === "sup") return this.superscript(element, around)
    const children = this.children(
      element,
      name === "li" && around.list === null ? { ...around, list: BULLETS } : around
    )
    if (name !== "hr" && children.every(isEmpty)) return children.filter(isSpace)
    if (name === "div" && around.list === null && isPicture(children)) return []
    if (BLOCK_NAMES.has(name)) return [node(name, name === "li" ? afterHeadings(children) : children)]
    return BLOCKS.has(name) ? [node("div", children)] : children
  }

  /** An exponent; anything else set high is text. */
  private superscript(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const children = this.children(element, around)
    const [only, other] = children
    return only !== undefined && other === undefined && "text" in only && EXPONENT.test(only.text.trim())
      ? [text(`^${only.text.trim()}`)]
      : children
  }

  /** A block where none may be: its text, set apart by what is allowed there. */
  private inlined(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    if (element.name === "sup") return this.superscript(element, around)
    const isNumbered = element.name === "ol"
    const within =
      isNumbered || element.name === "ul"
        ? { ...around, list: isNumbered ? { next: startOf(element) } : { next: null } }
        : around
    const children = this.children(element, within)
    if (!BLOCKS.has(element.name)) return children
    if (children.every(isEmpty)) return [text(" ")]
    if (element.name === "li" && around.inline === "br")
      return [node("br", []), text(bulletOf(around.list)), ...trimBreaks(children), node("br", [])]
    return around.inline === "br" ? [node("br", []), ...children, node("br", [])] : [text(" "), ...children, text(" ")]
  }

  private emphasis(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const children = this.children(element, around)
    if (children.every(isEmpty)) return children.filter(isSpace)
    if (children.some(holdsBlock)) return [node("div", children)]
    return CODE_NAMES.has(element.name)
      ? codeWithLinks(children)
      : besideSpace(children, (inner) => node(element.name, inner))
  }

  private heading(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    if (around.inline !== null) return this.inlined(element, around)
    const children = this.children(element, { ...around, inline: "space" })
    if (children.every(isEmpty)) return []
    // mdBook makes headings links to themselves.
    return [node(element.name, withoutLinkTo(children, this.absolute("#top")?.replace(/top$/, "") ?? null))]
  }

  /** What an element has that holds a heading, with the heading; `null`: it holds none. */
  private headed(element: Element, around: Around): ReadonlyArray<HtmlNode> | null {
    const children = this.children(element, around)
    const isHeading = (child: HtmlNode): boolean => "name" in child && HEADING.test(child.name)
    const holdsHeading = (child: HtmlNode): boolean =>
      isHeading(child) || ("name" in child && child.children.some(holdsHeading))
    return children.some(holdsHeading) ? children : null
  }

  private list(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const items = this.children(element, { ...around, list: BULLETS }).filter((child) => !isEmpty(child))
    const attributes = element.name === "ol" ? { start: String(startOf(element)) } : {}
    return items.length === 0 ? [] : [node(element.name, items, attributes)]
  }

  /** An item for each term or terms, what is said of them below. */
  private definitions(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const within = { ...around, list: BULLETS }
    const items: Array<Array<HtmlNode>> = []
    let defined = true
    for (const child of childrenOf(element).flatMap((entry) => (entry.name === "div" ? childrenOf(entry) : [entry]))) {
      if (isUnseen(child)) continue
      const isTerm = child.name === "dt"
      const heading = isTerm ? this.headed(child, within) : null
      const children = heading ?? this.children(child, isTerm ? { ...within, inline: "space" } : within)
      if (children.every(isEmpty)) continue
      if (isTerm && defined) items.push([])
      defined = !isTerm
      if (items.length === 0) items.push([])
      items
        .at(-1)
        ?.push(
          ...(isTerm && heading === null
            ? [node("p", [node("strong", children.map(withoutStrong))])]
            : children.some(holdsBlock)
              ? children
              : [node("p", children)])
        )
    }
    return items.length === 0
      ? []
      : [
          node(
            "ul",
            items.map((item) => node("li", item))
          )
        ]
  }

  private link(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const children = this.children(element, around)
    const href = this.absolute(attribute(element, "href"))
    if (href === null) return children
    if (children.some(holdsBlock)) return linkFirst(children, href)
    if (!children.every(isEmpty)) return besideSpace(children, (inner) => node("a", inner, { href }))
    const label = labelOf(element)
    return label === "" ? [] : [node("a", [text(label)], { href })]
  }

  /** Images without alternative text are decoration. */
  private image(element: Element): ReadonlyArray<HtmlNode> {
    const alt = collapse(text(attribute(element, "alt") ?? "").text)
    const source = attribute(element, "src") ?? ""
    const src = source.startsWith("data:") ? null : this.absolute(source)
    // The converter leaves a bar in an image's text as it is, which would end a cell.
    return alt === "" || src === null ? [] : [node("img", [], { alt: alt.replaceAll("|", "/").slice(0, 1_000), src })]
  }

  private absolute(href: string | null): string | null {
    const written = href?.trim() ?? ""
    if (/^mailto:[^\s<>()]{1,300}$/i.test(written)) return written
    const url = written === "" ? null : normalise(written, this.base)
    const hash = url === null ? "" : (URL.parse(written, this.base)?.hash ?? "")
    return url === null ? null : inMarkdown(`${url}${hash}`)
  }

  private code(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    const code = codeText(element)
    if (code.trim() === "") return []
    if (around.inline !== null)
      return code
        .split("\n")
        .flatMap((line) => (line.trim() === "" ? [] : [node("br", []), node("code", [text(line)])]))
    const language = languageOfCode(element, this.byId)
    const attributes = language !== null && LANGUAGE.test(language) ? { class: `language-${language}` } : {}
    return [node("pre", [node("code", [text(code)], attributes)])]
  }

  private table(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    if (around.inline !== null) return this.inlined(element, around)
    if (isLayout(element)) return this.layout(element, around)
    const caption = childrenOf(element).find(({ name }) => name === "caption")
    const spans = rowSpans()
    const rows = childrenOf(element)
      .flatMap((child) => (child.name === "tr" ? [child] : SECTIONS.has(child.name) ? childrenOf(child) : []))
      .filter((row) => row.name === "tr" && !isUnseen(row))
      .map((row) => this.cells(row, spans, around))
      .filter(({ cells }) => !cells.every(isEmpty))
    const [first] = rows
    if (first === undefined) return []
    const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    if (columns > MAX_COLUMNS) return this.layout(element, around)
    // Rows may be shorter than the header; what goes beyond it would be lost.
    const head = first.isHead ? [...first.cells, ...emptyCells(columns - first.cells.length)] : emptyCells(columns)
    const body = (first.isHead ? rows.slice(1) : rows).map(({ cells }) => node("tr", cells))
    const title = caption === undefined ? [] : this.strongLine(this.children(caption, { ...around, inline: "space" }))
    return [...title, node("table", [node("thead", [node("tr", head)]), node("tbody", body)])]
  }

  /** A cell that spans several columns or rows has empty ones beside and below it. */
  private cells(
    row: Element,
    spans: RowSpans,
    around: Around
  ): { readonly cells: ReadonlyArray<HtmlElement>; readonly isHead: boolean } {
    const written = childrenOf(row).filter((cell) => (cell.name === "td" || cell.name === "th") && !isUnseen(cell))
    const cells = spans.row(
      written.map((cell) => ({
        columns: columnsOf(cell),
        rows: rowsOf(cell),
        cell: node("td", trimBreaks(this.children(cell, { ...around, inline: "br" })))
      }))
    )
    return {
      cells,
      isHead: parentOf(row)?.name === "thead" || (written.length > 0 && written.every(({ name }) => name === "th"))
    }
  }

  /** A table that lays out a page: its cells one after the other. */
  private layout(element: Element, around: Around): ReadonlyArray<HtmlNode> {
    return childrenOf(element).flatMap((child): ReadonlyArray<HtmlNode> =>
      isUnseen(child) || isLineNumbers(child) || isAdmonitionIcon(child)
        ? []
        : TABLE_PARTS.has(child.name)
          ? this.layout(child, around)
          : [node("div", this.children(child, around))]
    )
  }

  private admonition(element: Element, kind: string | null, around: Around): HtmlNode {
    const children = element.children.flatMap((child): ReadonlyArray<HtmlNode> => {
      if (isText(child)) return [text(child.data)]
      if (!isElement(child)) return []
      return isAdmonitionTitle(child) && !isUnseen(child)
        ? this.strongLine(this.children(child, { ...around, inline: "space" }))
        : this.element(child, around)
    })
    const title = kind === null || showsTitle(element) ? [] : this.strongLine([text(kind)])
    return node("blockquote", [...title, ...children])
  }

  private panel(element: Element, label: string, around: Around): ReadonlyArray<HtmlNode> {
    if (around.inline !== null)
      return [node("br", []), node("strong", [text(label)]), node("br", []), ...this.byName(element, around)]
    const children = this.byName(element, around)
    return children.every(isEmpty) ? [] : [node("div", [...this.strongLine([text(label)]), ...children])]
  }

  private strongLine(children: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> {
    return children.every(isEmpty) ? [] : [node("p", [node("strong", children.map(withoutStrong))])]
  }
}

const CODE_NAMES = new Set(["code", "kbd", "samp"])

/** A URL without what Markdown would take for the end of a cell, an escape or a character reference. */
const inMarkdown = (url: string): string =>
  url.replaceAll(/[|\\`\s]/g, encodeURIComponent).replaceAll(/&(#?\w{1,40});/g, "&$1%3B")

/** A list within which items have no numbers of their own to write: the converter writes these. */
const BULLETS: List = { next: null }

const bulletOf = (list: List | null): string => {
  if (list === null || list.next === null) return "- "
  list.next++
  return `${list.next - 1}. `
}

/** The number of the first item of a list; 1 where it says none that can be written. */
const startOf = (list: Element): number => {
  const start = Number(attribute(list, "start") ?? "1")
  return Number.isSafeInteger(start) && start >= 0 && start < 1e9 ? start : 1
}

/** A number or a letter that is set high is an exponent; two letters are the end of "1st". */
const EXPONENT = /^(?:[-+−]?\d{1,4}|[a-z])$/i

const LANGUAGE = /^[\w+#.-]{1,30}$/
