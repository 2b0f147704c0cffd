import MarkdownIt, { type Token } from "markdown-it"
import { unbrokenParts } from "../kit/SiteLabel.ts"
import { colouredCode } from "./CodeColours.ts"

/** A heading of a page, for its list of contents. */
export interface DocHeading {
  readonly id: string
  readonly level: number
  readonly text: string
}

/** A page's text as HTML, below its title. */
export interface DocHtml {
  readonly html: string
  readonly headings: ReadonlyArray<DocHeading>
}

const renderer = new MarkdownIt({ html: false })

/** A table's label is its heading: wide tables scroll, so they need to be focusable and named. */
renderer.renderer.rules["table_open"] = (tokens, index) => {
  const caption = renderer.utils.escapeHtml(String(tokens[index]?.attrGet("title") ?? ""))
  return `<div class="docs-table" role="group" aria-label="${caption}" tabindex="0"><table>\n<caption class="visually-hidden">${caption}</caption>\n`
}
renderer.renderer.rules["code_inline"] = (tokens, index) => {
  const { content = "" } = tokens[index] ?? {}
  return FLAG.test(content) && content.length <= LONGEST_FLAG
    ? `<code class="nowrap">${content}</code>`
    : `<code>${unbrokenParts(content)
        .map((part) => renderer.utils.escapeHtml(part))
        .join("<wbr>")}</code>`
}
renderer.renderer.rules["table_close"] = () => "</table></div>\n"
renderer.renderer.rules["th_open"] = () => '<th scope="col">'
renderer.renderer.rules["fence"] = (tokens, index) => {
  const { content = "", info = "" } = tokens[index] ?? {}
  const language = renderer.utils.escapeHtml(info.trim())
  return `<div class="code-block" data-code=""><pre tabindex="0"><code class="language-${language}">${colouredCode(content, info.trim())}</code></pre></div>\n`
}

/** The id of a heading: `What to do` gives `what-to-do`, `2. Poll` gives `poll`, a date `at-2026-11-21`. */
export const slugOf = (heading: string): string => {
  const slug = heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/^\d+-(?=[a-z])/, "")
  return /^[a-z]/.test(slug) ? slug : `at-${slug}`
}

/**
 * Renders a page's Markdown. Its title is omitted; every other heading has an id and links to itself. `href` maps the target of
 * a link, `title` names the part before the first heading.
 */
export const docHtml = (markdown: string, title: string, href: (written: string) => string): DocHtml => {
  const tokens = renderer.parse(markdown, {})
  const body = tokens.slice(tokens.findIndex(({ type }) => type === "heading_close") + 1)
  const headings: Array<DocHeading> = []
  const ids = new Map<string, number>()
  let under = title
  labelCells(body)
  body.forEach((token, index) => {
    for (const part of token.children ?? [])
      if (part.type === "link_open") part.attrSet("href", href(String(part.attrGet("href"))))
    if (token.type === "table_open") token.attrSet("title", under)
    if (token.type !== "heading_open") return
    const inline = body[index + 1]
    const text = (inline?.children ?? []).map(({ content }) => content).join("")
    const id = unique(slugOf(text), ids)
    token.attrSet("id", id)
    under = text
    headings.push({ id, level: Number(token.tag.slice(1)), text })
  })
  const html = renderer.renderer.render(body, renderer.options, {})
  return { html: html.replace(HEADING, '<h$1 id="$2"><a class="docs-anchor" href="#$2">$3</a></h$1>'), headings }
}

/** Each cell names its column, because a narrow screen shows each row as a card. */
const labelCells = (tokens: ReadonlyArray<Token>): void => {
  let labels: Array<string> = []
  let column = 0
  tokens.forEach((token, index) => {
    if (token.type === "thead_open") labels = []
    if (token.type === "tr_open") column = 0
    if (token.type === "th_open") labels.push(tokens[index + 1]?.content ?? "")
    if (token.type === "td_open") token.attrSet("data-label", labels[column++] ?? "")
  })
}

/** A flag of the command line, which reads as another if its line breaks at a hyphen. */
const FLAG = /^--?[a-z][\w-]*$/

/** A longer one may not fit a narrow screen. */
const LONGEST_FLAG = 28

const HEADING = /<h([2-6]) id="([^"]+)">([\s\S]*?)<\/h\1>/g

const unique = (slug: string, known: Map<string, number>): string => {
  const times = known.get(slug) ?? 0
  known.set(slug, times + 1)
  return times === 0 ? slug : `${slug}-${times + 1}`
}
