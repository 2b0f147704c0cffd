import MarkdownIt, { type Token } from "markdown-it"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { unbrokenParts } from "../../../engine/report/html/Parts.ts"

/** A heading of a page, for its list of contents. */
interface DocHeading {
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
const slugOf = (heading: string): string => {
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

/*
 * Colours of code in the documentation, as spans: a few kinds of token for a few languages, found by one pattern each. A full
 * highlighter would be larger than all pages together.
 */

/** Kinds of token by the class that colours them; earlier ones win. */
type Grammar = Readonly<Record<string, string>>

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
const NUMBER = String.raw`\b\d+(?:\.\d+)?\b`
const words = (list: string): string => String.raw`\b(?:${list.replaceAll(" ", "|")})\b`

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  json: {
    key: String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`,
    string: STRING,
    number: NUMBER,
    word: words("true false null")
  },
  yaml: {
    comment: "#[^\\n]*",
    string: STRING,
    key: String.raw`^[ \t]*(?:- )?[\w.-]+(?=:)`,
    number: NUMBER,
    word: words("true false null on")
  },
  sh: {
    comment: String.raw`(?<=^|\s)#[^\n]*`,
    string: STRING,
    option: String.raw`(?<=\s)--?[a-zA-Z][\w-]*`,
    word: String.raw`^(?:curl|npx|npm|docker|docgauge|claude|codex|gemini|code|node|git)\b`
  },
  http: {
    word: String.raw`^(?:GET|POST|PUT|DELETE|HTTP/1\.1 \d+[^\n]*)`,
    key: String.raw`^[A-Za-z-]+(?=:)`,
    string: STRING
  },
  python: {
    comment: "#[^\\n]*",
    string: STRING,
    number: NUMBER,
    word: words("import from def return for in if else while with as print True False None")
  },
  js: {
    comment: String.raw`\/\/[^\n]*`,
    string: `${STRING}|${String.raw`\`(?:[^\`\\]|\\.)*\``}`,
    number: NUMBER,
    word: words("const let import from await async function return if else for of throw new true false null")
  }
}

const patternOf = (grammar: Grammar): RegExp =>
  new RegExp(
    Object.entries(grammar)
      .map(([kind, source]) => `(?<${kind}>${source})`)
      .join("|"),
    "gm"
  )

const PATTERNS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(GRAMMARS).map(([language, grammar]) => [language, patternOf(grammar)])
)

/** Code as HTML, coloured if we know the language. */
const colouredCode = (code: string, language: string): string => {
  const pattern = PATTERNS.get(language)
  if (pattern === undefined) return escapeMarkup(code)
  let html = ""
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ["word"]
    html += `${escapeMarkup(code.slice(end, match.index))}<span class="code-${kind}">${escapeMarkup(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeMarkup(code.slice(end))
}
