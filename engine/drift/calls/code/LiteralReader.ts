import { type CodeValue, concat, dict, type Dict, textValue, UNKNOWN, unknown } from "./CodeValue.ts"
import type { TextPart } from "./Strings.ts"
import { type ClientRules, setEntry } from "./ClientRules.ts"
import { type Token, tokensOf } from "./Tokens.ts"

export type AssignmentTarget =
  | { readonly _tag: "Name"; readonly name: string }
  | { readonly _tag: "Member"; readonly receiver: CodeValue; readonly name: string }

export const CLOSING = new Set([")", "]", "}"])

/** What a line may begin with that goes on with the one before. */
const GOES_ON = new Set([".", "?.", "->", "?->", "+", "&&", "||", "??", "?", "|"])

const END: Token = { kind: "end", text: "", parts: [], line: 0, first: true, spaced: true }

/** A place in a program that moves on and never back, and what its names hold there. */
abstract class TokenCursor {
  readonly tokens: ReadonlyArray<Token>
  readonly rules: ClientRules
  /** What names hold at this place of the program. */
  readonly names = new Map<string, CodeValue>()
  at = 0
  /** What a value was read from last, if something may be assigned to it. */
  target: AssignmentTarget | null = null

  constructor(code: string, rules: ClientRules) {
    this.tokens = tokensOf(code, rules.syntax)
    this.rules = rules
  }

  get next(): Token {
    return this.tokens[this.at] ?? END
  }

  ahead(distance: number): Token {
    return this.tokens[this.at + distance] ?? END
  }

  is(mark: string, distance = 0): boolean {
    const token = this.ahead(distance)
    return token.kind === "mark" && token.text === mark
  }

  accept(mark: string): boolean {
    if (!this.is(mark)) return false
    this.at++
    return true
  }

  /** Past the bracket that closes the one before. */
  skipClosed(): void {
    let depth = 1
    while (this.next.kind !== "end" && depth > 0) {
      if (this.next.kind === "mark") {
        if (/^[([{]$/.test(this.next.text)) depth++
        else if (CLOSING.has(this.next.text)) depth--
      }
      this.at++
    }
  }

  /** To the end of a value that is nested too deep. */
  skipDeep(): CodeValue {
    let depth = 0
    while (this.next.kind !== "end") {
      const { kind, text } = this.next
      if (kind === "mark" && CLOSING.has(text) && depth-- === 0) return UNKNOWN
      if (kind === "mark" && /^[([{]$/.test(text)) depth++
      if (kind === "mark" && text === "," && depth === 0) return UNKNOWN
      this.at++
    }
    return UNKNOWN
  }

  /** In a line of its own: something that does not go on with the line before. */
  endsStatement(token: Token): boolean {
    return token.first && this.at > 0 && !(token.kind === "mark" && GOES_ON.has(token.text))
  }

  isSpread(): boolean {
    return this.is("...") || this.is("**") || (this.is("*") && this.ahead(1).kind === "word")
  }

  assign(target: AssignmentTarget | null, value: CodeValue): void {
    if (target === null) return
    if (target._tag === "Name") this.names.set(target.name, value)
    else if (target.receiver._tag === "Dict") setEntry(target.receiver, target.name, value)
    else this.rules.assign(target.receiver, target.name, value)
  }

  /** Names that a function is given are not those outside of it. */
  forget(from: number, to: number): void {
    for (let at = from; at < to && at < from + 50; at++) {
      const token = this.tokens[at]
      if (token?.kind === "word") this.names.delete(token.text)
    }
  }

  /** The names of a loop are unknown in it. */
  forgetLoop(): void {
    for (let distance = 1; distance < 10; distance++) {
      const token = this.ahead(distance)
      if (token.kind === "end" || token.text === "in" || token.text === "of" || token.text === "=") return
      if (token.kind === "word") this.names.delete(token.text)
    }
  }
}

/** Reads texts, lists and dictionaries as programs write them out. */
export abstract class LiteralReader extends TokenCursor {
  abstract expression(isBracketed: boolean): CodeValue

  abstract statements(close: string | null): void

  /** What braces initialise: `"key": value`, `["key"] = value`, `{ "key", value }`, `Name = value`, or values. */
  initialiser(isDict = false): CodeValue {
    const entries: Dict["entries"] = []
    const items: Array<CodeValue> = []
    let open = false
    while (this.next.kind !== "end" && !this.accept("}")) {
      if (this.accept(",")) continue
      const from = this.at
      const { kind, parts, text } = this.next
      if (this.isSpread()) {
        this.at++
        open = true
      } else if ((kind === "text" || kind === "word") && (this.is(":", 1) || this.is("=", 1))) {
        this.at += 2
        const value = this.expression(true)
        const name = kind === "text" ? plainText(parts) : text
        // A member of Go's structures may be sent under another name, by its tag.
        if (name === null || (kind === "word" && this.rules.syntax.firstOfMany)) open = true
        else entries.push([name, value])
      } else if (this.is("[") && this.ahead(1).kind === "text" && this.is("]", 2) && this.is("=", 3)) {
        const name = plainText(this.ahead(1).parts)
        this.at += 4
        const value = this.expression(true)
        if (name === null) open = true
        else entries.push([name, value])
      } else items.push(this.expression(true))
      if (this.at === from) this.at++
    }
    return fromInitialiser(entries, items, open, isDict)
  }

  /** C#'s `new { amount = 5 }`; clients may send names in capitals otherwise. */
  anonymous(): CodeValue {
    this.at++
    const value = this.initialiser(true)
    if (value._tag !== "Dict") return UNKNOWN
    const kept = value.entries.filter(([name]) => !/^[A-Z]/.test(name))
    return dict(kept, value.open || kept.length < value.entries.length)
  }

  /** A brace begins a dictionary if an entry or its end follows. */
  isObject(): boolean {
    const { kind, text } = this.ahead(1)
    if (kind === "mark") return text === "}" || text === "..." || text === "**" || text === "["
    if (kind === "end" || kind === "broken") return false
    const after = this.ahead(2)
    return after.kind === "mark" && /^(?::|,|\}|=>)$/.test(after.text)
  }

  /** A dictionary or list up to `close`. */
  entries(close: "}" | "]"): CodeValue {
    const found: Dict["entries"] = []
    const items: Array<CodeValue> = []
    let open = false
    while (this.next.kind !== "end" && !this.accept(close)) {
      if (this.accept(",")) continue
      const from = this.at
      if (this.isSpread()) {
        this.at++
        open = true
        if (!this.is(",") && !this.is(close) && !this.next.first) this.expression(true)
        continue
      }
      const key = this.key(close)
      if (key !== undefined) {
        const value = this.expression(true)
        if (key === null) open = true
        else found.push([key, value])
      } else if (close === "]" || !this.rules.syntax.regexLiterals || this.next.kind !== "word") {
        const item = this.expression(true)
        items.push(item)
        // What is worked out may be all items at once, such as a comprehension.
        open ||= close === "}" || (item._tag === "Unknown" && item.path === null)
      } else open = this.shorthand(found) || open
      if (this.at === from || (!this.is(",") && !this.is(close) && !this.next.first)) {
        open = true
        if (!this.is(close)) this.at++
      }
    }
    if (this.ahead(-1).text !== close) open = true
    return close === "]" && found.length === 0
      ? { _tag: "List", items, open }
      : dict(found, open || (close === "]" && items.length > 0))
  }

  /** The key of an entry, past its mark; `null` where it is worked out; `undefined` where none begins. */
  key(close: "}" | "]"): string | null | undefined {
    const { kind, parts, text } = this.next
    const isArrow = this.rules.syntax.arrows && this.is("=>", 1)
    if (kind !== "mark" && kind !== "broken" && (isArrow || (close === "}" && this.is(":", 1)))) {
      this.at += 2
      return kind === "text" ? plainText(parts) : text
    }
    if (close !== "}" || !this.is("[")) return undefined
    this.at++
    while (this.next.kind !== "end" && !this.accept("]")) this.at++
    this.accept(":")
    return null
  }

  /** `{ amount, toJSON() {…} }`; says whether something is left open. */
  shorthand(found: Dict["entries"]): boolean {
    const { text } = this.next
    this.at++
    if (this.accept("(")) {
      this.skipClosed()
      if (this.accept("{")) this.statements("}")
      return true
    }
    found.push([text, this.names.get(text) ?? unknown(text)])
    return false
  }

  textOf(parts: ReadonlyArray<TextPart>): CodeValue {
    return parts.reduce<CodeValue>(
      (text, part) => concat(text, typeof part === "string" ? textValue(part) : this.hole(part.source)),
      textValue("")
    )
  }

  /** What a text has put in: the value of a name, or the last name in what is worked out. */
  hole(source: string): CodeValue {
    const name = /^[\s$@]*([\p{L}_][\p{L}\p{N}_]*)\s*$/u.exec(source)?.[1]
    const value = name === undefined ? undefined : this.names.get(name)
    if (value !== undefined && value._tag !== "Unknown") return value
    const names = source.match(/[A-Za-z_]\w*/g) ?? []
    return unknown(names.at(-1) ?? "value")
  }
}

export const plainText = (parts: ReadonlyArray<TextPart>): string | null =>
  parts.every((part) => typeof part === "string") ? parts.join("") : null

/** Pairs in braces are entries: `{ { "key", value } }`. */
const fromInitialiser = (
  entries: Dict["entries"],
  items: ReadonlyArray<CodeValue>,
  open: boolean,
  isDict: boolean
): CodeValue => {
  if (entries.length > 0) return dict(entries, open || items.length > 0)
  const pairs = items.flatMap((item): Dict["entries"] => {
    const [name, value, ...more] = item._tag === "List" ? item.items : []
    return name?._tag === "Text" && value !== undefined && more.length === 0 ? [[name.text, value]] : []
  })
  if (isDict ? items.length === 0 || pairs.length > 0 : pairs.length > 0 && pairs.length === items.length)
    return dict(pairs, open || pairs.length < items.length)
  return items.length === 0 && open ? UNKNOWN : { _tag: "List", items: [...items], open }
}
