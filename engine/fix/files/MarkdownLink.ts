import { plainText } from "../../text/PlainText.ts"

/** What would begin or end Markdown inside a line, and at its start: nothing else is escaped, as many read it raw. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*[\]<~]|&(?=#?\w{1,40};)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/^(?:#{1,6}(?!\S)|[-+=>|]|\d{1,9}(?=[.)](?:\s|$)))/, (start) =>
      /^\d/.test(start) ? `${start}\\` : `\\${start}`
    )
    .replace(/\s(?=#{1,150}$)/, " \\")

/** One line of text that Markdown shows as it is. */
export const markdownLine = (text: string, most: number): string => escaped(plainText(text, most))

/** `[text](url)`, whatever is in either. */
export const markdownLink = (text: string, url: string): string =>
  `[${escaped(plainText(text, 150)) || escaped(encodedUrl(url))}](${markdownTarget(url)})`

/** A URL, escaped for the parentheses of a Markdown link. */
export const markdownTarget = (url: string): string => {
  const target = encodedUrl(url)
  return /[()\\]/.test(target) ? `<${target.replaceAll("\\", "%5C")}>` : target
}

/** In a URL, too, Markdown reads `&lt;` as a character. */
const encodedUrl = (url: string): string =>
  url.replaceAll(/[\s<>]/g, encodeURIComponent).replaceAll(/&(?=#?\w+;)/g, "&amp;")
