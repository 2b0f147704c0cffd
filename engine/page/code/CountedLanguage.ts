import { parsedJson } from "../../text/JsonText.ts"
import { oncePer } from "../../text/OncePer.ts"
import type { CodeBlock } from "../Page.ts"

const SHELL_START = /^\s*(?:\$|%|❯|➜)\s+\S/
const PACKAGE_MANAGER_START =
  /^\s*(?:sudo\s+)?(?:npm|npx|pnpm|yarn|bun|bunx|pip3?|pipx|uv|uvx|poetry|conda|gem|bundle|cargo|brew|apt|apt-get|yum|dnf|apk|composer|mix|dotnet|go\s+(?:get|install|mod)|nuget|mvn|docker|curl|wget)\s+\S/

/** Searched far into a block, since the help text of a program may have its examples at the end. */
const CURL_LINE = /^[ \t]{0,8}(?:[$%>❯][ \t]{1,4})?curl[ \t][^\n]{0,2000}https?:\/\//m
const CURL_CHARACTERS = 10_000

/** Longer blocks are recognised by their beginning. */
const JSON_CHARACTERS = 20_000

/** An object's first member, with or without its bracket, or a list's first object: JSON that is truncated or has comments does not parse. */
const JSON_START = /^\s*(?:(?:\[\s*)?\{\s*)?"[^"\n]{1,200}"\s*:/

/** The head of a response before its body. */
const HEAD = /^(?:\s{0,9}HTTP\/[^\n]{1,60}\n)?(?:[A-Z][\w-]{1,40}: [^\n]{0,500}\n){0,20}(?=\s{0,9}[[{])/

const isJson = (text: string): boolean => {
  const body = text.replace(HEAD, "")
  if (JSON_START.test(body)) return true
  return /^\s*[[{]/.test(body) && body.length <= JSON_CHARACTERS && parsedJson(body) !== undefined
}

const isShell = (text: string): boolean => {
  const start = text.slice(0, 500)
  return CURL_LINE.test(text.slice(0, CURL_CHARACTERS)) || SHELL_START.test(start) || PACKAGE_MANAGER_START.test(start)
}

/** The tag that a file of PHP begins with; nothing else does. */
const PHP_START = /^\s*<\?(?:php\b|=)/i

type Block = Pick<CodeBlock, "language" | "text">

/** A program shows what it is written in at its beginning. */
const CHARACTERS = 3_000

/** Data and markup. */
const NO_PROGRAM = /^\s*(?:[[{<(]|---)/

/** What a program printed, a session in a shell, a difference between files, a drawing, and Markdown: they may hold code, and are none. */
const AROUND_PROGRAMS =
  /^Traceback \(most recent call last\)|^[ \t]{1,40}at [\w$.<> ]{1,200}\(|^(?:[+-]{3} [ab]\/|@@ -)|[│├└┌]|^[ \t]{0,8}[$❯➜%] \S|^[ \t]{0,8}```/m

const WEIGHT = { strong: 2, weak: 1 } as const

/** One strong sign and another of any strength, or three weak ones. */
const ENOUGH = 3

/** How much further the next language must be behind. */
const AHEAD = 2

/**
 * The language that code without a language is unmistakably written in: it has several independent signs of it, and hardly any of
 * another. `null` for everything else.
 */
export const recognisedLanguage = (text: string): string | null => {
  const start = text.slice(0, CHARACTERS)
  if (NO_PROGRAM.test(start) || AROUND_PROGRAMS.test(start)) return null
  const [first, second] = [...LANGUAGE_SIGNS]
    .map(([language, signs]) => ({ language, weight: weightOf(start, signs) }))
    .sort((one, other) => other.weight - one.weight)
  return first !== undefined && first.weight >= ENOUGH && first.weight - (second?.weight ?? 0) >= AHEAD
    ? first.language
    : null
}

const weightOf = (text: string, { others, signs }: LanguageSigns): number => {
  const weight = signs.reduce((sum, { pattern, strength }) => sum + (pattern.test(text) ? WEIGHT[strength] : 0), 0)
  return weight >= ENOUGH && others.test(text) ? 0 : weight
}

/** A construct of a language: `strong` where hardly another language writes it so, `weak` where a few do. */
interface LanguageSign {
  readonly strength: "strong" | "weak"
  readonly pattern: RegExp
}

const strong = (pattern: RegExp): LanguageSign => ({ strength: "strong", pattern })
const weak = (pattern: RegExp): LanguageSign => ({ strength: "weak", pattern })

/** Independent constructs of a language (what a program imports, declares, calls and prints), and those that it never has. */
interface LanguageSigns {
  readonly signs: ReadonlyArray<LanguageSign>
  /** Constructs of the languages that share its signs. */
  readonly others: RegExp
}

/** By the canonical name of the language. */
const LANGUAGE_SIGNS: ReadonlyMap<string, LanguageSigns> = new Map([
  [
    "python",
    {
      signs: [
        strong(/^[ \t]{0,40}from [\w.]{1,80} import [\w(*]/m),
        strong(/^[ \t]{0,40}(?:async )?def \w{1,60}\([^\n]{0,200}\)(?: -> [^\n:]{1,80})?:[ \t]{0,4}$/m),
        strong(
          /^[ \t]{0,40}(?:for [\w, ]{1,60} in [^\n]{1,200}|(?:async )?with [^\n]{1,200} as \w{1,40}|class [A-Z]\w{0,60}(?:\([\w., =[\]]{0,100}\))?|except(?: \w[\w.]{0,60}(?: as \w{1,20})?)?|elif [^\n{}]{1,200}):[ \t]{0,4}$/m
        ),
        strong(/^>>> \S/m),
        weak(/\n(?:>>>|\.\.\.) /),
        strong(/^[ \t]{0,40}if __name__ == ["']__main__["']:/m),
        weak(/^[ \t]{0,40}import [a-z_A-Z][\w.]{0,80}(?: as \w{1,40}|(?:, [a-z_]\w{0,40}){1,6})?[ \t]{0,4}$/m),
        weak(/^[ \t]{0,40}[A-Za-z_][\w.]{0,60} = (?:await )?[A-Za-z_][\w.]{0,80}\((?:[^\n;]{0,200}\))?[ \t]{0,4}$/m),
        weak(/^[ \t]{0,40}print\([^\n]{0,200}\)[ \t]{0,4}$/m),
        weak(/\bself\.\w|\bis None\b|\bis not None\b|= (?:None|True|False)\b|[(\s=]f["'][^"'\n]{0,200}\{/),
        weak(/\w=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|True|False|None),?[ \t]{0,4}$/m)
      ],
      others:
        /^[ \t]{0,40}(?:let|var|val|const|func|fn|function|local|end|using|module|object|public|private|override|impl|struct|package)\b|[;{}][ \t]{0,4}\/\/|\b(?:println|IO\.puts)\b|;[ \t]{0,4}$/m
    }
  ],
  [
    "javascript",
    {
      signs: [
        strong(
          /^[ \t]{0,40}import (?:[\w$]{1,60}|\* as \w{1,60}|(?:\w{1,60}, )?\{[^{}\n]{0,200}\}) from ["'][^"'\n]{1,200}["']/m
        ),
        strong(/\b(?:const|let|var) [\w${},: ]{1,200} = (?:await )?(?:require|import)\(["'`]/),
        strong(/\bconsole\.(?:log|error|warn|info|debug|table)\(/),
        strong(
          /\b(?:document|window)\.(?:getElementById|querySelector|querySelectorAll|addEventListener|createElement|location)\b/
        ),
        strong(/\bJSON\.stringify\(|\bmodule\.exports\b|\bprocess\.env\.\w|\bawait fetch\(/),
        strong(/^[ \t]{0,40}(?:export )?const \{[^{}\n]{1,200}\} = /m),
        strong(/^[ \t]{0,40}(?:export (?:default )?)?async function \w{0,60}\(/m),
        weak(/^[ \t]{0,40}(?:export )?(?:const|let) [A-Za-z_$][\w$]{0,60} = \S/m),
        weak(/(?:\)|\b[A-Za-z_$][\w$]{0,40}) => (?:\{|[\w$.]{1,60}\()/),
        weak(/\bfunction(?: [\w$]{1,60})?\([\w$, ]{0,100}\) \{/),
        weak(/\.(?:then|catch)\((?:async )?(?:function\b|\(?[\w$, ]{0,40}\)? =>)/),
        weak(/ (?:===|!==) /)
      ],
      others:
        /^[ \t]{0,40}(?:import type|(?:export )?(?:interface|enum|declare|namespace|abstract|type) [A-Z]|using [A-Z]|package \w|#include|(?:private|public|protected|readonly) \w)|\w\??: (?:string|number|boolean|any|void|unknown|never|[A-Z]\w{0,40}(?:\.\w{1,40}){0,3}(?:<|\[\]| =|\)))|^[ \t]{0,40}\/\/ \S{1,80}\.tsx?\b|\bas const\b|<\?php/m
    }
  ],
  [
    "java",
    {
      signs: [
        strong(/^[ \t]{0,40}import (?:static )?[a-z]\w{0,40}(?:\.\w{1,60}){1,10}(?:\.\*)?;/m),
        strong(/\bSystem\.(?:out|err)\.print|\bSystem\.(?:currentTimeMillis|getenv|getProperty)\(/),
        strong(/\bpublic static void main\(\s?(?:final )?String\b/),
        strong(/\bthrows [A-Z]\w{0,60}(?:Exception|Error)\b/),
        strong(/^[ \t]{0,40}@(?:Override|Autowired|Test|SpringBootApplication|RestController|Bean)\b/m),
        strong(/\.newBuilder\(/),
        weak(
          /^[ \t]{0,40}(?:public|private|protected) (?:static )?(?:final )?(?:class|interface|enum|[A-Z]\w{0,60}(?:<[\w<>,? ]{0,80}>)?|void|int|long|boolean) \w{1,60}/m
        ),
        weak(
          /^[ \t]{0,40}(?:final )?(?:Integer|Long|Boolean|String\[\]|HashMap<|ArrayList<)[\w<>,? ]{0,80} \w{1,60} = [^\n]{1,300};/m
        ),
        weak(/^[ \t]{0,40}(?:final )?[A-Z]\w{0,60}(?:<[\w<>,? ]{0,80}>)? [a-z]\w{0,60} = new [A-Z]/m),
        weak(
          /^[ \t]{0,40}[A-Z]\w{0,60}(?:<[\w<>,? ]{0,80}>)? [a-z]\w{0,60} = [A-Za-z]\w{0,60}\.[a-z]\w{0,60}\([^\n]{0,200};/m
        )
      ],
      others:
        /^[ \t]{0,40}(?:using|val|var|fun|def|void main|#include|import ["'])|\bConsole\.|::\w{1,60}\(|\{ get; |\bconst \w/m
    }
  ],
  [
    "csharp",
    {
      signs: [
        strong(/^[ \t]{0,40}using (?:static )?[A-Z]\w{0,60}(?:\.[A-Z]\w{0,60}){0,8};/m),
        strong(/\bConsole\.(?:Write|Read)(?:Line)?\(/),
        strong(/\bawait (?:[\w]{1,60}\.){1,4}[A-Z]\w{0,60}Async(?:<[\w<>,. ]{1,80}>)?\(/),
        strong(/\{ get; (?:(?:private |protected |internal )?(?:set|init); )?\}/),
        strong(/\bstatic (?:async )?(?:void|int|Task(?:<int>)?) Main\(/),
        strong(/\bforeach \((?:var|string|int|[A-Z]\w{0,60}) \w{1,60} in /),
        weak(/^[ \t]{0,40}(?:using )?var \w{1,60} = (?:await |new )\S/m),
        weak(
          /^[ \t]{0,40}(?:public|private|protected|internal) (?:(?:static|async|override|sealed|readonly|virtual) ){0,3}(?:class|interface|void|string|int|bool|Task|[A-Z]\w{0,60}(?:<[\w<>,? ]{0,80}>)?) \w{1,60}/m
        ),
        weak(/^[ \t]{0,40}namespace [A-Z][\w.]{0,100}[ \t]{0,4}[;{]?[ \t]{0,4}$/m),
        weak(/^[ \t]{0,40}(?:string|bool|decimal|int) \w{1,60} = [^\n]{1,300};/m)
      ],
      others:
        /^[ \t]{0,40}(?:Dim|Imports|Sub|End|let|open|Module|import|fun|function|using namespace)\b|#include|\bconsole\.|=== /m
    }
  ],
  [
    "php",
    {
      signs: [
        strong(/<\?php\b/i),
        strong(/\bfunction \w{0,60}\((?:\??[\w\\]{1,80} )?&?\$\w/),
        strong(/^[ \t]{0,40}use [A-Z]\w{0,60}(?:\\\w{1,60}){1,10}(?: as \w{1,60})?;/m),
        strong(/\$\w{1,60} = new \\?[A-Z][\w\\]{0,120}[(;]/),
        strong(/\$\w{1,60} = \\?[A-Z][\w\\]{0,120}::\w{1,60}\(/),
        strong(
          /\$\w{1,60} = (?:curl_init|json_decode|json_encode|file_get_contents|array)\(|\b(?:var_dump|print_r|curl_setopt)\(\$/
        ),
        strong(/\brequire(?:_once)?[ (]{1,2}(?:__DIR__ \. )?["'][^"'\n]{0,200}\.php["']/),
        weak(/^[ \t]{0,40}\$\w{1,60} = [^\n]{1,300};[ \t]{0,4}$/m),
        weak(/\$\w{1,60}->\w{1,60}\b/),
        weak(/^[ \t]{0,40}echo [^\n]{1,300};[ \t]{0,4}$/m),
        weak(/["']\w{1,60}["'] => /)
      ],
      others: /\b(?:my|our) [$@%(]|^use (?:strict|warnings)|\bqw\(|^[ \t]{0,40}(?:let|const|var|import) \w/m
    }
  ],
  [
    "go",
    {
      signs: [
        strong(/^package main[ \t]{0,4}$/m),
        strong(/^import \([ \t]{0,4}$/m),
        strong(/^[ \t]{0,40}if err != nil \{/m),
        strong(
          /\b(?:fmt\.(?:Print|Sprint|Fprint|Errorf)|log\.(?:Fatal|Print)|http\.NewRequest|context\.Background\(|json\.(?:Marshal|Unmarshal)\()/
        ),
        strong(/^[ \t]{0,40}[a-z_]\w{0,40}(?:, [a-z_]\w{0,40}){1,3} := \S/m),
        strong(/^func \(\w{1,40} \*?[A-Z]\w{0,60}\) \w{1,60}\(/m),
        strong(/^func main\(\) \{/m),
        weak(/^func [A-Za-z]\w{0,60}\([^\n]{0,200}\) (?:\([^\n]{0,100}\) |[\w.*[\]]{1,60} )?\{/m),
        weak(/^[ \t]{0,40}[a-z]\w{0,40} := &?[\w.]{1,80}[({]/m),
        weak(/^import "[\w./-]{1,200}"[ \t]{0,4}$/m),
        weak(/^type [A-Z]\w{0,60} (?:struct|interface) \{/m)
      ],
      others: /^[ \t]{0,40}(?:let|fn|def|class|import .{1,200};)\b|<\?php/m
    }
  ],
  [
    "ruby",
    {
      signs: [
        strong(/^[ \t]{0,40}require(?:_relative)? ["'][\w./-]{1,100}["'][ \t]{0,4}$/m),
        strong(/ (?:do|\{) \|[\w, *&]{1,60}\|/),
        strong(/\b[A-Z]\w{0,60}::[A-Z][\w:]{0,100}\.new\b/),
        strong(
          /^[ \t]{0,40}(?:attr_(?:accessor|reader|writer) :|module [A-Z]\w{0,60}[ \t]{0,4}$|class [A-Z]\w{0,60} < [A-Z])/m
        ),
        weak(/^[ \t]{0,40}(?:[a-z_]\w{0,40} = )?[A-Z]\w{0,60}\.new\b/m),
        weak(/^[ \t]{0,40}puts [^\n]/m),
        weak(/^[ \t]{0,40}def [a-z_][\w.?!=]{0,60}(?:\([^\n:]{0,200}\))?[ \t]{0,4}$/m),
        weak(/^[ \t]{0,40}end[ \t]{0,4}$/m),
        weak(/(?:[\s(]):[a-z_]\w{0,60} => |\bENV(?:\[|\.fetch\()/),
        weak(/\.(?:each|map|select)(?: do)?\b/)
      ],
      others:
        /^[ \t]{0,40}(?:local|import|alias|use|defmodule|defp|const|let|var|fn|using|function|struct|mutable)\b|\|>|%\{|\bthen[ \t]{0,4}$|~=|^[ \t]{0,40}@(?:doc|spec|moduledoc)\b/m
    }
  ]
])

/** Several criteria ask for the same blocks. */
const recognised = oncePer(({ text }: Block): string | null => recognisedLanguage(text))

const programLanguage = (block: Block): string | null => (PHP_START.test(block.text) ? "php" : recognised(block))

/** By its content alone. */
const guessed = (block: Block): string | null => (isShell(block.text) ? "shell" : programLanguage(block))

/** A block that begins with a request to a URL; behind the tag `text` other commands are often part of what was printed. */
const CURL_START = /^\s*(?:[$%>❯][ \t]{1,4})?curl[ \t][^\n]{0,2000}https?:\/\//

/** Highlighters tag as `text` what they are not told the language of. */
const guessedOfText = (block: Block): string =>
  CURL_START.test(block.text) ? "shell" : (programLanguage(block) ?? "text")

/**
 * The language to count a block as, of which the page says that it is in `said`: JSON where it is JSON, whatever its tag says
 * (responses are often tagged as the language of the request); else what the page says; where that is nothing, shell where it begins
 * as a command line, PHP where it begins with its tag, and the language that it is unmistakably in. The same for what is tagged as
 * text, of commands only `curl`. `null` for code without a language.
 */
export const countedLanguage = (block: Block, said = block.language): string | null => {
  if (isJson(block.text)) return "json"
  if (said === "text") return guessedOfText(block)
  return said ?? guessed(block)
}
