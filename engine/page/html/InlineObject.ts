import { parsedJson } from "../../text/ParsedJson.ts"

/** Longest document that is looked at, in characters. */
const MAX_CHARACTERS = 20 * 1024 * 1024

/**
 * The JSON object that follows the first match of a pattern in a script; `null` where none does. An object in JavaScript's
 * own notation (bare keys, single quotes) is not read.
 *
 * @param from where in the script to begin.
 */
export const objectAfter = (code: string, pattern: RegExp, from: number): string | null => {
  pattern.lastIndex = from
  const match = pattern.exec(code)
  if (match === null) return null
  const start = match.index + match[0].length
  const end = code[start] === "{" ? objectEnd(code, start) : -1
  if (end < 0) return null
  const text = code.slice(start, end)
  return parsedJson(text) === undefined ? null : text
}

/** Where the object that begins at `start` ends; -1 where it does not. */
const objectEnd = (code: string, start: number): number => {
  let depth = 0
  let inString = false
  for (let at = start; at < code.length && at - start < MAX_CHARACTERS; at++) {
    const character = code[at]
    if (inString) {
      if (character === "\\") at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === "{" || character === "[") depth++
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1
  }
  return -1
}
