import type { CodeBlock } from "../Page.ts"
import { parsedJson } from "../../text/ParsedJson.ts"

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

/**
 * The language to count a block as: JSON where it is JSON, whatever its tag says (responses are often tagged as the
 * language of the request); else what the page says, else shell where it begins as a command line; `null` for code
 * without a language.
 */
export const countedLanguage = (block: Pick<CodeBlock, "language" | "text">): string | null =>
  isJson(block.text) ? "json" : (block.language ?? (isShell(block.text) ? "shell" : null))
