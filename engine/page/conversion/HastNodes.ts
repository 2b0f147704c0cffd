import type { Element, ElementContent, Properties, Text } from "hast"

/** A node of the tree that is converted (hast, the syntax tree of HTML that the converter reads). */
export const node = (tagName: string, children: ReadonlyArray<ElementContent>, properties: Properties = {}): Element =>
  ({ type: "element", tagName, properties, children: [...children] })

export const text = (value: string): Text => ({ type: "text", value: safeText(value) })

/**
 * What is invisible and could hide text from people or turn its direction: controls, zero-width spaces, direction overrides and
 * isolates, tag characters. Joiners stay, since scripts such as Persian are written with them.
 */
const INVISIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu

const safeText = (value: string): string => value.toWellFormed().replaceAll(INVISIBLE, "")

/** Whether a node or one that it holds is a block; converters write blocks on lines of their own. */
export const holdsBlock = (child: ElementContent): boolean => child.type === "element" && (BLOCK_NODES.has(child.tagName) || child.children.some(holdsBlock))

const BLOCK_NODES = new Set("p div blockquote ul ol li dl dt dd h1 h2 h3 h4 h5 h6 hr pre table".split(" "))

/** Whether there is anything to read. */
export const isEmpty = (child: ElementContent): boolean =>
  child.type === "text" ? child.value.trim() === "" : child.type === "comment" || (child.tagName !== "img" && child.tagName !== "hr" && child.children.every(isEmpty))
