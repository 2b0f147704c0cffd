/** White space collapsed to single spaces, trimmed. Single spaces do not match: most of a text would, at ten times the cost. */
export const collapse = (text: string): string => text.replace(/ \s+|[^\S ]\s*/g, " ").trim()

/** Each line collapsed, empty lines left out. */
export const collapseLines = (text: string): string =>
  text
    .split("\n")
    .map(collapse)
    .filter((line) => line !== "")
    .join("\n")

/** The number of lines that are not blank. */
export const nonBlankLines = (text: string): number =>
  text.split("\n").reduce((sum, line) => sum + (line.trim() === "" ? 0 : 1), 0)

/*
 * Trimming by loops. A regular expression such as /\/+$/ tries each run of slashes from every one of its slashes, which
 * takes the square of the run's length: a site that sends 400,000 slashes would stop the process for hours.
 */

/** The text without those of `characters` that it ends in. */
export const trimEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without those of `characters` that it begins with. */
export const trimStart = (text: string, characters: string): string => {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start++
  return text.slice(start)
}

/** The text without those of `characters` that surround it. */
export const trimBoth = (text: string, characters: string): string => trimStart(trimEnd(text, characters), characters)

/** A path or URL without the slashes that it ends in. */
export const trimTrailingSlashes = (path: string): string => trimEnd(path, "/")

/** The text up to the first of `characters`; all of it where it has none of them. */
export const upTo = (text: string, characters: string): string => {
  let end = 0
  while (end < text.length && !characters.includes(text.charAt(end))) end++
  return text.slice(0, end)
}
