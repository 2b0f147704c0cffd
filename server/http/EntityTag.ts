import { createHash } from "node:crypto"
import type { Coding } from "./ContentCoding.ts"

/** What a content is known by, whatever its coding: a hash of it. */
export const digestOf = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22)

/** The strong tag of a content in a coding: its bytes differ, so its tags do. */
export const entityTagOf = (digest: string, coding: Coding): string => coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`

/** A strong or weak tag, or what lies between tags. */
const TAG = /(?:W\/)?"([^"]*)"/g

/** Whether `If-None-Match` (a list, weak or strong, or `*`) names the content, in whatever coding the client has it. */
export const isKnown = (ifNoneMatch: string | undefined, digest: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === "*") return true
  return [...ifNoneMatch.matchAll(TAG)].some(([, tag]) => tag?.replace(/-(?:br|gzip)$/, "") === digest)
}
