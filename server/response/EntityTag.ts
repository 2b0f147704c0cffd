import { createHash } from "node:crypto"
import { type Coding, CODINGS } from "./Compression.ts"

/** A hash of the content before any coding. */
export const digestOf = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22)

/** The strong tag of the content in a coding; codings differ in their bytes, so their tags differ. */
export const entityTagOf = (digest: string, coding: Coding): string =>
  coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`

/** Whether `If-None-Match` (a list, weak or strong, or `*`) names the content in any coding. */
export const isKnown = (ifNoneMatch: string, digest: string): boolean =>
  ifNoneMatch.trim() === "*" || tagsIn(ifNoneMatch).some(({ tag }) => names(tag, digest))

/** Whether `If-Match` (a list of strong tags, or `*`) names the content in any coding. */
export const isMatched = (ifMatch: string, digest: string): boolean =>
  ifMatch.trim() === "*" || tagsIn(ifMatch).some(({ tag, weak }) => !weak && names(tag, digest))

/** A digest may itself end like the name of a coding, so nothing is cut off. */
const names = (tag: string, digest: string): boolean => CODINGS.some((coding) => tag === entityTagOf(digest, coding))

const tagsIn = (list: string): ReadonlyArray<{ readonly tag: string; readonly weak: boolean }> =>
  [...list.matchAll(/(W\/)?("[^"]*")/g)].map(([, weak, tag = ""]) => ({ tag, weak: weak !== undefined }))
