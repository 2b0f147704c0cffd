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

const STRINGS: StringSyntax = {
  replaced: "none",
  backticks: false,
  triple: false,
  prefixes: "",
  rawPrefixes: "",
  plainSingle: false,
  hereDocument: null,
  multiline: false
}

const C_LIKE: Syntax = {
  lineComments: ["//"],
  blockComments: true,
  strings: STRINGS,
  regexLiterals: false,
  dotJoins: false,
  arrows: false,
  braces: "initialiser",
  firstOfMany: false,
  bareCalls: false
}

export const JAVASCRIPT: Syntax = {
  ...C_LIKE,
  strings: { ...STRINGS, replaced: "template", backticks: true },
  regexLiterals: true,
  braces: "object"
}

/** JSON as it is shown: with comments, commas at the end, and placeholders without quotes. */
export const JSON_TEXT: Syntax = {
  ...C_LIKE,
  lineComments: ["//", "#"],
  strings: STRINGS,
  braces: "object"
}

export const PYTHON: Syntax = {
  ...C_LIKE,
  lineComments: ["#"],
  blockComments: false,
  strings: { ...STRINGS, replaced: "prefix", triple: true, prefixes: "rRbBfFuU", rawPrefixes: "rR" },
  braces: "object"
}

export const GO: Syntax = { ...C_LIKE, strings: { ...STRINGS, backticks: true }, firstOfMany: true }

export const JAVA: Syntax = { ...C_LIKE, strings: { ...STRINGS, triple: true } }

export const KOTLIN: Syntax = { ...C_LIKE, strings: { ...STRINGS, replaced: "dollar", triple: true } }

export const CSHARP: Syntax = {
  ...C_LIKE,
  strings: { ...STRINGS, replaced: "prefix", triple: true, prefixes: "$@", rawPrefixes: "@" }
}

export const PHP: Syntax = {
  ...C_LIKE,
  lineComments: ["//", "#"],
  strings: { ...STRINGS, replaced: "dollar", plainSingle: true, hereDocument: "<<<", multiline: true },
  dotJoins: true,
  arrows: true
}

export const RUBY: Syntax = {
  ...C_LIKE,
  lineComments: ["#"],
  blockComments: false,
  strings: { ...STRINGS, replaced: "hash", plainSingle: true, hereDocument: "<<", multiline: true },
  arrows: true,
  braces: "object",
  bareCalls: true
}
