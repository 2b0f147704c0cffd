import { collapse } from "../../text/WhiteSpace.ts"
import { wordSet } from "../../text/LettersApart.ts"
import { attribute, contentOf, type Document, type Element, isElement, isText, type Node } from "./HtmlTree.ts"
import { codeText } from "./CodeText.ts"
import { containerName, isControl, isNoText, isPermalink, isSetApart, isSurrounding, isUnseen } from "./Landmarks.ts"
import { type ParsedHtml, parseWhole } from "./HtmlParser.ts"

/** What Markdown writes around an element's text, in characters. */
const MARKS: ReadonlyMap<string, number> = new Map([
  ["h1", 2],
  ["h2", 3],
  ["h3", 4],
  ["h4", 5],
  ["h5", 6],
  ["h6", 7],
  ["li", 2],
  ["blockquote", 2],
  ["td", 3],
  ["th", 3],
  ["pre", 8],
  ["code", 2],
  ["strong", 4],
  ["b", 4],
  ["em", 2],
  ["i", 2]
])

/** Of a link or an image `[](…)`, beside its text and its URL. */
const LINK_MARKS = 4

const LONGEST_URL = 2_000

/**
 * Counts what an agent keeps of a page that its tool converts to Markdown as a whole, as the common tools do: every text, hidden ones
 * and menus too, links with their URLs as written, and the marks of Markdown. Scripts, styles and pictures are dropped. Nothing is
 * written: only lengths are of interest.
 */
class KeptCounter {
  characters = 0
  /** In UTF-8. */
  bytes = 0
  private atBlock = true

  text(value: string): void {
    const text = value.replaceAll(/\s+/g, " ")
    if (text === "" || (text === " " && this.atBlock)) return
    this.atBlock = false
    this.characters += text.length
    this.bytes += Buffer.byteLength(text)
  }

  /** The beginning of an element, which is set apart by an empty line if it is a block. */
  open(element: Element, block: boolean): void {
    if (block && !this.atBlock) {
      this.marks(2)
      this.atBlock = true
    }
    this.marks(MARKS.get(element.name) ?? 0)
    if (element.name === "img") this.image(element)
  }

  /** The end of an element: a link's URL comes after its text. */
  close(element: Element): void {
    if (element.name === "a") this.url(attribute(element, "href"))
  }

  private image(element: Element): void {
    const alt = attribute(element, "alt") ?? ""
    const source = attribute(element, "src") ?? ""
    if (alt === "" || source.startsWith("data:")) return
    this.text(alt)
    this.url(source)
  }

  private url(url: string | null): void {
    if (url === null || url === "") return
    this.marks(LINK_MARKS)
    this.text(url.slice(0, LONGEST_URL))
  }

  private marks(count: number): void {
    this.characters += count
    this.bytes += count
  }
}

/** A block of text: a paragraph, heading, list item, cell or code block. */
export interface Segment {
  readonly text: string
  /** Characters of visible text before it. */
  readonly offset: number
  /** Its place in the document's order of elements. */
  readonly order: number
  /** It is a heading's own text. */
  readonly isHeading: boolean
  /** Characters that a converting agent keeps before its first text, and up to its end. */
  readonly keptFrom: number
  readonly keptTo: number
}

/** An element and its place in the document's order. */
export interface Placed {
  readonly element: Element
  readonly order: number
  /** In navigation, a sidebar, the page's header or footer. */
  readonly surrounding: boolean
}

/** A link and its place; one in a closed menu cannot be seen. */
interface PlacedLink extends Placed {
  readonly seen: boolean
}

/** An element that may hold the main content, and the orders of what it holds. */
export interface Container {
  readonly name: string
  readonly element: Element
  readonly from: number
  readonly to: number
}

/** Everything that one walk over a document finds. */
export interface DomWalk {
  /** Text outside surroundings, in order. */
  readonly segments: ReadonlyArray<Segment>
  /** Characters that a reader sees, surroundings included. */
  readonly visibleCharacters: number
  /** What an agent keeps that converts the whole page to Markdown; nothing where that was not counted. */
  readonly kept: { readonly characters: number; readonly bytes: number }
  /** In the order in which they end: inner ones before outer ones. */
  readonly containers: ReadonlyArray<Container>
  /** All elements by name, unseen ones too, in document order. */
  readonly byName: ReadonlyMap<string, ReadonlyArray<Element>>
  /** Elements that can be seen, by name, those of `KEPT` only, and panels of tabs as `tabpanel`, the first 20 000 of each. */
  readonly seen: ReadonlyMap<string, ReadonlyArray<Placed>>
  /** `a` elements, those that cannot be seen too, the first 20 000; permalinks are left out. */
  readonly links: ReadonlyArray<PlacedLink>
}

const MAX_KEPT = 20_000

const KEPT = wordSet("h1 h2 h3 h4 h5 h6 pre table dl li time button")

const PANEL = "tabpanel"
const isPanel = (element: Element): boolean =>
  (element.name === "div" || element.name === "section") && attribute(element, "role") === PANEL

export const BLOCKS = wordSet(
  "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6" +
    " header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul redoc"
)

/** What a walk knows of where it is. */
interface Place {
  readonly unseen: boolean
  /** Below what is no text at all, such as a script: converters drop it. */
  readonly dropped: boolean
  readonly surrounding: boolean
  readonly inContent: boolean
  readonly inHeading: boolean
}

class Walk {
  readonly segments: Array<Segment> = []
  readonly containers: Array<Container> = []
  readonly byName = new Map<string, Array<Element>>()
  readonly seen = new Map<string, Array<Placed>>()
  readonly links: Array<PlacedLink> = []
  visibleCharacters = 0
  readonly kept = new KeptCounter()
  private order = 0
  private readonly counts: boolean
  private readonly pending: Array<string> = []
  private pendingFirst = { order: 0, isHeading: false, keptFrom: 0 }

  constructor(counts: boolean) {
    this.counts = counts
  }

  visit(node: Node, place: Place): void {
    if (isText(node)) this.text(node.data, place)
    else if (isElement(node)) this.element(node, place)
  }

  flush(): void {
    if (this.pending.length === 0) return
    const text = collapse(this.pending.join(""))
    this.pending.length = 0
    if (text === "") return
    this.segments.push({ text, offset: this.visibleCharacters, ...this.pendingFirst, keptTo: this.kept.characters })
    this.visibleCharacters += text.length
  }

  private text(value: string, place: Place): void {
    const keptFrom = this.kept.characters
    if (this.counts && !place.dropped) this.kept.text(value)
    if (place.unseen) return
    if (place.surrounding) {
      this.visibleCharacters += collapse(value).length
      return
    }
    if (this.pending.length === 0) this.pendingFirst = { order: this.order, isHeading: place.inHeading, keptFrom }
    this.pending.push(value)
  }

  private element(element: Element, around: Place): void {
    const order = ++this.order
    add(this.byName, element.name, element)
    const place = placeIn(element, around)
    const block = BLOCKS.has(element.name)
    if (block || place.surrounding !== around.surrounding) this.flush()
    const kept = KEPT.has(element.name) ? element.name : isPanel(element) ? PANEL : null
    if (!place.unseen && kept !== null) {
      add(this.seen, kept, { element, order, surrounding: place.surrounding }, MAX_KEPT)
    }
    if (element.name === "a" && !isPermalink(element) && this.links.length < MAX_KEPT) {
      this.links.push({ element, order, surrounding: place.surrounding, seen: !place.unseen })
    }
    if (this.counts && !place.dropped) this.kept.open(element, block)
    if (element.name === "br") this.text("\n", place)
    else if (element.name === "pre") this.text(codeText(element), place)
    else for (const child of element.children) this.visit(child, place)
    if (block || place.surrounding !== around.surrounding) this.flush()
    if (this.counts && !place.dropped) this.kept.close(element)
    const name = place.surrounding || place.unseen ? null : containerName(element)
    if (name !== null) this.containers.push({ name, element, from: order, to: this.order })
  }
}

const OUTERMOST: Place = { unseen: false, dropped: false, surrounding: false, inContent: false, inHeading: false }

const HEADINGS = wordSet("h1 h2 h3 h4 h5 h6")

const placeIn = (element: Element, around: Place): Place => {
  if (around.dropped) return around
  const dropped = isNoText(element)
  if (around.unseen) return dropped ? { ...around, dropped } : around
  const unseen = dropped || isUnseen(element) || isPermalink(element)
  const surrounding =
    around.surrounding || (!unseen && (isControl(element) || isSurrounding(element, around.inContent)))
  const inContent = around.inContent || containerName(element) !== null
  const inHeading = around.inHeading || HEADINGS.has(element.name)
  return unseen === around.unseen &&
    surrounding === around.surrounding &&
    inContent === around.inContent &&
    inHeading === around.inHeading
    ? around
    : { unseen, dropped, surrounding, inContent, inHeading }
}

const add = <A>(index: Map<string, Array<A>>, name: string, item: A, limit = Number.POSITIVE_INFINITY): void => {
  const known = index.get(name)
  if (known === undefined) index.set(name, [item])
  else if (known.length < limit) known.push(item)
}

/** A page's tree and what one walk over it found: read once, for its facts and for its conversion. */
export interface PageTree extends ParsedHtml {
  readonly walk: DomWalk
}

/** `counts`: whether it is counted what an agent keeps, which only criteria ask for. */
export const readTree = (html: string, counts = true): PageTree => {
  const parsed = parseWhole(html)
  return { ...parsed, walk: walkDom(parsed.document, counts) }
}

/** Walks over a document once. `counts`: as for `readTree`. */
export const walkDom = (document: Document, counts = true): DomWalk => {
  const walk = new Walk(counts)
  for (const child of document.children) walk.visit(child, OUTERMOST)
  walk.flush()
  return walk
}

/** Finds elements by their `id`, the first of each; the index is made when it is first asked. */
export const elementsById = (walk: DomWalk): ((id: string) => Element | null) => {
  let index: Map<string, Element> | null = null
  return (id) => {
    if (index === null) {
      index = new Map()
      for (const elements of walk.byName.values()) {
        for (const element of elements) {
          const own = attribute(element, "id")
          if (own !== null && !index.has(own)) index.set(own, element)
        }
      }
    }
    return index.get(id) ?? null
  }
}

/** The text of an element as a reader sees it, controls and permalinks left out; at most `limit` characters, indentation aside. */
export const seenText = (element: Element, limit = 5_000): string => {
  const parts: Array<string> = []
  let left = limit
  let nodes = limit * 4
  const gather = (parent: Element): void => {
    for (const child of parent.children) {
      if (left <= 0 || --nodes < 0) return
      if (isText(child)) {
        parts.push(child.data)
        left -= child.data.trim().length
      } else if (isElement(child) && !isUnseen(child) && !isPermalink(child) && !isControl(child)) {
        const apart = BLOCKS.has(child.name) || child.name === "br" || isSetApart(child)
        if (apart) parts.push(" ")
        gather(child)
        if (apart) parts.push(" ")
      }
    }
  }
  gather(element)
  return collapse(parts.join("")).slice(0, limit)
}

/** What a link or button is called: its text, else its label, title, or its image's alternative text. */
export const labelOf = (element: Element): string =>
  seenText(element, 500) ||
  collapse(attribute(element, "aria-label") ?? attribute(element, "title") ?? imageText(element)) ||
  collapse(contentOf(element, 500).slice(0, 500))

const imageText = (element: Element): string => {
  const image = element.children.find((child): child is Element => isElement(child) && child.name === "img")
  return image === undefined ? "" : (attribute(image, "alt") ?? "")
}
