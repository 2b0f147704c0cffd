import { parsedJson } from "../../text/JsonText.ts"

/** A value of JavaScript or JSON as far as it is written out. */
export type ScriptValue = string | number | boolean | null | Expression | ScriptList | ScriptObject

/** What a script works out when it runs: a name, a call, a sum. */
export interface Expression {
  readonly _tag: "Expression"
  /** Its first 300 characters. */
  readonly source: string
  /** Where it begins in the script. */
  readonly at: number
}

interface ScriptList {
  readonly _tag: "List"
  readonly items: ReadonlyArray<ScriptValue>
}

export interface ScriptObject {
  readonly _tag: "Object"
  /** Methods and spread objects are left out. */
  readonly members: ReadonlyMap<string, ScriptValue>
  /** As written. */
  readonly text: string
}

/** What is nested deeper is an expression. */
const DEPTH = 150
const EXPRESSION_CHARACTERS = 300

/** A place in a script: reading moves it on and never back, so that it takes time in proportion to the script. */
interface Cursor {
  readonly code: string
  at: number
}

/** The value that begins at `from`. */
export const readValue = (code: string, from: number): ScriptValue => valueAt({ code, at: from }, 0)

/** The arguments of a call whose bracket opens at `from`; empty if it is never closed. */
export const readArguments = (code: string, from: number): ReadonlyArray<ScriptValue> =>
  itemsUntil({ code, at: from + 1 }, ")", 0) ?? []

/** The object as JSON text; what the script works out is left out. */
export const jsonText = (value: ScriptObject): string =>
  parsedJson(value.text) === undefined ? JSON.stringify(plain(value)) : value.text

const plain = (value: ScriptValue): unknown => {
  if (value === null || typeof value !== "object") return value
  if (value._tag === "Expression") return undefined
  return value._tag === "List"
    ? value.items.map(plain)
    : Object.fromEntries([...value.members].map(([key, member]) => [key, plain(member)]))
}

/** After a literal, these make it the beginning of an expression. */
const GOES_ON = /[+.[(?|&]/

const valueAt = (cursor: Cursor, depth: number): ScriptValue => {
  skipSpace(cursor)
  const from = cursor.at
  const literal = depth < DEPTH ? literalAt(cursor, depth) : undefined
  if (literal !== undefined) {
    skipSpace(cursor)
    if (!GOES_ON.test(cursor.code[cursor.at] ?? "")) return literal
  }
  skipExpression(cursor)
  return worded(cursor.code.slice(from, Math.min(cursor.at, from + EXPRESSION_CHARACTERS)).trim(), from)
}

const WORDS: ReadonlyMap<string, ScriptValue> = new Map<string, ScriptValue>([
  ["true", true],
  ["!0", true],
  ["false", false],
  ["!1", false],
  ["null", null],
  ["undefined", null],
  ["void 0", null]
])

const worded = (source: string, at: number): ScriptValue => {
  const word = WORDS.get(source)
  if (word !== undefined) return word
  const number = source === "" ? Number.NaN : Number(source)
  return Number.isFinite(number) ? number : { _tag: "Expression", source, at }
}

/** A string, list or object; `undefined` if something else begins here, or if it has no end. */
const literalAt = (cursor: Cursor, depth: number): ScriptValue | undefined => {
  const opening = cursor.code[cursor.at]
  if (opening === '"' || opening === "'") return quoted(cursor)
  if (opening === "`") return template(cursor)
  if (opening === "{") return objectAt(cursor, depth)
  if (opening !== "[") return undefined
  cursor.at++
  const items = itemsUntil(cursor, "]", depth)
  return items === undefined ? undefined : { _tag: "List", items }
}

const itemsUntil = (cursor: Cursor, close: string, depth: number): ReadonlyArray<ScriptValue> | undefined => {
  const items: Array<ScriptValue> = []
  for (skipSpace(cursor); cursor.at < cursor.code.length; skipSpace(cursor)) {
    const from = cursor.at
    const character = cursor.code[from]
    if (character === close) {
      cursor.at++
      return items
    }
    if (character !== ",") items.push(valueAt(cursor, depth + 1))
    // A comma, or a bracket that closes nothing here.
    if (cursor.at === from) cursor.at++
  }
  return undefined
}

const objectAt = (cursor: Cursor, depth: number): ScriptObject | undefined => {
  const start = cursor.at++
  const members = new Map<string, ScriptValue>()
  for (skipSpace(cursor); cursor.at < cursor.code.length; skipSpace(cursor)) {
    const from = cursor.at
    const character = cursor.code[from]
    if (character === "}") return { _tag: "Object", members, text: cursor.code.slice(start, ++cursor.at) }
    if (character !== ",") readMember(cursor, members, depth)
    if (cursor.at === from) cursor.at++
  }
  return undefined
}

const NAME = /[\p{L}\p{N}_$]{1,200}/uy

const readMember = (cursor: Cursor, members: Map<string, ScriptValue>, depth: number): void => {
  const from = cursor.at
  const key = keyAt(cursor)
  skipSpace(cursor)
  const next = cursor.code[cursor.at]
  if (key !== null && next === ":") {
    cursor.at++
    members.set(key, valueAt(cursor, depth + 1))
  } else if (key !== null && (next === "," || next === "}")) {
    members.set(key, { _tag: "Expression", source: key, at: from })
  } else skipExpression(cursor)
}

const keyAt = (cursor: Cursor): string | null => {
  const character = cursor.code[cursor.at]
  if (character === '"' || character === "'") return quoted(cursor)
  NAME.lastIndex = cursor.at
  const name = NAME.exec(cursor.code)?.[0]
  if (name === undefined) return null
  cursor.at += name.length
  return name
}

const quoted = (cursor: Cursor): string => unescaped(skipText(cursor))

/** `undefined` if the script puts something into it. */
const template = (cursor: Cursor): string | undefined => {
  const text = skipText(cursor)
  return text.includes("${") ? undefined : unescaped(text)
}

/** The text between quotes or backticks, as written; one in quotes ends with its line at the latest. */
const skipText = (cursor: Cursor): string => {
  const { code } = cursor
  const quote = code[cursor.at]
  const from = cursor.at + 1
  let at = from
  const stop = quote === "`" ? quote : "\n"
  while (at < code.length && code[at] !== quote && code[at] !== stop) at += code[at] === "\\" ? 2 : 1
  cursor.at = at + 1
  return code.slice(from, at)
}

const ESCAPE = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r?\n|[\s\S]))/gi
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" }

const unescaped = (text: string): string =>
  text.includes("\\")
    ? text.replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, character = "") => {
        const hex = point ?? unit ?? byte
        if (hex === undefined) return CONTROLS[character] ?? (character.endsWith("\n") ? "" : character)
        const code = Number.parseInt(hex, 16)
        return code > 0x10ffff ? "" : String.fromCodePoint(code)
      })
    : text

const SPACE = /\s/

/** White space and comments. */
const skipSpace = (cursor: Cursor): void => {
  const { code } = cursor
  while (cursor.at < code.length) {
    if (SPACE.test(code[cursor.at] ?? "")) cursor.at++
    else if (!skipComment(cursor)) return
  }
}

const skipComment = (cursor: Cursor): boolean => {
  const { at, code } = cursor
  if (code[at] !== "/" || (code[at + 1] !== "/" && code[at + 1] !== "*")) return false
  const isLine = code[at + 1] === "/"
  const end = code.indexOf(isLine ? "\n" : "*/", at + 2)
  cursor.at = end < 0 ? code.length : end + (isLine ? 1 : 2)
  return true
}

/** To the comma, semicolon or closing bracket that ends it. */
const skipExpression = (cursor: Cursor): void => {
  const { code } = cursor
  let depth = 0
  while (cursor.at < code.length) {
    const character = code[cursor.at] ?? ""
    if ("\"'`".includes(character)) skipText(cursor)
    else if (!skipComment(cursor)) {
      if ("([{".includes(character)) depth++
      else if (depth > 0 && ")]}".includes(character)) depth--
      else if (depth === 0 && ")]},;".includes(character)) return
      cursor.at++
    }
  }
}
