import { createHmac } from "node:crypto"
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

/** Whether a text file has the token on a line of its own. */
export const isInFile = (text: string, token: string): boolean => text.split("\n").some((line) => line.trim() === token)
