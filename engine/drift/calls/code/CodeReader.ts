import { ChainReader } from "./ChainReader.ts"
import { formatted } from "./ClientRules.ts"
import { type CodeValue, concat, dict, UNKNOWN, unknown } from "./CodeValue.ts"
import { type AssignmentTarget, CLOSING } from "./LiteralReader.ts"
import type { Token } from "./Tokens.ts"

/** What is nested deeper is not understood. */
const DEPTH = 60

const ASSIGNS = new Set(["=", ":="])
const CHANGES = new Set(["+=", "-=", "*=", "/=", ".=", "%=", "||="])

/** Words before a value that change nothing in it. */
const TRANSPARENT = new Set(
  "await return const let var val final static public private protected readonly export default async yield throw echo print puts global using try defer go with if elif while unless not override suspend".split(
    " "
  )
)

const FUNCTIONS = new Set(["def", "function", "func", "fun", "fn", "lambda"])

const LITERALS: ReadonlyMap<string, number | boolean | null> = new Map<string, number | boolean | null>([
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
  ["null", null],
  ["NULL", null],
  ["None", null],
  ["nil", null],
  ["undefined", null]
])

/**
 * Reads a program from its beginning to its end, each token once, and follows what its names hold. What it does not understand is
 * unknown; what is in it is read all the same.
 */
export class CodeReader extends ChainReader {
  depth = 0

  /** Statements up to `close`, or to the end. */
  statements(close: string | null): void {
    let others: Array<string> = []
    while (this.next.kind !== "end") {
      if (close !== null && this.accept(close)) return
      const from = this.at
      const target = this.statementTarget()
      if (this.accept(",")) {
        if (target?._tag === "Name") others.push(target.name)
        continue
      }
      if (this.isTyped()) this.skipType()
      if (this.next.kind === "mark" && ASSIGNS.has(this.next.text)) this.assignFrom(target, others)
      else if (this.next.kind === "mark" && CHANGES.has(this.next.text)) this.change(target)
      else if (this.at === from) this.at++
      others = []
    }
  }

  /** Reads to the end of a statement or to its assignment; gives what is assigned to. */
  statementTarget(): AssignmentTarget | null {
    this.target = null
    this.expression(false, true)
    return this.target
  }

  /** `url: str = …`: the mark of a type, with an assignment after it in the same line. */
  isTyped(): boolean {
    if (!this.is(":") || this.target?._tag !== "Name") return false
    for (let distance = 1; distance < 12; distance++) {
      const token = this.ahead(distance)
      if (token.first || token.kind === "end") return false
      if (token.kind === "mark" && token.text === "=") return true
      if (token.kind !== "word" && !/^[.<>[\]|,?]$/.test(token.text)) return false
    }
    return false
  }

  skipType(): void {
    while (!this.is("=") && this.next.kind !== "end") this.at++
  }

  assignFrom(target: AssignmentTarget | null, others: ReadonlyArray<string>): void {
    this.at++
    const value = this.expression(false)
    const isMany = this.is(",")
    for (const name of others) this.names.set(name, UNKNOWN)
    const [first] = others
    if (first === undefined) this.assign(target, isMany ? UNKNOWN : value)
    else {
      this.assign(target, UNKNOWN)
      if (this.rules.syntax.firstOfMany) this.names.set(first, value)
    }
  }

  change(target: AssignmentTarget | null): void {
    const isJoined = this.is("+=") || this.is(".=")
    this.at++
    const value = this.expression(false)
    if (target?._tag !== "Name") return
    const before = this.names.get(target.name)
    this.names.set(target.name, isJoined && before?._tag === "Text" ? concat(before, value) : UNKNOWN)
  }

  /** A value, and what is joined with it by operators. */
  expression(isBracketed: boolean, startsStatement = false): CodeValue {
    if (this.depth > DEPTH) return this.skipDeep()
    this.depth++
    const start = this.at
    let value = this.operand(isBracketed, startsStatement)
    for (;;) {
      const token = this.next
      if (token.kind === "end" || (!isBracketed && this.endsStatement(token))) break
      if (token.kind === "mark" && (CLOSING.has(token.text) || /^[,;:]$/.test(token.text))) break
      if (token.kind === "mark" && (ASSIGNS.has(token.text) || CHANGES.has(token.text))) break
      if (this.is("=>")) {
        if (this.rules.syntax.arrows) break
        this.forget(start, this.at)
        this.at++
        value = this.body(isBracketed)
      } else if (token.kind === "word" && token.text === "as") value = this.cast(value)
      else value = this.joined(value, isBracketed)
    }
    this.depth--
    return value
  }

  joined(left: CodeValue, isBracketed: boolean): CodeValue {
    const token = this.next
    const isJoin = this.is("+") || (this.rules.syntax.dotJoins && this.is("."))
    if (token.kind === "text" && left._tag === "Text") return concat(left, this.operand(isBracketed, false))
    if (token.kind !== "mark" || this.startsValue(token)) {
      const right = this.operand(isBracketed, false)
      // Two values side by side are a type and a name, or words of prose.
      return right._tag === "Request" ? right : UNKNOWN
    }
    this.at++
    if (token.text === "?") return this.choice(isBracketed)
    if (token.text === "!" && /^[),;.]$/.test(this.next.text)) return left
    if (token.text === "%" && left._tag === "Text")
      return formatted(left.text, { named: dict(), positional: this.formatValues(isBracketed), open: false })
    const right = this.operand(isBracketed, false)
    this.target = null
    return isJoin ? concat(left, right) : UNKNOWN
  }

  /** `a` or `(a, b)` after `%`. */
  formatValues(isBracketed: boolean): ReadonlyArray<CodeValue> {
    if (!this.accept("(")) return [this.operand(isBracketed, false)]
    return this.group()
  }

  startsValue({ text }: Token): boolean {
    return text === "(" || text === "[" || text === "{"
  }

  /** `a ? b : c`: either, so unknown. */
  choice(isBracketed: boolean): CodeValue {
    this.expression(isBracketed)
    if (this.accept(":")) this.expression(isBracketed)
    return UNKNOWN
  }

  /** `x as string` changes nothing; `with open() as client` names the value. */
  cast(value: CodeValue): CodeValue {
    this.at++
    const name = this.next
    if (name.kind === "word" && !this.rules.syntax.regexLiterals) this.names.set(name.text, value)
    while (this.next.kind === "word" || (this.is(".") && this.ahead(1).kind === "word")) {
      this.at++
      if (!this.is(".")) break
    }
    return value
  }

  /** What follows an arrow: a block, or a value that a call of the function gives. */
  body(isBracketed: boolean): CodeValue {
    if (this.accept("{")) this.statements("}")
    else this.expression(isBracketed)
    return UNKNOWN
  }

  operand(isBracketed: boolean, startsStatement: boolean): CodeValue {
    const token = this.next
    switch (token.kind) {
      case "end":
        return UNKNOWN
      case "broken":
        this.at++
        return UNKNOWN
      case "text":
        this.at++
        return this.suffixes(this.textOf(token.parts), null, false)
      case "number":
        this.at++
        return this.suffixes(numberOf(token.text), null, false)
      case "word":
        return this.word(isBracketed, startsStatement)
      case "mark":
        return this.marked(isBracketed, startsStatement)
    }
  }

  marked(isBracketed: boolean, startsStatement: boolean): CodeValue {
    const { braces } = this.rules.syntax
    if (this.is("(")) {
      this.at++
      return this.suffixes(this.grouped(), null, false)
    }
    if (this.is("[")) return this.bracketed()
    if (this.is("{")) {
      if (startsStatement ? false : braces === "object" ? this.isObject() : isBracketed) {
        this.at++
        return braces === "object" ? this.suffixes(this.entries("}"), null, false) : this.initialiser()
      }
      this.at++
      this.statements("}")
      return UNKNOWN
    }
    if (CLOSING.has(this.next.text) || /^[,;:]$/.test(this.next.text)) return UNKNOWN
    const mark = this.next.text
    this.at++
    if (mark === "-" && this.next.kind === "number") {
      const number = numberOf(this.next.text)
      this.at++
      return number._tag === "Literal" && typeof number.value === "number"
        ? { _tag: "Literal", value: -number.value }
        : UNKNOWN
    }
    if (mark === "&" || mark === "*" || mark === "\\" || mark === "@") return this.operand(isBracketed, false)
    return UNKNOWN
  }

  /** A list, a dictionary of arrows, or the type of Go's `[]byte("…")`. */
  bracketed(): CodeValue {
    this.at++
    if (this.is("]") && this.ahead(1).kind === "word" && !this.ahead(1).spaced && !this.rules.syntax.arrows) {
      this.at++
      const { text } = this.next
      this.at++
      return this.suffixes(UNKNOWN, `[]${text}`, true)
    }
    return this.suffixes(this.entries("]"), null, false)
  }

  grouped(): CodeValue {
    const [value = UNKNOWN, ...others] = this.group()
    return others.length === 0 ? value : UNKNOWN
  }

  /** What stands in brackets, past the closing one. */
  group(): ReadonlyArray<CodeValue> {
    const values: Array<CodeValue> = []
    while (this.next.kind !== "end" && !this.accept(")")) {
      const from = this.at
      values.push(this.expression(true))
      if (this.at === from || this.is(",")) this.at++
    }
    return values
  }

  word(isBracketed: boolean, startsStatement: boolean): CodeValue {
    const { text } = this.next
    if (FUNCTIONS.has(text)) return this.declaration(text)
    if (text === "new") {
      this.at++
      if (this.is("{")) return this.anonymous()
      if (this.is("[")) {
        while (this.next.kind !== "end" && !this.is("{") && !this.next.first) this.at++
        return this.accept("{") ? this.initialiser(false) : UNKNOWN
      }
      return this.next.kind === "word" || this.is("\\") ? this.chain(true) : UNKNOWN
    }
    if (TRANSPARENT.has(text) && this.ahead(1).kind !== "end" && !this.is(".", 1) && !this.is("=", 1)) {
      this.at++
      return this.endsStatement(this.next) ? UNKNOWN : this.operand(isBracketed, false)
    }
    if (text === "use" && startsStatement && this.rules.syntax.dotJoins) return this.using()
    if ((text === "import" || text === "from") && startsStatement) return this.importing()
    if (text === "for" || text === "foreach") this.forgetLoop()
    if (LITERALS.has(text) && !this.is("(", 1)) {
      this.at++
      return this.suffixes({ _tag: "Literal", value: LITERALS.get(text) ?? null }, null, false)
    }
    return this.chain(false)
  }

  /** `import requests as rq`. */
  importing(): CodeValue {
    this.at++
    const path: Array<string> = []
    while (this.next.kind === "word" && !this.next.first) {
      if (this.next.text === "as") {
        this.at++
        if (this.next.kind === "word" && path.length > 0) this.names.set(this.next.text, unknown(path.join(".")))
        this.at++
        return UNKNOWN
      }
      path.push(this.next.text)
      this.at++
      if (this.is(".")) this.at++
    }
    return UNKNOWN
  }

  /** PHP's `use GuzzleHttp\Client;`: the last part is its name from here on. */
  using(): CodeValue {
    this.at++
    const value = this.chain(false)
    const name = value._tag === "Unknown" ? (value.path ?? "") : ""
    if (name.includes(".")) this.names.set(name.slice(name.lastIndexOf(".") + 1), value)
    return UNKNOWN
  }

  /** The head of a function; what it does is read like anything else. */
  declaration(keyword: string): CodeValue {
    this.at++
    if (keyword === "func" && this.accept("(")) this.skipClosed()
    if (this.next.kind === "word" && keyword !== "lambda") this.at++
    const from = this.at
    if (keyword === "lambda") while (this.next.kind === "word" || this.is(",")) this.at++
    else if (this.accept("(")) this.skipClosed()
    this.forget(from, this.at)
    while (
      this.rules.syntax.braces === "initialiser" &&
      !this.next.first &&
      !this.is("{") &&
      this.next.kind !== "end"
    ) {
      if (CLOSING.has(this.next.text) || this.is(",") || this.is("=")) return UNKNOWN
      this.at++
    }
    if (this.rules.syntax.lineComments.includes("//") && this.accept("{")) this.statements("}")
    return UNKNOWN
  }
}

const numberOf = (text: string): CodeValue => {
  const number = Number(text.replaceAll("_", "").replace(/[nNlLfFdDmMuU]{1,2}$/, ""))
  return Number.isFinite(number) ? { _tag: "Literal", value: number } : UNKNOWN
}
