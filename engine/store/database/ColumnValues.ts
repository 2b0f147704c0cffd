import { createHash } from "node:crypto"

/** A 64-bit integer as the drivers return it; ours all fit a number. */
export type Int = number | bigint

/** SHA-256 of the parts, base64url: the value of indexed columns whose text, such as a URL, can be too long for an index. */
export const digestKey = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join("\n")).digest("base64url")
