import type { ChildNode, ParentNode } from "domhandler"
import { attribute, type Document, type Element, isElement, parentOf } from "./HtmlTree.ts"

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
