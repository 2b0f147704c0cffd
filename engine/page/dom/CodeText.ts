import { oncePer } from "../../text/OncePer.ts"
import { attribute, classesOf, type Element, isElement, isText } from "./HtmlTree.ts"

const LINE_NUMBERS = new Set([
  "linenos",
  "linenodiv",
  "lineno",
  "line-number",
  "line-numbers",
  "line-numbers-rows",
  "line-numbers-wrapper",
  "gutter",
  "rouge-gutter",
  "hljs-ln-numbers",
  "lnt",
  "ln",
  "copy-button",
  "copybtn"
])

/** Blocks that highlighters put around each line. */
const LINE_BLOCKS = new Set(["div", "tr", "li", "p"])

const isBesideCode = (element: Element): boolean =>
  element.name === "button" ||
  element.name === "style" ||
  element.name === "script" ||
  (element.children.length === 0 && attribute(element, "data-line-number") !== null) ||
  isLineNumbers(element)

/** Line numbers, or a button, beside code. */
export const isLineNumbers = (element: Element): boolean => classesOf(element).some((name) => LINE_NUMBERS.has(name))

/** The code in a `pre` as its author wrote it: line breaks as shown, line numbers and buttons left out. */
export const codeText = oncePer((pre: Element): string => {
  const parts: Array<string> = []
  let atLineStart = true
  const put = (text: string): void => {
    if (text === "") return
    parts.push(text)
    atLineStart = text.endsWith("\n")
  }
  const gather = (parent: Element): void => {
    for (const child of parent.children) {
      if (isText(child)) put(child.data)
      else if (!isElement(child) || isBesideCode(child)) continue
      else if (child.name === "br") put("\n")
      else if (LINE_BLOCKS.has(child.name)) {
        if (!atLineStart) put("\n")
        gather(child)
        if (!atLineStart) put("\n")
      } else gather(child)
    }
  }
  gather(pre)
  return trimBlankLines(parts.join(""))
})

const trimBlankLines = (text: string): string => {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ""
  let from = 0
  let to = lines.length
  while (from < to && isBlank(lines[from])) from++
  while (to > from && isBlank(lines[to - 1])) to--
  return lines.slice(from, to).join("\n")
}
