import { trimEnd } from "./WhiteSpace.ts"

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const entityOf = (character: string): string => ENTITIES[character] ?? ""

/** Text that HTML and XML show as it is written, in elements and in quoted attributes. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, entityOf)

/** The same for elements alone, where quotes need no escape. */
export const escapeElementText = (text: string): string => text.replaceAll(/[&<>]/g, entityOf)

/** Text that Markdown shows as it is written. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]<>|#~]/g, "\\$&")

/** Text in a code span, whatever is in it. */
export const inlineCode = (text: string): string => `\`${text.replaceAll("`", "%60")}\``

/** A URL as a link that shows itself, in a table too; what would end the link or the cell is percent-encoded. */
export const autolink = (url: string): string => `<${url.replaceAll(/[\s<>|`\\]/g, encodeURIComponent)}>`

/** The text, cut short with an ellipsis where it has more than `most` characters. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`

/** Without the word that it ends in the middle of; all of it where it is one word. */
const wholeWords = (text: string): string => {
  for (let end = text.length; end > 0; end--) if (/\s/.test(text.charAt(end - 1))) return text.slice(0, end).trimEnd()
  return text
}

/** What a text that goes on must not end in. */
const STOPS = " ,;:."

/** The same for prose, cut after a word; a single word that is too long is cut inside. */
export const clippedProse = (text: string, most: number): string => {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  const words = /\s/.test(text.charAt(most - 1)) ? cut : wholeWords(cut)
  return `${trimEnd(words.slice(0, most - 1), STOPS)}…`
}

/** Lines of a Markdown table; cells are given escaped. */
export const markdownTable = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
