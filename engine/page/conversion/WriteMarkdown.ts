import { readFileSync } from "node:fs"
import { htmlToMarkdown, initSync } from "mdream/wasm/mdream_edge.js"
import { type HtmlNode, htmlOf } from "./HtmlNodes.ts"
import { withMarksWritten } from "./MarkdownMarks.ts"

/** The converter's WebAssembly; in the package `scripts/PackageCode.ts` copies it beside the code. */
const MODULE = new URL(
  import.meta.url.endsWith(".ts") ? "../../../node_modules/mdream/wasm/mdream_edge_bg.wasm" : "./mdream_edge_bg.wasm",
  import.meta.url
)

let loaded = false

/**
 * HTML as CommonMark with GFM tables, ending with a newline. Whatever a text holds, it is escaped where Markdown would take it for
 * syntax, and a code fence is longer than every run of its marks in the code. Linear in the tree (test/linear).
 */
export const writeMarkdown = (nodes: ReadonlyArray<HtmlNode>): string => {
  if (!loaded) initSync({ module: readFileSync(MODULE) })
  loaded = true
  return `${withMarksWritten(htmlToMarkdown(htmlOf(nodes), {})).trim()}\n`
}
