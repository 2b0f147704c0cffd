/** A command of a shell, as words without their quotes. */
export interface ShellCommand {
  readonly words: ReadonlyArray<string>
  /** The line that it begins in, from 0. */
  readonly line: number
  /** The text that it reads; `null`: none; `undefined`: one that is not shown. */
  readonly input: string | null | undefined
}

/** What a command puts in where another's output is used. */
const OUTPUT = "{value}"

/** Commands within commands are read this deep. */
const NESTING = 2

/** A quote without an end: the command is given up, and reading goes on in its second line, so many times. */
const MOST_BROKEN = 20

const MOST_COMMANDS = 500

const PROMPT =
  /[ \t]*(?:PS [^>\n]{0,80}> ?|[A-Za-z]:\\[^>\n]{0,80}> ?|[\w.-]{1,40}@[\w.-]{1,60}[: ][^$#\n]{0,60}[$#] |(?:\$|%|>|❯|➜|~) +)+/y

/** A line that begins with an option goes on with the command before, also without a mark for it. */
const OPTION_LINE = /\n[ \t]*(?:> ?)?(?=-{1,2}[A-Za-z])/y

/** `\`, `^` or a backtick at the end of a line. */
const CONTINUED = /[\\^`][ \t]*\n(?:[ \t]*> )?/y

const PLACEHOLDER = /<[A-Za-z][\w .:/-]{0,60}>|\{\{[^{}\n]{0,80}\}\}/y
const HERE = /<<-?[ \t]*(["']?)([A-Za-z_]\w{0,40})\1/y
const PAIR = /&[\w.[\]%-]{1,60}=/y
const NAME = /\$(?:\{([A-Za-z_]\w{0,60})\}|([A-Za-z_]\w{0,60}))/y

const BEFORE_QUOTE = /\$[A-Za-z_]\w{0,60}(?=["'])/y

class Unclosed extends Error {}

class Scanner {
  readonly text: string
  readonly commands: Array<ShellCommand> = []
  readonly variables: Map<string, string>
  readonly nesting: number
  at = 0
  line: number
  words: Array<string> = []
  word: string | null = null
  start = 0
  startLine = 0
  input: string | null | undefined = null
  /** Names of here-documents whose texts begin in the next line. */
  here: string | null = null

  constructor(text: string, line: number, nesting: number, variables: Map<string, string>) {
    this.text = text
    this.line = line
    this.nesting = nesting
    this.variables = variables
  }

  run(): ReadonlyArray<ShellCommand> {
    this.prompt()
    for (let broken = 0; this.at < this.text.length && this.commands.length < MOST_COMMANDS;) {
      try {
        while (this.at < this.text.length) this.step()
        this.end(null)
      } catch (error) {
        if (!(error instanceof Unclosed)) throw error
        if (++broken > MOST_BROKEN) break
        this.recover()
      }
    }
    return this.commands
  }

  match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.at
    return form.exec(this.text)
  }

  /** Moves on, and counts the lines. */
  move(to: number): void {
    for (let at = this.text.indexOf("\n", this.at); at >= 0 && at < to; at = this.text.indexOf("\n", at + 1))
      this.line++
    this.at = to
  }

  recover(): void {
    const end = this.text.indexOf("\n", this.start)
    this.line = this.startLine
    this.at = this.start
    this.move(end < 0 ? this.text.length : end + 1)
    this.begin(null)
    this.prompt()
  }

  begin(input: string | null | undefined): void {
    this.words = []
    this.word = null
    this.input = input
    this.here = null
  }

  prompt(): void {
    const prompt = this.match(PROMPT)?.[0]
    if (prompt !== undefined) this.at += prompt.length
  }

  add(text: string): void {
    this.mark()
    this.word = (this.word ?? "") + text
  }

  /** Where the command begins. */
  mark(): void {
    if (this.words.length > 0 || this.word !== null) return
    this.start = this.at
    this.startLine = this.line
  }

  endWord(): void {
    if (this.word !== null) this.words.push(this.word)
    this.word = null
  }

  end(nextInput: string | null | undefined): void {
    this.endWord()
    if (this.words.length > 0) {
      const assigned = this.assigned()
      if (!assigned) this.commands.push({ words: this.words, line: this.startLine, input: this.input })
    }
    this.begin(nextInput)
  }

  /** `API="https://…"`, `export API=…`: later commands have the value in place of the name. */
  assigned(): boolean {
    const words = this.words[0] === "export" || this.words[0] === "set" ? this.words.slice(1) : this.words
    const pairs = words.map((word) => /^([A-Za-z_]\w{0,60})=([\s\S]{0,2000})$/.exec(word))
    if (pairs.length === 0 || pairs.some((pair) => pair === null)) return false
    for (const pair of pairs) this.variables.set(pair?.[1] ?? "", pair?.[2] ?? "")
    return true
  }

  step(): void {
    const character = this.text.charAt(this.at)
    switch (character) {
      case "\n":
        return this.newLine()
      case " ":
      case "\t":
      case "\r":
      case "\u00a0":
        this.endWord()
        this.at++
        return
      case "\\":
      case "^":
      case "`":
        return this.escape(character)
      case "'":
        return this.plainQuote()
      case '"':
        return this.doubleQuote()
      case "#":
        if (this.word !== null) break
        return this.move(endOfLine(this.text, this.at))
      case "$":
        return this.dollar()
      case "<":
        return this.less()
      case "{":
        return this.placeholder(character)
      case ">":
        return this.greater()
      case "&":
      case "|":
      case ";":
      case "(":
      case ")":
        return this.separator(character)
      default:
    }
    this.add(character)
    this.at++
  }

  newLine(): void {
    const option = this.words.length > 0 || this.word !== null ? this.match(OPTION_LINE) : null
    if (option !== null && this.here === null) {
      this.endWord()
      return this.move(this.at + option[0].length)
    }
    this.move(this.at + 1)
    if (this.here !== null) this.hereText(this.here)
    this.end(null)
    this.prompt()
  }

  hereText(name: string): void {
    const from = this.at
    for (let start = from; start < this.text.length;) {
      const end = endOfLine(this.text, start)
      if (this.text.slice(start, end).trim() === name) {
        this.input = this.text.slice(from, start)
        return this.move(Math.min(end + 1, this.text.length))
      }
      start = end + 1
    }
    throw new Unclosed()
  }

  escape(character: string): void {
    const continued = this.match(CONTINUED)?.[0]
    if (continued !== undefined) {
      this.endWord()
      return this.move(this.at + continued.length)
    }
    if (character === "`") return this.command("`", 1)
    this.mark()
    if (character === "\\") {
      this.add(this.text.charAt(this.at + 1))
      this.at += 2
    } else {
      this.add(character)
      this.at++
    }
  }

  plainQuote(): void {
    const end = this.text.indexOf("'", this.at + 1)
    this.mark()
    if (end < 0) throw new Unclosed()
    this.add(this.text.slice(this.at + 1, end))
    this.move(end + 1)
  }

  doubleQuote(): void {
    this.mark()
    const parts: Array<string> = []
    let at = this.at + 1
    for (; this.text.charAt(at) !== '"'; at++) {
      if (at >= this.text.length) throw new Unclosed()
      const character = this.text.charAt(at)
      const next = this.text.charAt(at + 1)
      if (character === "\\" && /["\\$`\n]/.test(next)) {
        parts.push(next === "\n" ? "" : next)
        at++
      } else if (character === "$") {
        const known = this.variableAt(at)
        parts.push(known === null ? "$" : known.value)
        at += known === null ? 0 : known.length - 1
      } else parts.push(character)
    }
    this.add(parts.join(""))
    this.move(at + 1)
  }

  variableAt(at: number): { readonly value: string; readonly length: number } | null {
    NAME.lastIndex = at
    const name = NAME.exec(this.text)
    const value = this.variables.get(name?.[1] ?? name?.[2] ?? "")
    return name === null || value === undefined ? null : { value, length: name[0].length }
  }

  dollar(): void {
    const next = this.text.charAt(this.at + 1)
    if (next === "'") return this.escapedQuote()
    if (next === "(") return this.command(")", 2)
    const known = this.variableAt(this.at)
    const name = known === null ? this.match(BEFORE_QUOTE)?.[0] : undefined
    // A quote ends the name of a variable, and is gone from the word.
    this.add(known?.value ?? (name === undefined ? "$" : `\${${name.slice(1)}}`))
    this.at += known?.length ?? name?.length ?? 1
  }

  /** `$'it\'s'` */
  escapedQuote(): void {
    this.mark()
    const parts: Array<string> = []
    let at = this.at + 2
    for (; this.text.charAt(at) !== "'"; at++) {
      if (at >= this.text.length) throw new Unclosed()
      const character = this.text.charAt(at)
      if (character !== "\\") parts.push(character)
      else {
        at++
        const escaped = this.text.charAt(at)
        parts.push(escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped)
      }
    }
    this.add(parts.join(""))
    this.move(at + 1)
  }

  /** `$(…)` and `` `…` ``: the output is not known, and what is called there is read by itself. */
  command(close: string, length: number): void {
    this.mark()
    const from = this.at + length
    let depth = 1
    let at = from
    for (; depth > 0; at++) {
      if (at >= this.text.length) throw new Unclosed()
      const character = this.text.charAt(at)
      if (character === "(" && close === ")") depth++
      else if (character === close) depth--
    }
    if (this.nesting < NESTING) {
      const inner = new Scanner(this.text.slice(from, at - 1), this.line, this.nesting + 1, this.variables)
      this.commands.push(...inner.run())
    }
    this.add(OUTPUT)
    this.move(at)
  }

  placeholder(character: string): void {
    const placeholder = this.match(PLACEHOLDER)?.[0] ?? character
    this.add(placeholder)
    this.at += placeholder.length
  }

  less(): void {
    const here = this.match(HERE)
    if (here !== null) {
      this.endWord()
      this.here = here[2] ?? ""
      this.at += here[0].length
      return
    }
    if (this.match(PLACEHOLDER) !== null) return this.placeholder("<")
    this.endWord()
    const isString = this.text.startsWith("<<<", this.at)
    this.at += isString ? 3 : 1
    this.input = undefined
    this.skipWord()
  }

  greater(): void {
    if (this.word !== null && /^\d$/.test(this.word)) this.word = null
    this.endWord()
    this.at++
    while (/[>&|]/.test(this.text.charAt(this.at))) this.at++
    this.skipWord()
  }

  /** The name of a file. */
  skipWord(): void {
    while (/[ \t]/.test(this.text.charAt(this.at))) this.at++
    while (this.at < this.text.length && !/[\s;|&]/.test(this.text.charAt(this.at))) this.at++
  }

  separator(character: string): void {
    const isPair = character === "&" && this.word !== null && /[?/]/.test(this.word) && this.match(PAIR) !== null
    const isWithin = (character === "(" || character === ")") && this.word !== null
    if (isPair || isWithin) {
      this.add(character)
      this.at++
      return
    }
    const isPipe = character === "|" && this.text.charAt(this.at + 1) !== "|"
    this.at++
    if (character === "&" && this.text.charAt(this.at) === ">") return
    this.end(isPipe ? undefined : null)
  }
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end < 0 ? text.length : end
}

/** The commands of a shell's text: prompts and comments left out, lines joined that belong together, quotes resolved. */
export const shellCommands = (text: string, known: ReadonlyMap<string, string>): ReadonlyArray<ShellCommand> =>
  new Scanner(text, 0, 0, new Map(known)).run()
