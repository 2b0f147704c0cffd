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
