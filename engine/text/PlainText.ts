/**
 * Control characters; invisible format characters: direction overrides and isolates, the byte order mark, the
 * tags in which text is hidden from people and not from models; halves of characters; line and paragraph separators.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * A text that may quote a site, made fit for any place that shows it: one line, nothing invisible that moves a cursor,
 * colours a terminal or turns the direction of writing, at most `longest` characters.
 */
export const plainText = (text: string, longest = 400): string => {
  const line = text
    .slice(0, longest * 4)
    .replace(UNSAFE, " ")
    .replace(/\s+/g, " ")
    .trim()
  const characters = Array.from(line)
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`
}

/** As `UNSAFE`, but for line feeds and tabs. */
const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * A text of several lines that may come from a site, made fit to be shown: its lines and spaces stay, and what is invisible is
 * shown by its code point, as `\\u{200b}`.
 */
export const plainLines = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(UNSAFE_IN_LINES, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** A URL as one word of a POSIX shell, and as the same URL: quoted where a character means something there. */
export const shellUrl = (url: string): string =>
  /^[\w\-.~/%:=@,+]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`
