import { readString, type StringSyntax, type TextPart } from "./Strings.ts"

/** What a language writes differently, as far as it matters for reading calls. */
export interface Syntax {
  /** What a comment to the end of the line begins with. */
  readonly lineComments: ReadonlyArray<string>
  readonly blockComments: boolean
  readonly strings: StringSyntax
  /** `/…/` is a pattern where a value may stand. */
  readonly regexLiterals: boolean
  /** What joins texts besides `+`. */
  readonly dotJoins: boolean
  /** `"key" => value`. */
  readonly arrows: boolean
  /** What a brace begins where a value may stand. */
  readonly braces: "object" | "initialiser"
  /** `a, b := f()`: the first of the names has the value. */
  readonly firstOfMany: boolean
  /** `get "/orders", headers: …`: a call without brackets. */
  readonly bareCalls: boolean
}

/** What most languages have in common. */
export const C_LIKE: Syntax = {
  lineComments: ["//"],
  blockComments: true,
  strings: {
    replaced: "none",
    backticks: false,
    triple: false,
    prefixes: "",
    rawPrefixes: "",
    plainSingle: false,
    hereDocument: null,
    multiline: false
  },
  regexLiterals: false,
  dotJoins: false,
  arrows: false,
  braces: "initialiser",
  firstOfMany: false,
  bareCalls: false
}

/** A word, text, number or mark of a program. */
export interface Token {
  /** `broken`: a text without an end, or a pattern. */
  readonly kind: "word" | "text" | "number" | "mark" | "broken" | "end"
  /** Of words without `$` and `@`; of texts empty. */
  readonly text: string
  readonly parts: ReadonlyArray<TextPart>
  /** From 0. */
  readonly line: number
  /** The first of its line. */
  readonly first: boolean
  /** White space is before it. */
  readonly spaced: boolean
}

const NO_PARTS: ReadonlyArray<TextPart> = []

const WORD = /[$@]{0,2}[\p{L}_][\p{L}\p{N}_]*[?!]?/uy
const NUMBER = /\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d{1,4})?(?:[nNlLfFdDmMuU]{1,2}(?![A-Za-z\d]))?/y
const MARK = /=>|\?->|->|\?\.|::|:=|\.\.\.|[=!]==?|[<>]=|&&|\|\|=?|\?\?|\*\*|[-+*/.%]=|[\s\S]/y
const SYMBOL = /:[A-Za-z_]\w{0,60}/y

/** A pattern ends in its line. */
const PATTERN = /\/(?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,200}\]){1,300}\/[a-z]{0,8}/y

/** A comment that says that something was left out: `// …`, `# ... more fields`. */
const LEFT_OUT = /^(?:\/\/|\/\*|#)\s{0,10}(?:\.\.\.|…)/

/** What ends a value, so that `/` divides and `<` compares after it. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === "mark"
    ? token.text === ")" || token.text === "]" || token.text === "}"
    : token.kind !== "word" || !BEFORE_VALUES.has(token.text))

const BEFORE_VALUES = new Set(["return", "await", "typeof", "case", "in", "of"])

class Scanner {
  readonly tokens: Array<Token> = []
  readonly code: string
  readonly syntax: Syntax
  at = 0
  line = 0
  first = true
  spaced = false
  /** Where the text of a here-document begins and ends, until it is passed. */
  here: { readonly from: number; readonly to: number } | null = null
  /** After one without an end, others are not looked for: each look goes to the end. */
  hereEnds = true

  constructor(code: string, syntax: Syntax) {
    this.code = code
    this.syntax = syntax
  }

  run(): ReadonlyArray<Token> {
    while (this.at < this.code.length) this.step()
    this.put("end", "")
    return this.tokens
  }

  step(): void {
    const character = this.code.charAt(this.at)
    if (character === "\n") return this.newLine()
    if (character.trim() === "" || character === "\u200b") {
      this.at++
      this.spaced = true
      return
    }
    if (this.comment() || this.string(character)) return
    if (/\d/.test(character)) return this.take(NUMBER, "number")
    if (this.syntax.bareCalls && character === ":" && this.symbol()) return
    WORD.lastIndex = this.at
    const word = WORD.exec(this.code)?.[0]
    if (word !== undefined) return this.word(word)
    if (character === "/" && this.syntax.regexLiterals && !endsValue(this.tokens.at(-1)) && this.pattern()) return
    if (character === "…") {
      this.put("mark", "...")
      this.at++
      return
    }
    this.take(MARK, "mark")
  }

  newLine(): void {
    this.line++
    this.at++
    this.first = true
    this.spaced = true
    if (this.here === null || this.at < this.here.from) return
    this.pass(this.here.to)
    this.here = null
  }

  /** Goes on at `end`, and counts the lines up to there. */
  pass(end: number): void {
    for (let at = this.code.indexOf("\n", this.at); at >= 0 && at < end; at = this.code.indexOf("\n", at + 1))
      this.line++
    this.at = end
  }

  word(word: string): void {
    const end = word.at(-1) ?? ""
    const next = this.code.charAt(this.at + word.length)
    // `x?.y` and `x ? a : b` are no names of their own, and nor is `x!=y`.
    const marked = (end === "?" || end === "!") && !(this.syntax.bareCalls && next !== "." && next !== "=")
    const text = marked ? word.slice(0, -1) : word
    this.put("word", text.replace(/^[$@]+/, ""))
    this.at += text.length
  }

  symbol(): boolean {
    const before = this.code.charAt(this.at - 1)
    SYMBOL.lastIndex = this.at
    const symbol = /[\w:"')\]]/.test(before) ? undefined : SYMBOL.exec(this.code)?.[0]
    if (symbol === undefined) return false
    this.put("text", "", [symbol.slice(1)])
    this.at += symbol.length
    return true
  }

  comment(): boolean {
    const { code, syntax } = this
    const line = syntax.lineComments.find((mark) => code.startsWith(mark, this.at))
    if (line !== undefined) {
      const end = code.indexOf("\n", this.at)
      return this.leaveOut(end < 0 ? code.length : end)
    }
    if (!syntax.blockComments || !code.startsWith("/*", this.at)) return false
    const end = code.indexOf("*/", this.at + 2)
    return this.leaveOut(end < 0 ? code.length : end + 2)
  }

  leaveOut(end: number): true {
    if (LEFT_OUT.test(this.code.slice(this.at, this.at + 40))) this.put("mark", "...")
    this.pass(end)
    this.spaced = true
    return true
  }

  pattern(): boolean {
    PATTERN.lastIndex = this.at
    const pattern = PATTERN.exec(this.code)?.[0]
    if (pattern === undefined) return false
    this.put("broken", "")
    this.at += pattern.length
    return true
  }

  string(character: string): boolean {
    if (!/["'`<A-Za-z$@%]/.test(character)) return false
    const read = readString(this.code, this.at, this.syntax.strings, this.here === null && this.hereEnds)
    if (read === null) return false
    this.put(read.parts === null ? "broken" : "text", "", read.parts ?? NO_PARTS)
    if (read.here !== null) this.here = read.here
    else if (read.parts === null && character === "<") this.hereEnds = false
    this.pass(read.end)
    return true
  }

  take(form: RegExp, kind: Token["kind"]): void {
    form.lastIndex = this.at
    const text = form.exec(this.code)?.[0] ?? this.code.charAt(this.at)
    this.put(kind, text)
    this.at += text.length
  }

  put(kind: Token["kind"], text: string, parts = NO_PARTS): void {
    this.tokens.push({ kind, text, parts, line: this.line, first: this.first, spaced: this.spaced })
    this.first = false
    this.spaced = false
  }
}

/** The tokens of a program, with one of kind `end` after them. Linear in the program. */
export const tokensOf = (code: string, syntax: Syntax): ReadonlyArray<Token> => new Scanner(code, syntax).run()
