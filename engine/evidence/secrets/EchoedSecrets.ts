import { percentDecoded } from "../../text/PercentDecoding.ts"
import type { Headers } from "../Headers.ts"
import {
  type Character,
  charactersOf,
  endOfForm,
  NO_MATCH,
  REACHES_END,
  type TextEncoding,
  unitAt
} from "./SecretForms.ts"

/** What is written in place of a secret; it may stand in a URL, a header or a page. */
const REMOVED = "REDACTED"

/** Removes secrets from what a server answers. */
export interface SecretRemoval {
  readonly fromHeaders: (headers: Headers) => Headers
  /** `cut`: the body is only the beginning of what was sent, so that a secret may begin at its end. */
  readonly fromBody: (body: Uint8Array, cut: boolean) => Uint8Array
}

/**
 * Some previews echo the headers of a request. Their logins must not get into a report or an archive, in any form in which a page
 * may quote them: each character by itself may be escaped for a URL, HTML or JSON, and the whole may be in Base64 or UTF-16.
 */
export const secretRemoval = (secrets: ReadonlyArray<string>): SecretRemoval => {
  const texts = [...new Set(secrets.filter(isRemovable).flatMap((secret) => [secret, ...base64Of(secret)]))]
  if (texts.length === 0) return { fromHeaders: (headers) => headers, fromBody: (body) => body }
  const bytes = searchFor(texts, "bytes")
  const wide = [searchFor(texts, "utf16le"), searchFor(texts, "utf16be")]
  return {
    fromHeaders: (headers) => headers.map(([name, value]) => [name, withoutSecretsIn(value, bytes)] as const),
    fromBody: (body, cut) => {
      // Every character of ASCII has a zero in UTF-16.
      const searches = body.includes(0) ? [bytes, ...wide] : [bytes]
      return searches.reduce((clean, search) => without(clean, search, cut), body)
    }
  }
}

/**
 * Words and short values, such as a password `preview`, are found in ordinary text, and URLs, host names and paths in links: removing
 * them would change what is audited.
 */
export const isRemovable = (secret: string): boolean =>
  (secret.length >= 16 || (secret.length >= 8 && !/^[a-z]*$/i.test(secret))) &&
  !isPlace(secret) &&
  !isPlace(percentDecoded(secret) ?? secret)

/** An authorization and what a server may quote of it: the credentials after the scheme, `user:password`, the password. */
export const secretsOfAuthorization = (value: string): ReadonlyArray<string> => {
  const credentials = /^\S+ (\S.*)$/.exec(value)?.[1]
  if (credentials === undefined) return [value]
  if (!/^basic /i.test(value)) return [value, credentials]
  const login = Buffer.from(credentials, "base64").toString("utf8")
  return [value, credentials, login, login.slice(login.indexOf(":") + 1)]
}

/** A URL, a host name (or the name of a file) or a path. Tokens of Base64 have capital letters inside their words. */
const isPlace = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ||
  /^(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?(?:\/[\w.~/-]*)?$/.test(text) ||
  /^localhost(?::\d{1,5})?$/.test(text) ||
  /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/.test(text) ||
  (/^\.{0,2}\/[\w.~/-]*$/.test(text) && !/[A-Za-z0-9][A-Z]/.test(text))

const base64Of = (secret: string): ReadonlyArray<string> => {
  const base64 = Buffer.from(secret, "utf8").toString("base64")
  return [base64, base64.replaceAll("=", ""), Buffer.from(secret, "utf8").toString("base64url")]
}

/** The secrets as characters, by the units that a form of them begins with. */
interface SecretSearch {
  readonly encoding: TextEncoding
  readonly startingWith: ReadonlyMap<number, ReadonlySet<ReadonlyArray<Character>>>
  /** 1 for each unit of that map: a faster lookup. */
  readonly startUnits: Uint8Array
  readonly replacement: Uint8Array
}

const searchFor = (texts: ReadonlyArray<string>, encoding: TextEncoding): SecretSearch => {
  const startingWith = new Map<number, Set<ReadonlyArray<Character>>>()
  for (const secret of texts.map((text) => charactersOf(text, encoding))) {
    for (const { lower, upper } of secret[0] ?? [])
      for (const [unit = 0] of [lower, upper]) startingWith.set(unit, (startingWith.get(unit) ?? new Set()).add(secret))
  }
  const startUnits = new Uint8Array(0x1_00_00)
  for (const unit of startingWith.keys()) startUnits[unit] = 1
  const replacement = Buffer.from(REMOVED, encoding === "bytes" ? "latin1" : "utf16le")
  return {
    encoding,
    startingWith,
    startUnits,
    replacement: encoding === "utf16be" ? replacement.swap16() : replacement
  }
}

const withoutSecretsIn = (value: string, search: SecretSearch): string => {
  const bytes = Buffer.from(value, "utf8")
  const clean = without(bytes, search, false)
  return clean === bytes ? value : Buffer.from(clean).toString("utf8")
}

/** The same body where no secret is found. Takes linear time: at each place, no more is read than the forms of a secret are long. */
const without = (body: Uint8Array, search: SecretSearch, cut: boolean): Uint8Array => {
  const pieces: Array<Uint8Array> = []
  let from = 0
  for (let at = 0; at < body.length; at++) {
    const end = endOfSecret(body, at, search, cut)
    if (end === NO_MATCH) continue
    pieces.push(body.subarray(from, at), search.replacement)
    from = end
    at = end - 1
  }
  return from === 0 ? body : Buffer.concat([...pieces, body.subarray(from)])
}

/** Where the longest secret that begins here ends. */
const endOfSecret = (
  body: Uint8Array,
  at: number,
  { encoding, startingWith, startUnits }: SecretSearch,
  cut: boolean
): number => {
  const unit = unitAt(body, at, encoding)
  if (startUnits[unit] !== 1) return NO_MATCH
  let longest = NO_MATCH
  for (const secret of startingWith.get(unit) ?? []) {
    const end = endOfForm(body, at, secret, encoding)
    if (end === REACHES_END && cut) return body.length
    longest = Math.max(longest, end)
  }
  return longest
}
