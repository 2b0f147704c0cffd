import {
  type ChildNode,
  type Document,
  type Element,
  isTag,
  isText as isTextNode,
  type ParentNode,
  type Text
} from "domhandler"

export type { Document, Element }
export type Node = ChildNode

export type Attributes = Record<string, string>

export const NO_ATTRIBUTES: Attributes = Object.freeze(Object.create(null))

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

/** Elements besides custom ones that may have a shadow root (DOM, `attachShadow`). */
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" ")
)

const MODE = /^(?:open|closed)$/i

/**
 * Makes a declarative shadow root the content of its host, with the host's own children in its slots, as CSS Scoping flattens a
 * tree. Children without a slot go to the template, which is not shown. Other templates stay empty.
 */
export const attachShadow = (template: Element, content: Document): void => {
  const host = parentOf(template)
  if (host === null || !(HOSTS.has(host.name) || host.name.includes("-"))) return
  if (!MODE.test(attribute(template, "shadowrootmode") ?? "")) return
  const own = host.children.filter((child) => child !== template)
  const bySlot = Map.groupBy(own, (child) => (isElement(child) ? (attribute(child, "slot") ?? "") : ""))
  for (const slot of slotsIn(content)) {
    const name = attribute(slot, "name") ?? ""
    const assigned = bySlot.get(name)
    if (assigned !== undefined) putInto(slot, assigned)
    bySlot.delete(name)
  }
  putInto(template, [...bySlot.values()].flat())
  putInto(host, [...content.children, template])
}

/** Puts what replaces scripts or frames into its element, in place of its text; what belongs to a head is left out. */
export const putAlternative = (element: Element, { children }: Document): void => {
  const body = children
    .filter(isElement)
    .flatMap((root) => root.children.filter(isElement))
    .find(({ name }) => name === "body")
  putInto(element, body?.children ?? [])
}

/** Cuts the tree where it is too deep for walks that recurse, and says whether it was. */
export const cutDeeper = (document: Document, limit: number): boolean => {
  let isCut = false
  eachBelow(document, (element, depth) => {
    if (depth < limit || element.children.length === 0) return
    element.children = []
    isCut = true
  })
  return isCut
}

const slotsIn = (content: Document): ReadonlyArray<Element> => {
  const slots: Array<Element> = []
  eachBelow(content, (element) => {
    if (element.name === "slot") slots.push(element)
  })
  return slots
}

/** Visits elements in document order, without recursion. */
const eachBelow = (root: Document, visit: (element: Element, depth: number) => void): void => {
  const open: Array<{ readonly node: ParentNode; readonly depth: number }> = [{ node: root, depth: 0 }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { depth, node } = at
    if (isElement(node)) visit(node, depth)
    for (const child of node.children.toReversed()) if (isElement(child)) open.push({ node: child, depth: depth + 1 })
  }
}

const putInto = (parent: Element, children: ReadonlyArray<ChildNode>): void => {
  parent.children = [...children]
  for (const [index, child] of parent.children.entries()) {
    child.parent = parent
    child.prev = parent.children[index - 1] ?? null
    child.next = parent.children[index + 1] ?? null
  }
}
