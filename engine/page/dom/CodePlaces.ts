/** Where the text of a `pre` is in its document. */
export interface CodePlace {
  /** The line of its first character that is no white space, from 1. */
  readonly line: number
  /** That character as written: `&` where it is a reference. */
  readonly first: string
  /** Line breaks from there to its end. */
  readonly breaks: number
}

/** Tags, comments and white space before the text: more of them are no highlighter's. */
const MOST_BEFORE = 200

const BEFORE = /\s+|<(?!\/pre)[^<>]{1,2000}>/iy

/** A tag that closes a `pre` later than this belongs to another one, in characters. */
const LONGEST = 500_000

/**
 * The place of the text that begins after `start`, the end of a tag `<pre>`.
 *
 * @param line the line of `start`, from 1.
 */
export const codePlace = (html: string, start: number, line: number): CodePlace | null => {
  const from = textStart(html, start)
  if (from === null) return null
  const closing = html.indexOf("</pre", from)
  const end = closing < 0 || closing - from > LONGEST ? from : closing
  return { line: line + breaksIn(html, start, from), first: html.charAt(from), breaks: breaksIn(html, from, end) }
}

const textStart = (html: string, start: number): number | null => {
  let at = start
  for (let count = 0; count < MOST_BEFORE; count++) {
    BEFORE.lastIndex = at
    const before = BEFORE.exec(html)
    if (before === null) return at
    at += before[0].length
  }
  return null
}

const breaksIn = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++
  return count
}
