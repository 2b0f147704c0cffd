import { escapeMarkup } from "../../../engine/text/MarkupText.ts"

/*
 * Colours of code in the documentation, as spans: a few kinds of token for a few languages, found by one pattern each. A full
 * highlighter would be larger than all pages together.
 */

/** Kinds of token by the class that colours them; earlier ones win. */
type Grammar = Readonly<Record<string, string>>

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
const NUMBER = String.raw`\b\d+(?:\.\d+)?\b`
const words = (list: string): string => String.raw`\b(?:${list.replaceAll(" ", "|")})\b`

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  json: {
    key: String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`,
    string: STRING,
    number: NUMBER,
    word: words("true false null")
  },
  yaml: {
    comment: "#[^\\n]*",
    string: STRING,
    key: String.raw`^[ \t]*(?:- )?[\w.-]+(?=:)`,
    number: NUMBER,
    word: words("true false null on")
  },
  sh: {
    comment: String.raw`(?<=^|\s)#[^\n]*`,
    string: STRING,
    option: String.raw`(?<=\s)--?[a-zA-Z][\w-]*`,
    word: String.raw`^(?:curl|npx|npm|docker|docgauge|claude|codex|gemini|code|node|git)\b`
  },
  http: {
    word: String.raw`^(?:GET|POST|PUT|DELETE|HTTP/1\.1 \d+[^\n]*)`,
    key: String.raw`^[A-Za-z-]+(?=:)`,
    string: STRING
  },
  python: {
    comment: "#[^\\n]*",
    string: STRING,
    number: NUMBER,
    word: words("import from def return for in if else while with as print True False None")
  },
  js: {
    comment: String.raw`\/\/[^\n]*`,
    string: `${STRING}|${String.raw`\`(?:[^\`\\]|\\.)*\``}`,
    number: NUMBER,
    word: words("const let import from await async function return if else for of throw new true false null")
  }
}

const patternOf = (grammar: Grammar): RegExp =>
  new RegExp(
    Object.entries(grammar)
      .map(([kind, source]) => `(?<${kind}>${source})`)
      .join("|"),
    "gm"
  )

const PATTERNS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(GRAMMARS).map(([language, grammar]) => [language, patternOf(grammar)])
)

/** Code as HTML, coloured if we know the language. */
export const colouredCode = (code: string, language: string): string => {
  const pattern = PATTERNS.get(language)
  if (pattern === undefined) return escapeMarkup(code)
  let html = ""
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ["word"]
    html += `${escapeMarkup(code.slice(end, match.index))}<span class="code-${kind}">${escapeMarkup(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeMarkup(code.slice(end))
}
