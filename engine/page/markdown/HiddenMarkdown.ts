import type { Token } from "markdown-it"
import { escapeMarkup } from "../../text/MarkupText.ts"
import { parseHtml } from "../dom/HtmlParser.ts"
import type { HiddenInstruction } from "../HiddenInstruction.ts"
import { hiddenInstructions } from "../html/HiddenInstructions.ts"

/** HTML in which something may be hidden; most documents have none. U+DB40 begins every invisible tag character. */
const MAY_HIDE = /<!--|<noscript|\shidden\b|\sstyle\s*=|\sclass\s*=/i

/** The orders to agents that a Markdown document hides from people: in comments, and in HTML elements that are hidden. */
export const hiddenInMarkdown = (tokens: ReadonlyArray<Token>): ReadonlyArray<HiddenInstruction> =>
  tokens.some(mayHide) ? hiddenInstructions(parseHtml(tokens.map(markupOf).join("\n"))) : []

const mayHide = ({ children, content, type }: Token): boolean =>
  content.includes("\u{DB40}") ||
  (type === "html_block"
    ? MAY_HIDE.test(content)
    : (children ?? []).some((child) => child.type === "html_inline" && MAY_HIDE.test(child.content)))

/** HTML as it is written and text as it is read; code blocks are shown to people, so nothing in them is hidden. */
const markupOf = ({ children, content, type }: Token): string => {
  if (type === "html_block") return content
  return type === "inline"
    ? `<p>${(children ?? []).map((child) => (child.type === "html_inline" ? child.content : escapeMarkup(child.content))).join(" ")}</p>`
    : ""
}
