/* Without Effect, because the thread that reads pages loads none of it. */

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value of a JSON text; `undefined`, which no JSON value is, if the text is not JSON. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Levels of nesting in JSON that a client sends: a message of MCP, a body of OAuth. None of them needs as many. */
export const MOST_CLIENT_DEPTH = 64

/**
 * Whether lists and objects in a JSON text nest at most `most` levels deep. One pass without recursion, to be called before
 * anything recursive reads the text.
 */
export const isWithinDepth = (text: string, most: number): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) {
      inString = true
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1
      if (depth > most) return false
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1
    }
  }
  return true
}

/**
 * Whether an object in a JSON text has two members of one name: which of them counts is up to the parser (RFC 8259, section 4). One pass
 * without recursion over a text that is JSON.
 */
export const hasDuplicateNames = (text: string): boolean => {
  /** The names so far of each object around; `null` for a list. */
  const around: Array<Set<unknown> | null> = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN_BRACE) around.push(new Set())
    else if (code === OPEN_BRACKET) around.push(null)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) around.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (isBeforeColon(text, end)) {
        const names = around.at(-1)
        const name = parsedJson(text.slice(at, end))
        if (names?.has(name) === true) return true
        names?.add(name)
      }
      at = end - 1
    }
  }
  return false
}

/** The position after the string that begins at `start`. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at + 1
}

const isBeforeColon = (text: string, end: number): boolean => {
  let at = end
  while (WHITE_SPACE.has(text.charCodeAt(at))) at += 1
  return text.charCodeAt(at) === COLON
}

const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
