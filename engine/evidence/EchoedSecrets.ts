import { percentDecoded } from "../text/UrlPath.ts"
import type { Headers } from "./Exchange.ts"

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

/** How text is written in a body: single bytes (ASCII, UTF-8, Latin-1), or pairs of them. */
type TextEncoding = "bytes" | "utf16be" | "utf16le"

/** One form of a character, such as `+`, `%2B` or `&#x2b;`: two units for each place, which are the cases of a letter or equal. */
interface CharacterForm {
  readonly lower: ReadonlyArray<number>
  readonly upper: ReadonlyArray<number>
  /** The place before which any number of zeros may come, as in `&#0043;`; -1: none. */
  readonly zerosAt: number
}

/** All forms of a character. */
type Character = ReadonlyArray<CharacterForm>

const NO_MATCH = -1

/** The body ends within the secret, after a few of its characters. */
const REACHES_END = -2

/** As many characters of a secret at the end of a body are its beginning. */
const SHORTEST_BEGINNING = 4

/** The named character references of HTML for punctuation. */
const NAMED: Readonly<Record<string, ReadonlyArray<string>>> = {
  "\t": ["Tab"],
  "!": ["excl"],
  '"': ["quot", "QUOT"],
  "#": ["num"],
  $: ["dollar"],
  "%": ["percnt"],
  "&": ["amp", "AMP"],
  "'": ["apos"],
  "(": ["lpar"],
  ")": ["rpar"],
  "*": ["ast", "midast"],
  "+": ["plus"],
  ",": ["comma"],
  ".": ["period"],
  "/": ["sol"],
  ":": ["colon"],
  ";": ["semi"],
  "<": ["lt", "LT"],
  "=": ["equals"],
  ">": ["gt", "GT"],
  "?": ["quest"],
  "@": ["commat"],
  "[": ["lsqb", "lbrack"],
  "\\": ["bsol"],
  "]": ["rsqb", "rbrack"],
  "^": ["Hat"],
  _: ["lowbar", "UnderBar"],
  "`": ["grave", "DiacriticalGrave"],
  "{": ["lcub", "lbrace"],
  "|": ["verbar", "vert", "VerticalLine"],
  "}": ["rcub", "rbrace"]
}

/** The characters of a text, each with every form in which a page may quote it. */
const charactersOf = (text: string, encoding: TextEncoding): ReadonlyArray<Character> =>
  Array.from(text, (character) => formsOf(character, encoding))

const formsOf = (character: string, encoding: TextEncoding): Character => {
  const code = character.codePointAt(0) ?? 0
  const utf8 = Buffer.from(character, "utf8").toString("latin1")
  const latin1 = code < 0x100 ? [character] : []
  const escapedUnits = Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
  ).join("")
  return [
    // A header's bytes beyond ASCII are sent as Latin-1, and a page quotes them as UTF-8 or as they came.
    ...[...new Set(encoding === "bytes" ? [utf8, ...latin1] : [character])].map((raw) => exactly(raw)),
    ...[...new Set([utf8, ...latin1])].map((raw) =>
      inAnyCase(Buffer.from(raw, "latin1").toString("hex").replaceAll(/../g, "%$&"))
    ),
    { ...inAnyCase(`&#${code};`), zerosAt: 2 },
    { ...inAnyCase(`&#x${code.toString(16)};`), zerosAt: 3 },
    inAnyCase(escapedUnits, "\\u"),
    ...(code < 0x100 ? [inAnyCase(`\\x${code.toString(16).padStart(2, "0")}`, "\\x")] : []),
    ...(NAMED[character] ?? []).map((name) => exactly(`&${name};`)),
    // In JSON `\"`, `\\` and `\/`; in scripts and Markdown any punctuation.
    ...(/[!-/:-@[-`{-~]/.test(character) ? [exactly(`\\${character}`)] : []),
    ...(character === "\t" ? [exactly("\\t")] : []),
    ...(character === " " ? [exactly("+")] : [])
  ]
}

const unitsOf = (text: string): ReadonlyArray<number> =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))

const exactly = (text: string): CharacterForm => ({ lower: unitsOf(text), upper: unitsOf(text), zerosAt: -1 })

/** The letters in either case, but for those of a mark such as `\u`. */
const inAnyCase = (text: string, mark = ""): CharacterForm => ({
  lower: unitsOf(text.toLowerCase()),
  upper: unitsOf(mark === "" ? text.toUpperCase() : text.toUpperCase().replaceAll(mark.toUpperCase(), mark)),
  zerosAt: -1
})

/**
 * Where the longest form of a secret ends that begins here; `NO_MATCH` or `REACHES_END` otherwise. All ways to read the forms are followed
 * together, because `\\` may be one backslash or two: to try one after the other could take exponential time.
 */
const endOfForm = (body: Uint8Array, at: number, secret: ReadonlyArray<Character>, encoding: TextEncoding): number => {
  let ends: Array<number> = [at]
  let reachesEnd = false
  for (const [index, character] of secret.entries()) {
    const next: Array<number> = []
    for (const end of ends) {
      for (const form of character) {
        const after = endOfCharacter(body, end, form, encoding)
        if (after === REACHES_END && index >= SHORTEST_BEGINNING) reachesEnd = true
        if (after >= 0 && !next.includes(after)) next.push(after)
      }
    }
    if (next.length === 0) return reachesEnd ? REACHES_END : NO_MATCH
    ends = next
  }
  return Math.max(...ends)
}

const ZERO = 0x30

const endOfCharacter = (
  body: Uint8Array,
  from: number,
  { lower, upper, zerosAt }: CharacterForm,
  encoding: TextEncoding
): number => {
  const width = encoding === "bytes" ? 1 : 2
  let at = from
  for (let index = 0; index < lower.length; index++) {
    if (index === zerosAt) while (unitAt(body, at, encoding) === ZERO) at += width
    if (at + width > body.length) return REACHES_END
    const unit = unitAt(body, at, encoding)
    if (unit !== lower[index] && unit !== upper[index]) return NO_MATCH
    at += width
  }
  return at
}

/** The byte or pair of bytes at a place, as a number; 0 after the end. */
const unitAt = (body: Uint8Array, at: number, encoding: TextEncoding): number => {
  const first = body[at] ?? 0
  if (encoding === "bytes") return first
  const second = body[at + 1] ?? 0
  return encoding === "utf16le" ? first | (second << 8) : (first << 8) | second
}

/**
 * Headers that an audited preview asks for, such as `Authorization`. They are added where a request is sent and nowhere else, so
 * that no journal, archive, message or other host ever gets them.
 */
export interface SiteHeaders {
  /** The only origin that gets them, such as `https://preview.example.net`. */
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** What in them is secret: removed from responses that echo it. */
  readonly secrets: ReadonlyArray<string>
}

/** The headers for a request to this URL: none for another origin, where a redirect may lead. */
export const siteHeadersFor = (url: URL, site: SiteHeaders | undefined): Readonly<Record<string, string>> =>
  site !== undefined && url.origin === site.origin ? site.headers : {}
