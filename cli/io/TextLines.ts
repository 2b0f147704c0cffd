import { createReadStream } from "node:fs"

/**
 * Streams the lines of a file one at a time; `node:readline` would buffer a thousand of them. The last line need not end in a
 * line break.
 */
export async function* textLines(file: string): AsyncGenerator<string> {
  let rest: ReadonlyArray<Uint8Array> = []
  for await (const piece of createReadStream(file)) {
    if (!(piece instanceof Uint8Array)) continue
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      yield textOf([...rest, piece.subarray(from, end)])
      rest = []
      from = end + 1
    }
    if (from < piece.length) rest = [...rest, piece.subarray(from)]
  }
  if (rest.length > 0) yield textOf(rest)
}

const LINE_FEED = 0x0a

const decoder = new TextDecoder()

const textOf = (pieces: ReadonlyArray<Uint8Array>): string =>
  decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
