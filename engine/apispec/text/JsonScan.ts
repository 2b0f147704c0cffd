import type { Path } from "./Json.ts"

/** A key that an object has twice, which parsers settle silently by taking the last. */
export interface DuplicateKey {
  /** Of the object. */
  readonly path: Path
  readonly key: string
}

/** What a JSON text would cost to read, found in one pass before it is. */
interface JsonScan {
  /** Deepest nesting of objects and lists. */
  readonly depth: number
  readonly longestKey: number
  /** At most `DUPLICATES_KEPT`, in the order of the text. */
  readonly duplicates: ReadonlyArray<DuplicateKey>
}

const DUPLICATES_KEPT = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

interface Level {
  /** Of an object; `null` for a list. */
  readonly keys: Set<string> | null
  /** The key or the index that the scan is at. */
  at: string | number
  expectsKey: boolean
}

/**
 * One pass for all of it, not `isWithinDepth` and another for the keys: an API description has up to 20 MB. Scans without building anything and without recursion. Whether the text *is* JSON is for the parser to say: this
 * ends for any text, and stops early where nesting exceeds `depthLimit` (`depth` is one more then).
 */
export const scanJson = (text: string, depthLimit: number): JsonScan => {
  const levels: Array<Level> = []
  const duplicates: Array<DuplicateKey> = []
  let depth = 0
  let longestKey = 0

  const takeKey = (level: Level, keys: Set<string>, key: string): void => {
    if (keys.has(key) && duplicates.length < DUPLICATES_KEPT) {
      duplicates.push({ path: levels.slice(0, -1).map(({ at }) => String(at)), key })
    }
    keys.add(key)
    level.at = key
    level.expectsKey = false
    longestKey = Math.max(longestKey, key.length)
  }

  for (let index = 0; index < text.length && depth <= depthLimit; index++) {
    const code = text.charCodeAt(index)
    const level = levels.at(-1)
    if (code === QUOTE) {
      const end = stringEnd(text, index + 1)
      if (level?.expectsKey === true && level.keys !== null) takeKey(level, level.keys, text.slice(index + 1, end))
      index = end
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const isObject = code === OPEN_OBJECT
      levels.push({ keys: isObject ? new Set() : null, at: isObject ? "" : 0, expectsKey: isObject })
      depth = Math.max(depth, levels.length)
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop()
    } else if (code === COMMA && level !== undefined) {
      level.expectsKey = level.keys !== null
      if (typeof level.at === "number") level.at++
    }
  }
  return { depth, longestKey, duplicates }
}

/** The index of the closing quote, or of the text's end. */
const stringEnd = (text: string, from: number): number => {
  let end = from
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === QUOTE) return end
    end += code === BACKSLASH ? 2 : 1
  }
  return text.length
}
