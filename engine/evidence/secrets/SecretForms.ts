/** How text is written in a body: single bytes (ASCII, UTF-8, Latin-1), or pairs of them. */
export type TextEncoding = "bytes" | "utf16be" | "utf16le"

/** One form of a character, such as `+`, `%2B` or `&#x2b;`: two units for each place, which are the cases of a letter or equal. */
interface CharacterForm {
  readonly lower: ReadonlyArray<number>
  readonly upper: ReadonlyArray<number>
  /** The place before which any number of zeros may come, as in `&#0043;`; -1: none. */
  readonly zerosAt: number
}

/** All forms of a character. */
export type Character = ReadonlyArray<CharacterForm>

export const NO_MATCH = -1

/** The body ends within the secret, after a few of its characters. */
export const REACHES_END = -2

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
export const charactersOf = (text: string, encoding: TextEncoding): ReadonlyArray<Character> =>
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
export const endOfForm = (
  body: Uint8Array,
  at: number,
  secret: ReadonlyArray<Character>,
  encoding: TextEncoding
): number => {
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
export const unitAt = (body: Uint8Array, at: number, encoding: TextEncoding): number => {
  const first = body[at] ?? 0
  if (encoding === "bytes") return first
  const second = body[at + 1] ?? 0
  return encoding === "utf16le" ? first | (second << 8) : (first << 8) | second
}
