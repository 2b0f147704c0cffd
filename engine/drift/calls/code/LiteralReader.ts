import { type CodeValue, concat, dict, type Dict, textValue, UNKNOWN, unknown } from "./CodeValue.ts"
import type { TextPart } from "./Strings.ts"
import { TokenCursor } from "./TokenCursor.ts"

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
