/** The value of a JSON text; `undefined`, which no JSON value is, if the text is not JSON. Apart, because the thread that reads pages loads no Effect. */
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

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
