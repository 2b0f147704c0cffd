/**
 * Control characters; characters of format, which nobody sees: direction overrides and isolates, the byte order mark, the
 * tags in which text is hidden from people and not from models; halves of characters; line and paragraph separators.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * A text that may quote a site, made fit for any place that shows it: one line, nothing invisible that moves a cursor,
 * colours a terminal or turns the direction of writing, at most `longest` characters.
 */
export const plainText = (text: string, longest = 400): string => {
  const line = text.slice(0, longest * 4).replace(UNSAFE, " ").replace(/\s+/g, " ").trim()
  const characters = Array.from(line)
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join("").trimEnd()}…`
}
