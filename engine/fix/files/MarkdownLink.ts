import { plainText } from "../../text/PlainText.ts"

/** Whatever could begin or end Markdown inside a line: also `!` before a link and `&` of a character reference. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>|#~!&]/g, "\\$&").replaceAll("://", ":\\//")

/** One line of text that Markdown shows as it is. */
export const markdownLine = (text: string, most: number): string => escaped(plainText(text, most))

/** `[text](url)`, whatever is in either. In a URL, too, Markdown reads `&lt;` as a character. */
export const markdownLink = (text: string, url: string): string => {
  const target = url.replaceAll(/[\s<>]/g, encodeURIComponent).replaceAll(/&(?=#?\w+;)/g, "&amp;")
  return `[${escaped(plainText(text, 150)) || escaped(target)}](${/[()\\]/.test(target) ? `<${target.replaceAll("\\", "%5C")}>` : target})`
}
