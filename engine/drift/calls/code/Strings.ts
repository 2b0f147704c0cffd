export interface StringSyntax {
  /** What in a string is replaced: `${x}` in backticks, `{x}` after a letter, `$x` and `{$x}` or `#{x}` in double quotes. */
  readonly replaced: "template" | "prefix" | "dollar" | "hash" | "none"
  /** Backticks: a string of several lines. */
  readonly backticks: boolean
  /** Three quotes: a string of several lines. */
  readonly triple: boolean
  /** Letters that may stand before a quote, and that make escapes plain characters. */
  readonly prefixes: string
  readonly rawPrefixes: string
  /** Only `\\` and `\'` are escapes in single quotes. */
  readonly plainSingle: boolean
  /** `<<NAME` or `<<<NAME` begins a text that the name ends. */
  readonly hereDocument: string | null
  /** Quotes that may hold line breaks. */
  readonly multiline: boolean
}

/** A piece of a text: as it is, or what is put in there, as source. */
export type TextPart = string | { readonly source: string }

interface ReadString {
  /** `null`: the text has no end. */
  readonly parts: ReadonlyArray<TextPart> | null
  readonly end: number
  /** A here-document: its text begins in the next line. */
  readonly here: { readonly from: number; readonly to: number } | null
}

/** What is put into a text is this long at most, in characters. */
const LONGEST_HOLE = 300

interface Form {
  readonly quote: string
  readonly escapes: boolean
  readonly lines: boolean
  readonly holes: StringSyntax["replaced"]
  /** Two quotes are one. */
  readonly doubled: boolean
}

/** The text that begins at `at`; `null` where none does. */
export const readString = (code: string, at: number, syntax: StringSyntax, mayBeHere: boolean): ReadString | null => {
  if (syntax.hereDocument !== null && mayBeHere && code.startsWith(syntax.hereDocument, at))
    return hereDocument(code, at + syntax.hereDocument.length, syntax)
  let from = at
  while (from - at < 3 && syntax.prefixes !== "" && syntax.prefixes.includes(code.charAt(from))) from++
  const quote = code.charAt(from)
  if (quote !== '"' && quote !== "'" && !(quote === "`" && syntax.backticks)) return null
  const prefix = code.slice(at, from)
  const tripled = syntax.triple && code.startsWith(quote.repeat(3), from)
  const form: Form = {
    quote: tripled ? quote.repeat(3) : quote,
    escapes: !isRaw(prefix, syntax) && !(quote === "`" && syntax.replaced !== "template"),
    lines: tripled || quote === "`" || prefix.includes("@") || syntax.multiline,
    holes: holesOf(quote, prefix, syntax),
    doubled: prefix.includes("@")
  }
  return readUntil(code, from + form.quote.length, form, syntax)
}

const isRaw = (prefix: string, { rawPrefixes }: StringSyntax): boolean =>
  prefix.split("").some((letter) => rawPrefixes.includes(letter))

const holesOf = (quote: string, prefix: string, { replaced }: StringSyntax): StringSyntax["replaced"] => {
  if (replaced === "template") return quote === "`" ? replaced : "none"
  if (replaced === "prefix") return /[fF$]/.test(prefix) ? replaced : "none"
  return quote === '"' ? replaced : "none"
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "0": "\0", "\n": "" }

const UNICODE = /u(?:([\da-fA-F]{4})|\{([\da-fA-F]{1,6})\})|x([\da-fA-F]{2})/y

/** What an escape after a backslash at `at - 1` stands for, and how long it is. */
const escapeAt = (code: string, at: number): readonly [text: string, length: number] => {
  UNICODE.lastIndex = at
  const unicode = UNICODE.exec(code)
  if (unicode !== null) {
    const point = Number.parseInt(unicode[1] ?? unicode[2] ?? unicode[3] ?? "", 16)
    return [point <= 0x10ffff ? String.fromCodePoint(point) : "", unicode[0].length]
  }
  const character = code.charAt(at)
  return [ESCAPES[character] ?? character, 1]
}

const readUntil = (code: string, from: number, form: Form, syntax: StringSyntax): ReadString => {
  const parts: Array<TextPart> = []
  let text = ""
  let at = from
  const plainSingle = syntax.plainSingle && form.quote === "'"
  while (at < code.length) {
    const character = code.charAt(at)
    if (code.startsWith(form.quote, at)) {
      if (!(form.doubled && code.startsWith(form.quote, at + 1)))
        return { parts: [...parts, text], end: at + form.quote.length, here: null }
      text += form.quote
      at += 2
      continue
    }
    if (character === "\n" && !form.lines) return { parts: null, end: at, here: null }
    if (character === "\\" && form.escapes) {
      const next = code.charAt(at + 1)
      const [escaped, length] = plainSingle && next !== "'" && next !== "\\" ? [`\\${next}`, 1] : escapeAt(code, at + 1)
      text += escaped
      at += 1 + length
      continue
    }
    const hole = holeAt(code, at, form.holes)
    if (hole === null) {
      text += character
      at++
    } else {
      parts.push(...(text === "" ? [] : [text]), hole.part)
      text = ""
      at = hole.end
    }
  }
  return { parts: null, end: code.length, here: null }
}

const BARE = /\$([A-Za-z_]\w{0,80}(?:->[A-Za-z_]\w{0,80})?)(?:\[[\w'"]{1,60}\])?/y

interface Hole {
  readonly part: TextPart
  readonly end: number
}

/** What is put in at `at`; `null` where nothing is. */
const holeAt = (code: string, at: number, form: StringSyntax["replaced"]): Hole | null => {
  const character = code.charAt(at)
  if (form === "none" || !(character === "{" || character === "$" || character === "#" || character === "}"))
    return null
  if (form === "prefix") {
    if (code.startsWith("{{", at) || code.startsWith("}}", at)) return { part: character, end: at + 2 }
    return character === "{" ? braced(code, at + 1) : null
  }
  if (form === "template") return code.startsWith("${", at) ? braced(code, at + 2) : null
  if (form === "hash") return code.startsWith("#{", at) ? braced(code, at + 2) : null
  if (code.startsWith("${", at)) return braced(code, at + 2)
  if (code.startsWith("{$", at)) return braced(code, at + 1)
  BARE.lastIndex = at
  const bare = character === "$" ? BARE.exec(code) : null
  return bare === null ? null : { part: { source: bare[1] ?? "" }, end: at + bare[0].length }
}

const braced = (code: string, from: number): Hole | null => {
  let depth = 1
  for (let at = from; at < code.length && at - from < LONGEST_HOLE; at++) {
    const character = code.charAt(at)
    if (character === "{") depth++
    else if (character === "}" && --depth === 0) return { part: { source: code.slice(from, at) }, end: at + 1 }
    else if (character === "\n") return null
  }
  return null
}

const HERE_NAME = /[-~]?(["']?)([A-Za-z_]\w{0,40})\1(?=[^\n]{0,300}\n)/y

/** A here-document whose mark ends at `at`: the rest of the line is code, and its text is in the next lines. */
const hereDocument = (code: string, at: number, syntax: StringSyntax): ReadString | null => {
  HERE_NAME.lastIndex = at
  const named = HERE_NAME.exec(code)
  const [whole = "", quote = "", name = ""] = named ?? []
  if (named === null || (syntax.hereDocument === "<<" && !/^[A-Z]/.test(name))) return null
  const from = code.indexOf("\n", at) + 1
  const body = linesUntil(code, from, name)
  if (body === null) return { parts: null, end: at + whole.length, here: null }
  const form: Form = {
    quote: "\0",
    escapes: quote !== "'",
    lines: true,
    holes: quote === "'" ? "none" : syntax.replaced,
    doubled: false
  }
  const read = readUntil(`${code.slice(from, body.from)}\0`, 0, form, syntax)
  return { parts: read.parts, end: at + whole.length, here: { from, to: body.to } }
}

/** Where the line that ends the text begins, and where its name ends. */
const linesUntil = (
  code: string,
  from: number,
  name: string
): { readonly from: number; readonly to: number } | null => {
  for (let start = from; start < code.length;) {
    const end = code.indexOf("\n", start)
    const line = code.slice(start, end < 0 ? code.length : end)
    const indent = line.length - line.trimStart().length
    if (line.startsWith(name, indent) && !/\w/.test(line.charAt(indent + name.length)))
      return { from: start, to: start + indent + name.length }
    if (end < 0) return null
    start = end + 1
  }
  return null
}
