import type { CodeBlock, Page } from "../../page/Page.ts"
import { collapseLines } from "../../text/WhiteSpace.ts"

/** What surrounds a call on its page. */
export interface CallContext {
  /** URL of the page that shows it. */
  readonly page: string
  /** The headings above it, and the prose right before and after it, without code. */
  readonly around: string
}

/** Characters of prose before and after a block of code that are about it. */
const BEFORE = 300
const AFTER = 200

/** The context of the calls in a block of code. */
export const contextOf = (
  page: Pick<Page, "sections" | "url">,
  block: Pick<CodeBlock, "section" | "text">
): CallContext => {
  const section = page.sections[block.section]
  if (section === undefined) return { page: page.url, around: "" }
  const [before, after] = proseAround(section.text, block.text)
  return { page: page.url, around: [...section.path, section.heading, before, after].join("\n") }
}

/** Where a text has the code, by its first and last lines; what is right before and right after. */
const proseAround = (text: string, code: string): readonly [before: string, after: string] => {
  const lines = collapseLines(code).split("\n")
  const collapsed = collapseLines(text)
  const start = collapsed.indexOf(lines[0] ?? "")
  // Code that is not where it is looked for may be anywhere: the beginning of the section is about it.
  if (start < 0) return [collapsed.slice(0, BEFORE), ""]
  const last = lines.at(-1) ?? ""
  const end = Math.max(start, collapsed.indexOf(last, start)) + last.length
  return [collapsed.slice(Math.max(0, start - BEFORE), start), collapsed.slice(end, end + AFTER)]
}
