import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser, Tokenizer, type TreeAdapter } from "parse5"

export type Document = DefaultTreeAdapterTypes.Document
export type Element = DefaultTreeAdapterTypes.Element
export type Node = DefaultTreeAdapterTypes.ChildNode

type Parent = DefaultTreeAdapterTypes.ParentNode

/** Deeper than any page that people write; walks over the tree may recurse this far. */
export const MAX_DEPTH = 512
const MAX_ELEMENTS = 250_000
const MAX_ATTRIBUTES = 128

/** How much text is tokenised before its start may be let go. */
const CHUNK = 65_536

/** Ends parsing early; the tree built so far stands. */
class LimitReached extends Error {}

/** Looks for duplicates among all attributes of a tag, so it must not have many. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const token = this.currentToken
    if (token !== null && "attrs" in token && token.attrs.length >= MAX_ATTRIBUTES) return
    super._leaveAttrName()
  }
}

/**
 * Where a child stands among its siblings. The parser works at the end of the document, so the search begins there: a
 * table that fosters a million elements would take for ever otherwise.
 */
const placeOf = (parent: Parent, child: Node): number => {
  const siblings = parent.childNodes
  for (let at = siblings.length - 1; at >= 0; at--) if (siblings[at] === child) return at
  return siblings.length
}

const insertAt = (parent: Parent, at: number, inserted: Node): void => {
  const after = parent.childNodes.slice(at)
  parent.childNodes.length = at
  parent.childNodes.push(inserted, ...after)
  inserted.parentNode = parent
}

const boundedAdapter = (): TreeAdapter<DefaultTreeAdapterMap> => {
  let depth = 0
  let elements = 0
  return {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      if (++elements > MAX_ELEMENTS) throw new LimitReached()
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    onItemPush: () => {
      if (++depth > MAX_DEPTH) throw new LimitReached()
    },
    onItemPop: () => {
      depth--
    },
    insertBefore: (parent, inserted, before) => insertAt(parent, placeOf(parent, before), inserted),
    insertTextBefore: (parent, text, before) => {
      const at = placeOf(parent, before)
      const previous = parent.childNodes[at - 1]
      if (previous !== undefined && isText(previous)) previous.value += text
      else insertAt(parent, at, defaultTreeAdapter.createTextNode(text))
    },
    detachNode: (node) => {
      if (node.parentNode === null) return
      node.parentNode.childNodes.splice(placeOf(node.parentNode, node), 1)
      node.parentNode = null
    },
    adoptAttributes: (recipient, attributes) => {
      if (recipient.attrs.length < MAX_ATTRIBUTES) defaultTreeAdapter.adoptAttributes(recipient, attributes)
    }
  }
}

/**
 * Parses as browsers do (WHATWG HTML, scripting on), within limits on depth, elements and attributes: where a document
 * goes beyond them, the tree ends there. Linear in the document; never throws.
 */
export const parseHtml = (html: string): Document => {
  const parser = new Parser<DefaultTreeAdapterMap>({ treeAdapter: boundedAdapter() })
  parser.tokenizer = new BoundedTokenizer(parser.options, parser)
  try {
    for (let at = 0; at === 0 || at < html.length; at += CHUNK) {
      parser.tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length)
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
  }
  return parser.document
}

export const isElement = (node: { readonly nodeName: string }): node is Element => "tagName" in node

export const isText = (node: { readonly nodeName: string }): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === "#text"

/** The value of an attribute as written; `null` where the element has none of that name. */
export const attribute = (element: Element, name: string): string | null => {
  for (const candidate of element.attrs) if (candidate.name === name) return candidate.value
  return null
}

const CLASS_CHARACTERS = 2_000

const NO_CLASSES: ReadonlyArray<string> = []

/** The words of `class`; of an overlong list those at its start. */
export const classesOf = (element: Element): ReadonlyArray<string> => {
  const value = attribute(element, "class")?.slice(0, CLASS_CHARACTERS) ?? ""
  if (value === "") return NO_CLASSES
  return /\s/.test(value) ? value.split(/\s+/).filter((word) => word !== "") : [value]
}

export const parentOf = (element: Element): Element | null =>
  element.parentNode !== null && isElement(element.parentNode) ? element.parentNode : null

export const childrenOf = (element: Element): ReadonlyArray<Element> => element.childNodes.filter(isElement)

const positions = new WeakMap<Parent, ReadonlyMap<Node, number>>()

/** Where a node stands among its siblings, looked up in a list made once for each parent. */
const positionOf = (parent: Parent, node: Node): number => {
  let known = positions.get(parent)
  if (known === undefined) {
    known = new Map(parent.childNodes.map((child, index) => [child, index]))
    positions.set(parent, known)
  }
  return known.get(node) ?? -1
}

/** How far the nearest sibling that matters may be, in nodes: comments and white space lie between. */
const NEIGHBOURHOOD = 6

/** The sibling element right before or after an element; `null` where text comes between, or where there is none. */
export const neighbour = (element: Element, side: "before" | "after"): Element | null => {
  const parent = element.parentNode
  if (parent === null) return null
  const step = side === "before" ? -1 : 1
  let at = positionOf(parent, element)
  for (let left = NEIGHBOURHOOD; left > 0; left--) {
    at += step
    const sibling = parent.childNodes[at]
    if (sibling === undefined || (isText(sibling) && sibling.value.trim() !== "")) return null
    if (isElement(sibling)) return sibling
  }
  return null
}

/** White space collapsed to single spaces, trimmed. */
export const collapse = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The first element below (in document order) that a predicate holds for, among the first `limit` nodes. */
export const findBelow = (element: Element, wanted: (candidate: Element) => boolean, limit = 20_000): Element | null => {
  let left = limit
  const search = (parent: Element): Element | null => {
    for (const child of parent.childNodes) {
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
    for (const child of parent.childNodes) {
      if (left <= 0) return
      if (isText(child)) {
        parts.push(child.value)
        left -= child.value.length
      } else if (isElement(child)) gather(child)
    }
  }
  gather(element)
  return parts.join("")
}
