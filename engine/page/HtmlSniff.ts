import { type Answer, mediaType } from "../evidence/Exchange.ts"

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
