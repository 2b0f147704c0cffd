import { collapse } from "../../text/WhiteSpace.ts"

/** A heading in HTML, and the attribute by which a component (a card, a step, a tab) is called. Every part is bounded. */
const HTML_HEADING = /<h[1-6](?:\s[^<>]{0,300})?>([^<>]{1,300})</gi
const COMPONENT =
  /<[A-Z]\w{0,40}\s[^<>]{0,300}?\b(?:title|label|header|heading|name)\s{0,3}=\s{0,3}(?:"([^"<>]{1,300})"|'([^'<>]{1,300})')/g

/** Names that are written as markup in a Markdown text: headings in HTML, and titles of components. */
export const namesInMarkup = (markdown: string): ReadonlyArray<string> =>
  markdown.includes("<")
    ? [...markdown.matchAll(HTML_HEADING), ...markdown.matchAll(COMPONENT)]
        .map((match) => collapse(match[1] ?? match[2] ?? ""))
        .filter((name) => name !== "")
    : []
