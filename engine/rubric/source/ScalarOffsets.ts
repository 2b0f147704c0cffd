import type { Span } from "./SourceText.ts"

/**
 * The position in the file of a part of a text value. A value is not its source, letter by letter: quotes, escapes, folded
 * lines and indentation come between. Both are walked side by side, white space and backslashes of the source skipped.
 */
export const spanWithin = (source: string, scalar: Span, value: string, part: Span): Span => {
  const start = sourceOffset(source, scalar, value, part.start)
  const last = sourceOffset(source, scalar, value, Math.max(part.start, part.end - 1))
  return { start, end: Math.max(start, last) + 1 }
}

const sourceOffset = (source: string, scalar: Span, value: string, offset: number): number => {
  let at = contentStart(source, scalar)
  let matched = at
  for (let index = 0; index <= Math.min(offset, value.length - 1); index += 1) {
    const character = value.charAt(index)
    if (isSpace(character)) continue
    const found = seek(source, at, scalar.end, character)
    if (found === -1) return matched
    matched = found
    at = found + 1
  }
  return matched
}

/** Behind an opening quote, or behind the line of a block scalar's indicator. */
const contentStart = (source: string, { start }: Span): number => {
  const first = source.charAt(start)
  if (first === '"' || first === "'") return start + 1
  if (first !== "|" && first !== ">") return start
  const lineEnd = source.indexOf("\n", start)
  return lineEnd === -1 ? start : lineEnd + 1
}

/** The next place of a character with nothing but white space, escapes and doubled quotes before it. */
const seek = (source: string, from: number, end: number, character: string): number => {
  for (let at = from; at < end; at += 1) {
    const here = source.charAt(at)
    if (here === character) return at
    if (!isSpace(here) && here !== "\\" && here !== "'") return -1
  }
  return -1
}

const isSpace = (character: string): boolean =>
  character === " " || character === "\n" || character === "\r" || character === "\t"
