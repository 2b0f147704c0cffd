import type { CodeBlock } from "../Page.ts"
import { parsedJson } from "../../text/ParsedJson.ts"
import { oncePer } from "../../text/OncePer.ts"
import { recognisedLanguage } from "./RecognisedLanguage.ts"

const SHELL_START = /^\s*(?:\$|%|❯|➜)\s+\S/
const PACKAGE_MANAGER_START =
  /^\s*(?:sudo\s+)?(?:npm|npx|pnpm|yarn|bun|bunx|pip3?|pipx|uv|uvx|poetry|conda|gem|bundle|cargo|brew|apt|apt-get|yum|dnf|apk|composer|mix|dotnet|go\s+(?:get|install|mod)|nuget|mvn|docker|curl|wget)\s+\S/

/** Searched far into a block, since the help text of a program may have its examples at the end. */
const CURL_LINE = /^[ \t]{0,8}(?:[$%>❯][ \t]{1,4})?curl[ \t][^\n]{0,2000}https?:\/\//m
const CURL_CHARACTERS = 10_000

/** Longer blocks are recognised by their beginning. */
const JSON_CHARACTERS = 20_000

/** An object's first member, or a list's first object: JSON that is truncated or has comments does not parse. */
const JSON_START = /^\s*(?:\[\s*)?\{\s*"[^"\n]{1,200}"\s*:/

const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false
  return JSON_START.test(text) || (text.length <= JSON_CHARACTERS && parsedJson(text) !== undefined)
}

const isShell = (text: string): boolean => {
  const start = text.slice(0, 500)
  return CURL_LINE.test(text.slice(0, CURL_CHARACTERS)) || SHELL_START.test(start) || PACKAGE_MANAGER_START.test(start)
}

/** The tag that a file of PHP begins with; nothing else does. */
const PHP_START = /^\s*<\?(?:php\b|=)/i

type Block = Pick<CodeBlock, "language" | "text">

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
