import { type ChildNode, type Document, Element, isTag, isText as isTextNode, type ParentNode, Text } from "domhandler"
import { Parser, type TreeAdapter } from "parse5"
import { adapter, type Htmlparser2TreeAdapterMap } from "parse5-htmlparser2-tree-adapter"
import { BoundedTokenizer, flatten, MAX_ATTRIBUTES } from "./BoundedTokenizer.ts"

export type { Document, Element }
export type Node = ChildNode

/** Deeper than any page that people write; walks over the tree may recurse this far. */
export const MAX_DEPTH = 512
/** Three times as many as the largest page of the corpus has. Pages of that many links or headings fit the page thread's heap (`ParserThreads.ts`). */
const MAX_ELEMENTS = 60_000

/** How much text is tokenised before its start may be let go. */
const CHUNK = 65_536

/** Ends parsing early; the tree built so far is kept. */
class LimitReached extends Error {}

/** Flattens the text at the end of what an element holds: it is complete. */
const flattenLast = ({ children }: ParentNode): void => {
  const last = children.at(-1)
  if (last !== undefined && isText(last)) flatten(last.data)
}

/**
 * The index of a child among its siblings. The parser works at the end of the document, so the search begins there: a
 * table that fosters a million elements would take for ever otherwise.
 */
const placeOf = (parent: ParentNode, child: ChildNode): number => {
  const siblings = parent.children
  for (let at = siblings.length - 1; at >= 0; at--) if (siblings[at] === child) return at
  return siblings.length
}

const insertBefore = (parent: ParentNode, inserted: ChildNode, before: ChildNode): void => {
  const after = parent.children.splice(placeOf(parent, before))
  const previous = before.prev
  if (previous !== null) previous.next = inserted
  inserted.prev = previous
  inserted.next = before
  before.prev = inserted
  parent.children.push(inserted, ...after)
  inserted.parent = parent
}

const detach = (node: ChildNode): void => {
  const { next, parent, prev } = node
  if (parent === null) return
  if (prev !== null) prev.next = next
  if (next !== null) next.prev = prev
  node.prev = node.next = node.parent = null
  parent.children.splice(placeOf(parent, node), 1)
}

type Attributes = Record<string, string>

const NO_ATTRIBUTES: Attributes = Object.freeze(Object.create(null))

/** By name. They have no prototype: `constructor` is an attribute like any other. Of two of one name the first counts. */
const attributesOf = (
  list: ReadonlyArray<{ readonly name: string; readonly value: string }>,
  known = NO_ATTRIBUTES
): Attributes => {
  if (list.length === 0) return known
  const attributes: Attributes = Object.assign(Object.create(null), known)
  for (const { name, value } of list) {
    flatten(value)
    attributes[name] ??= value
  }
  return attributes
}

/** cheerio's nodes, which selections work on. What a `template` holds is no part of the page. */
const boundedAdapter = (): TreeAdapter<Htmlparser2TreeAdapterMap> => {
  let depth = 0
  let elements = 0
  const templates = new WeakMap<Element, Document>()
  return {
    ...adapter,
    createElement: (name, namespace, attributes) => {
      if (++elements > MAX_ELEMENTS) throw new LimitReached()
      const element = new Element(name, attributesOf(attributes), [])
      element.namespace = namespace
      return element
    },
    onItemPush: () => {
      if (++depth > MAX_DEPTH) throw new LimitReached()
    },
    onItemPop: (item) => {
      depth--
      flattenLast(item)
    },
    appendChild: (parent, child) => {
      flattenLast(parent)
      adapter.appendChild(parent, child)
    },
    getAttrList: ({ attribs }) => Object.entries(attribs).map(([name, value]) => ({ name, value })),
    insertBefore,
    insertTextBefore: (parent, text, before) => {
      const previous = before.prev
      if (previous !== null && isText(previous)) previous.data += text
      else insertBefore(parent, new Text(text), before)
    },
    detachNode: detach,
    adoptAttributes: (recipient, attributes) => {
      if (Object.keys(recipient.attribs).length < MAX_ATTRIBUTES)
        recipient.attribs = attributesOf(attributes, recipient.attribs)
    },
    setTemplateContent: (template, content) => {
      templates.set(template, content)
    },
    getTemplateContent: (template) => templates.get(template) ?? adapter.getTemplateContent(template)
  }
}

/** A document, and whether it goes on beyond the limits on depth and elements: its tree ends there. */
export interface ParsedHtml {
  readonly document: Document
  readonly isCut: boolean
}

/** The tree of `parseWhole`, for those who need not know whether it is whole. */
export const parseHtml = (html: string): Document => parseWhole(html).document

/**
 * Parses as browsers do (WHATWG HTML, scripting on), within limits on depth, elements and attributes: where a document
 * goes beyond them, the tree ends there. Linear in the document; never throws.
 */
export const parseWhole = (html: string): ParsedHtml => {
  const parser = new Parser<Htmlparser2TreeAdapterMap>({ treeAdapter: boundedAdapter() })
  const tokenizer = new BoundedTokenizer(parser.options, parser)
  parser.tokenizer = tokenizer
  try {
    for (let at = 0; at === 0 || at < html.length; at += CHUNK) {
      tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length)
      tokenizer.flatten()
      flattenLast(parser.openElements.current ?? parser.document)
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
    return { document: parser.document, isCut: true }
  }
  return { document: parser.document, isCut: false }
}

export const isElement = (node: ChildNode | ParentNode): node is Element => isTag(node)

export const isText = (node: ChildNode): node is Text => isTextNode(node)

/** The value of an attribute as written; `null` where the element has none of that name. */
export const attribute = (element: Element, name: string): string | null => element.attribs[name] ?? null

/** Most elements have no attributes: a quick way past what looks for several. */
export const hasAttributes = (element: Element): boolean => element.attribs !== NO_ATTRIBUTES

const CLASS_CHARACTERS = 2_000

const NO_CLASSES: ReadonlyArray<string> = []

/** The words of `class`; of an overlong list those at its start. */
export const classesOf = (element: Element): ReadonlyArray<string> => {
  const value = attribute(element, "class")?.slice(0, CLASS_CHARACTERS) ?? ""
  if (value === "") return NO_CLASSES
  return /\s/.test(value) ? value.split(/\s+/).filter((word) => word !== "") : [value]
}

export const parentOf = (element: Element): Element | null =>
  element.parent !== null && isElement(element.parent) ? element.parent : null

export const childrenOf = (element: Element): ReadonlyArray<Element> => element.children.filter(isElement)

/** How far the nearest sibling that matters may be, in nodes: comments and white space lie between. */
const NEIGHBOURHOOD = 6

/** The sibling element right before or after an element; `null` where text comes between, or where there is none. */
export const neighbour = (element: Element, side: "before" | "after"): Element | null => {
  let sibling = side === "before" ? element.prev : element.next
  for (let left = NEIGHBOURHOOD; left > 0 && sibling !== null; left--) {
    if (isElement(sibling)) return sibling
    if (isText(sibling) && sibling.data.trim() !== "") return null
    sibling = side === "before" ? sibling.prev : sibling.next
  }
  return null
}

/** The first element below (in document order) that a predicate holds for, among the first `limit` nodes. */
export const findBelow = (
  element: Element,
  wanted: (candidate: Element) => boolean,
  limit = 20_000
): Element | null => {
  let left = limit
  const search = (parent: Element): Element | null => {
    for (const child of parent.children) {
      if (--left < 0) return null
      if (!isElement(child)) continue
      const found = wanted(child) ? child : search(child)
      if (found !== null) return found
    }
    return null
  }
  return search(element)
}

/** Everything written below an element, scripts and hidden parts included, at most `limit` characters. */
export const contentOf = (element: Element, limit = Number.POSITIVE_INFINITY): string => {
  const parts: Array<string> = []
  let left = limit
  const gather = (parent: Element): void => {
    for (const child of parent.children) {
      if (left <= 0) return
      if (isText(child)) {
        parts.push(child.data)
        left -= child.data.length
      } else if (isElement(child)) gather(child)
    }
  }
  gather(element)
  return parts.join("")
}
