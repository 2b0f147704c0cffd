const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09
const NOTHING: Buffer = Buffer.alloc(0)

/**
 * Unfolds header lines of one connection's responses (RFC 9112 §5.2: a line break before a blank is a space), which
 * undici's parser refuses. Bodies pass untouched.
 */
export class HeadUnfolder {
  #inHead = true
  /** The line that is read has a character. */
  #lineHasText = false
  /** A line break that ended the last chunk: the next one tells whether it is one. */
  #held = NOTHING

  /** The next chunk begins a response. */
  expectHead(): void {
    this.#inHead = true
    this.#lineHasText = false
  }

  /** What the parser may read of these bytes now; the bytes themselves are changed. */
  unfold(chunk: Buffer): Buffer {
    if (!this.#inHead) return chunk
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = NOTHING
    for (let at = 0; at < bytes.length && this.#inHead; at++) {
      const byte = bytes[at]
      if (byte === LF) this.#inHead = this.#endLine(bytes, at)
      else if (byte !== CR) this.#lineHasText = true
      else if (at === bytes.length - 1) this.#held = bytes.subarray(at)
    }
    return bytes.subarray(0, bytes.length - this.#held.length)
  }

  /** Whether the head goes on behind the line break at `at`. */
  #endLine(bytes: Buffer, at: number): boolean {
    if (!this.#lineHasText) return false
    const start = bytes[at - 1] === CR ? at - 1 : at
    const next = bytes[at + 1]
    if (next === undefined) this.#held = bytes.subarray(start)
    else if (next === SPACE || next === TAB) bytes.fill(SPACE, start, at + 1)
    else this.#lineHasText = false
    return true
  }
}
