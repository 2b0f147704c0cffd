import { createHmac, randomBytes } from "node:crypto"
import { plainForm } from "../../engine/evidence/Address.ts"

/** Where the token is published, on the host of the documentation. */
export const VERIFICATION_PATH = "/.well-known/docgauge-verification.txt"

/** The name of the `<meta>` element that publishes it instead. */
export const VERIFICATION_NAME = "docgauge-verification"

/** The token of a host: publishing it there proves the right to decide how often the host is audited. It tells nothing of the key. */
export const tokenOf = (key: Uint8Array, url: string): string =>
  createHmac("sha256", key)
    .update(new URL(plainForm(url)).host)
    .digest("base64url")

/**
 * The token of a host and an owner key: publishing it there proves that who knows the key decides for the host. It tells nothing of either
 * key, so what everybody can read on the host is of use to the holder of the owner key alone.
 */
export const ownerTokenOf = (key: Uint8Array, url: string, ownerKey: string): string =>
  createHmac("sha256", key)
    .update(`owner\n${new URL(plainForm(url)).host}\n${ownerKey}`)
    .digest("base64url")

/** A new owner key: 32 random bytes. */
export const newOwnerKey = (): string => randomBytes(32).toString("base64url")

/** Whether this can be an owner key, and is too long to be guessed. */
export const isOwnerKey = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** The lines of a text file, each of which may be a token. */
export const linesOf = (text: string): ReadonlySet<string> => new Set(text.split("\n").map((line) => line.trim()))
