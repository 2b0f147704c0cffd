import type { Root } from "hast"
import type { List, Nodes } from "mdast"
import { toMdast } from "hast-util-to-mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { type Handle, toMarkdown } from "mdast-util-to-markdown"

/** A line of a cell ends with `<br>`, as a row is one line. */
const lineBreak: Handle = (_node, _parent, state) => state.stack.includes("tableCell") ? "<br>" : "\\\n"

/**
 * A tree of HTML as CommonMark with GFM tables. Whatever a text holds, it is escaped where Markdown would take it for syntax, and
 * a code fence is longer than every run of its marks in the code.
 */
export const writeMarkdown = (tree: Root): string =>
  toMarkdown(tightened(toMdast(tree)), {
    bullet: "-",
    emphasis: "_",
    fences: true,
    incrementListMarker: true,
    listItemIndent: "one",
    rule: "-",
    handlers: { break: lineBreak },
    extensions: [gfmToMarkdown({ tableCellPadding: true, tablePipeAlign: false })]
  })

/** Without empty lines between items, unless an item has several paragraphs or other blocks than lists. */
const tightened = (node: Nodes): Nodes => {
  if ("children" in node) for (const child of node.children) tightened(child)
  if (node.type === "list") tighten(node)
  return node
}

const tighten = (list: List): void => {
  for (const item of list.children) item.spread = item.children.slice(1).some(({ type }) => type !== "list")
  list.spread = list.children.some(({ spread }) => spread)
}
