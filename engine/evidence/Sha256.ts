import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"

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
