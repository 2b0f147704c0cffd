import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"

/** Bytes put together from pieces. */
interface ByteBuffer {
  readonly length: () => number
  readonly add: (piece: Uint8Array) => void
  /** Everything so far; nothing may be added afterwards. */
  readonly whole: () => Uint8Array
}

/** From this size on, chunks are joined as they arrive. */
const LARGE = 1024 * 1024

/**
 * Puts up to `most` bytes together. A large body grows in place, in pages of its own: it is never there twice, and what
 * it took goes back to the system, which the usual allocator does not see to.
 */
export const makeByteBuffer = (most: number): ByteBuffer => {
  const pieces: Array<Uint8Array> = []
  let grown: Uint8Array | null = null
  let length = 0

  const room = (needed: number): Uint8Array => {
    if (grown !== null && grown.length >= needed) return grown
    const buffer = grown?.buffer ?? new ArrayBuffer(0, { maxByteLength: most })
    if (buffer instanceof ArrayBuffer) buffer.resize(Math.min(most, Math.ceil(needed / LARGE) * LARGE))
    return new Uint8Array(buffer)
  }

  const add = (piece: Uint8Array): void => {
    if (length + piece.length <= LARGE) pieces.push(piece)
    else {
      const before = pieces.splice(0)
      grown = room(length + piece.length)
      fill(grown, before, 0)
      grown.set(piece, length)
    }
    length += piece.length
  }

  return {
    length: () => length,
    add,
    whole: () => (grown === null ? fill(new Uint8Array(length), pieces, 0) : grown.subarray(0, length))
  }
}

/** Gives the memory of a large body back at once, which the garbage collector is in no hurry to do. It must not be read again. */
export const letGoOf = ({ buffer }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0)
}

const fill = (whole: Uint8Array, pieces: ReadonlyArray<Uint8Array>, start: number): Uint8Array => {
  let offset = start
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}

/** Hashed in one go, in bytes: a millisecond or so. */
const STEP = 1024 * 1024

/** SHA-256 of the parts one after the other, in hexadecimal. Large ones are hashed step by step, so that they do not block the thread. */
export const sha256 = async (...parts: ReadonlyArray<Uint8Array>): Promise<string> => {
  const hash = createHash("sha256")
  for (const part of parts) {
    for (let offset = 0; offset < part.length; offset += STEP) {
      if (offset > 0) await setImmediate()
      hash.update(part.subarray(offset, offset + STEP))
    }
  }
  return hash.digest("hex")
}
