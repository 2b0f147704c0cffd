/** White space collapsed to single spaces, trimmed. */
export const collapse = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Each line collapsed, empty lines left out. */
export const collapseLines = (text: string): string => text.split("\n").map(collapse).filter((line) => line !== "").join("\n")

/** The number of lines that are not blank. */
export const nonBlankLines = (text: string): number => text.split("\n").reduce((sum, line) => sum + (line.trim() === "" ? 0 : 1), 0)
