import type { Token } from "markdown-it"
import { collapse } from "../../text/WhiteSpace.ts"

/** The text of a paragraph, heading or cell, and the links in it. */
export interface Inline {
  /** White space collapsed, trimmed; images by their alternative text, HTML tags left out. */
  readonly text: string
  readonly links: ReadonlyArray<InlineLink>
}

export interface InlineLink {
  /** As written. */
  readonly href: string
  readonly text: string
  /** What precedes and follows it in the same run. */
  readonly before: string
  readonly after: string
  /** Written as an HTML anchor. */
  readonly html: boolean
}

/** Anchors in a piece of HTML. Every part is bounded, so that no text makes it slow. */
const ANCHOR = /<a\s[^>]{0,300}?href\s{0,9}=\s{0,9}(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})')/gi

/** URLs of anchors in a piece of HTML, as written, in order. */
export const anchorsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(ANCHOR)].map((match) => match[1] ?? match[2] ?? "")

interface Span {
  readonly href: string
  readonly html: boolean
  readonly from: number
  readonly to: number
}

/** Reads the children of an `inline` token. A link that is never closed ends with its run. */
export const readInline = (token: Pick<Token, "children">): Inline => {
  const spans: Array<Span> = []
  let text = ""
  let open: Omit<Span, "to"> | null = null
  for (const child of token.children ?? []) {
    const opened = openingOf(child)
    if (open !== null && (opened !== null || closes(child))) {
      spans.push({ ...open, to: text.length })
      open = null
    }
    if (opened !== null) open = { ...opened, from: text.length }
    text += textOfToken(child)
  }
  if (open !== null) spans.push({ ...open, to: text.length })
  return { text: collapse(text), links: spans.map((span) => linkOf(text, span)) }
}

const openingOf = (token: Token): Pick<Span, "href" | "html"> | null => {
  if (token.type === "link_open") return { href: String(token.attrGet("href") ?? ""), html: false }
  const href = token.type === "html_inline" ? anchorsIn(token.content)[0] : undefined
  return href === undefined ? null : { href, html: true }
}

const closes = (token: Token): boolean =>
  token.type === "link_close" || (token.type === "html_inline" && /^<\/a\s*>/i.test(token.content))

/** Enough of what surrounds a link to see whether it leads its item, and what is said of it. */
const CONTEXT_CHARACTERS = 2_000

const linkOf = (text: string, { href, html, from, to }: Span): InlineLink => ({
  href,
  html,
  text: collapse(text.slice(from, to)),
  before: collapse(text.slice(Math.max(0, from - CONTEXT_CHARACTERS), from)),
  after: collapse(text.slice(to, to + CONTEXT_CHARACTERS))
})

const textOfToken = (token: Token): string => {
  switch (token.type) {
    case "text":
    case "text_special":
    case "code_inline":
      return token.content
    case "image":
      return (token.children ?? []).map(textOfToken).join("")
    case "softbreak":
    case "hardbreak":
      return " "
    case "html_inline":
      return /^<br\b/i.test(token.content) ? " " : ""
    default:
      return ""
  }
}
