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
