import { normalise } from "../evidence/Address.ts"
import type { DecodedText } from "../evidence/BodyText.ts"
import { type Answer, header, mediaType } from "../evidence/Exchange.ts"
import type { Announcement, Page, PageFormat } from "./Page.ts"

/** What is known of a page of any format before its body is read. */
export type ResponseFacts = Pick<Page, "answer" | "url" | "format" | "bytes" | "charset" | "robots" | "announcements">

export const responseFacts = (answer: Answer, decoded: DecodedText, format: PageFormat): ResponseFacts => ({
  answer,
  url: answer.url,
  format,
  bytes: answer.body.length,
  charset: { name: decoded.charset, declaredBy: decoded.declared },
  robots: robotsDirectives(header(answer, "x-robots-tag") ?? ""),
  announcements: announcedByHeaders(answer)
})

/** A crawler's name before directives that are for it alone. */
const ADDRESSEE = /^[\w-]{1,40}:\s*(?=no|all|index|follow)/

/** Robots directives in lower case, without the names of crawlers that they are for. */
export const robotsDirectives = (value: string): ReadonlyArray<string> =>
  value
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim().replace(ADDRESSEE, ""))
    .filter((directive) => directive !== "")

const DECORATION = new Set([
  "stylesheet",
  "icon",
  "shortcut",
  "apple-touch-icon",
  "apple-touch-icon-precomposed",
  "mask-icon",
  "preload",
  "prefetch",
  "modulepreload",
  "dns-prefetch",
  "preconnect",
  "prerender",
  "manifest"
])

/** Links that are read of an answer's headers, and `<link>` elements of its page. */
export const MAX_ANNOUNCEMENTS = 500

/** The links of `Link` headers (RFC 8288). Links that speak of another context (`anchor`) are left out. */
const announcedByHeaders = (answer: Pick<Answer, "headers" | "url">): ReadonlyArray<Announcement> =>
  answer.headers
    .filter(([name]) => name === "link")
    .flatMap(([, value]) => readLinkHeader(value))
    .slice(0, MAX_ANNOUNCEMENTS)
    .flatMap((link) =>
      link.parameters.has("anchor")
        ? []
        : announcement("header", link.target, answer.url, (name) => link.parameters.get(name) ?? null)
    )

/** A `<link>` element or a link of a header; none where it names no page, has no relation, or is for looks or loading only. */
export const announcement = (
  from: Announcement["from"],
  href: string,
  base: string,
  parameter: (name: string) => string | null
): ReadonlyArray<Announcement> => {
  const url = normalise(href, base)
  const rel = (parameter("rel") ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (url === null || href.trim() === "" || rel.length === 0 || rel.some((word) => DECORATION.has(word))) return []
  return [
    {
      from,
      rel,
      url,
      type: (parameter("type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
    }
  ]
}

interface HeaderLink {
  readonly target: string
  /** By name in lower case; the first of several counts. */
  readonly parameters: ReadonlyMap<string, string>
}

const TARGET = /\s*<([^<>]{0,4000})>/y
const PARAMETER = /\s*;\s*([\w!#$%&'*+.^`|~-]{1,100})(?:\s*=\s*(?:"((?:[^"\\]|\\.){0,4000})"|([^\s;,"]{0,4000})))?/y
const SEPARATOR = /\s*(?:;\s*)?(?:,\s*)+/y

/** The links of one `Link` header, up to the first part that is not a link. */
export const readLinkHeader = (value: string): ReadonlyArray<HeaderLink> => {
  const links: Array<HeaderLink> = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(value)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  for (;;) {
    const target = take(TARGET)?.[1]
    if (target === undefined) return links
    const parameters = new Map<string, string>()
    for (let match = take(PARAMETER); match !== null; match = take(PARAMETER)) {
      const name = match[1]?.toLowerCase() ?? ""
      if (!parameters.has(name)) parameters.set(name, match[2]?.replace(/\\(.)/g, "$1") ?? match[3] ?? "")
    }
    links.push({ target, parameters })
    if (take(SEPARATOR) === null) return links
  }
}

/** How far into a body its nature shows. */
const HEAD_CHARACTERS = 4_096

const DOCUMENT_START = /^<(?:!doctype\s+html|html|head|body|title|meta|script|link|style)\b/i

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"])

const BLOCK_MARKUP = /<(?:html|head|body|title|meta|script|div|main|section|p|h1)\b/i

/** The text begins as an HTML document does, comments, an XML declaration and white space before it aside. */
export const beginsAsHtml = (text: string): boolean => {
  let rest = text
    .slice(0, HEAD_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .trimStart()
  for (let end = prologueEnd(rest); end > 0; end = prologueEnd(rest)) rest = rest.slice(end).trimStart()
  return DOCUMENT_START.test(rest)
}

/** Where a leading comment or XML declaration ends; 0 where there is none. */
const prologueEnd = (text: string): number => {
  const closer = text.startsWith("<!--") ? "-->" : text.startsWith("<?xml") ? "?>" : null
  if (closer === null) return 0
  const at = text.indexOf(closer)
  return at < 0 ? 0 : at + closer.length
}

/**
 * The answer is a web page. Servers label Markdown and text as HTML, and HTML as text, so the body decides; the label
 * only tips the balance where markup appears a little later.
 */
export const isHtml = (answer: Answer, text: string): boolean =>
  beginsAsHtml(text) ||
  (HTML_TYPES.has(mediaType(answer)) &&
    text.trimStart().startsWith("<") &&
    BLOCK_MARKUP.test(text.slice(0, HEAD_CHARACTERS)))
