import { isProgramming } from "../../engine/page/code/CodeLanguage.ts"
import { countedLanguage } from "../../engine/page/code/CountedLanguage.ts"
import { isInstaller } from "../../engine/page/code/InstallLine.ts"
import type { CodeBlock } from "../../engine/page/Page.ts"
import type { Reader } from "../../engine/text/languages/Reader.ts"
import { namesProduct } from "../../engine/site/topics/ProductName.ts"

/** The context of a code block. */
export interface ExampleContext {
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
  /** The heading above the block; empty if it has none. */
  readonly heading: string
  readonly reader: Reader
}

/** Maximum number of characters to read of a block: a call comes first. */
const BLOCK_CHARACTERS = 10_000

/**
 * A call that can be copied and run: `curl`, `wscat`, a raw HTTP request or client code with a full URL; of a library or a
 * command line, a call with what it needs to be complete. Data, output, installers and downloads are none.
 */
export const isRunnable = (block: CodeBlock, context: ExampleContext): boolean => {
  const language = countedLanguage(block)
  const lines = commandLines(block.text)
  if (lines.some(isRequestCommand) || isRawRequest(lines)) return true
  if (language === null ? looksLikeData(block.text) : !isProgramming(language)) return false
  if (TYPE_SPEC.test(block.text)) return false
  return (
    lines.some((line) => isOwnCommand(line, language, context.names)) ||
    (language !== "shell" &&
      (isClientCode(commandLines(withoutPayload(block.text)), language) || isLibraryCall(lines, language, context)))
  )
}

const PROMPT = /^\s*(?:(?:\$|%|>|❯|>>>|\.\.\.|irb>|iex>|In \[\d+\]:)\s+)?/

/** Lines joined with their continuations (`\`, `` ` ``, `^` at the end), without prompts and comments. */
const commandLines = (text: string): ReadonlyArray<string> =>
  continued(text.slice(0, BLOCK_CHARACTERS))
    .split("\n")
    .map((line) => withoutComment(line.replace(PROMPT, "")))
    .filter((line) => line !== "" && !/^(?:#(?!include)|\/\/|--\s|\*|\/\*|<!--|;)/.test(line))

const CONTINUATION = /[\\`^]\n\s*/g

/** Each continuation, and the white space around it, as one space. */
const continued = (text: string): string => {
  const parts: Array<string> = []
  let from = 0
  for (const { 0: continuation, index } of text.matchAll(CONTINUATION)) {
    parts.push(text.slice(from, index).trimEnd())
    from = index + continuation.length
  }
  return [...parts, text.slice(from)].join(" ")
}

const COMMENT = /\s(?:#|\/\/)\s/g

/** Line terminators of JavaScript other than `\n`. */
const LINE_ENDS = ["\r", "\u2028", "\u2029"]

/** Removes a comment at the end of the line, unless it contains a line terminator. */
const withoutComment = (line: string): string => {
  const end = Math.max(...LINE_ENDS.map((lineEnd) => line.lastIndexOf(lineEnd)))
  COMMENT.lastIndex = Math.max(0, end - 3)
  for (let found = COMMENT.exec(line); found !== null; found = COMMENT.exec(line)) {
    if (COMMENT.lastIndex > end) return line.slice(0, found.index)
    COMMENT.lastIndex = found.index + 1
  }
  return line
}

const looksLikeData = (text: string): boolean => /^\s*[[{<]/.test(text)

/** Elixir and Erlang have a form of their own for what a function takes and gives; it may go over several lines. */
const TYPE_SPEC = /^\s*(?:@|-)(?:spec|type|typep|opaque|callback|macrocallback)\s/

const ADDRESS = /(?:https?|\bwss?):\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?[^\s"'`<>)\\]{0,500}/gi

/** URLs that are not API endpoints: registries, code hosting, CDNs, namespaces, documentation. */
const NO_API =
  /^(?:https?|wss?):\/\/(?:(?:www\.)?(?:npmjs\.com|pypi\.org|rubygems\.org|crates\.io|w3\.org|json-schema\.org|schema\.org|xmlsoap\.org)|registry\.[\w.-]+|repo1?\.[\w.-]+|schemas\.[\w.-]+|unpkg\.com|cdn\.[\w.-]+|cdnjs\.[\w.-]+|esm\.sh|(?:raw\.|gist\.)?github(?:usercontent)?\.com|gitlab\.com|bitbucket\.org|(?:docs|downloads?|dl|dist|releases)\.[\w.-]+|[\w-]+\.readthedocs\.(?:io|org))(?:[:/]|$)/i

const callsAddress = (text: string): boolean => (text.match(ADDRESS) ?? []).some((address) => !NO_API.test(address))

const REQUEST_COMMAND = /^(?:sudo\s+|time\s+|npx\s+(?:-y\s+)?)?(?:curl|curlie|https?|xh|xhs|wget|wscat|websocat)\s+\S/
const DOWNLOAD =
  /\s(?:-[a-zA-Z]*O\b|--remote-name|(?:-o|--output|-O)\s*\S+\.(?:tar|gz|tgz|xz|bz2|zip|sh|bash|ps1|deb|rpm|pkg|dmg|exe|msi|asc|gpg|jar|whl|repo|list)\b)|\.(?:tar(?:\.\w+)?|tgz|zip|deb|rpm|sh|exe|dmg|jar)["']?(?:\s|$)/

/** What a command sends: the body, form fields and headers of curl, and the fields of HTTPie. An address in them is not the API's. */
const SENT =
  /\s(?:(?:-[dFH]|--(?:data(?:-\w{1,20})?|json|form(?:-string)?|header))[\s=]?|[A-Za-z][\w.-]{0,60}:?=)(?:"[^"]{0,5000}"|'[^']{0,5000}'|[^\s"']{1,500})/g

const isRequestCommand = (line: string): boolean =>
  REQUEST_COMMAND.test(line) && !isInstaller(line) && !DOWNLOAD.test(line) && callsAddress(line.replace(SENT, " "))

const REQUEST_LINE = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|QUERY)\s+(\S+)/

const isRawRequest = (lines: ReadonlyArray<string>): boolean =>
  lines.some((line, index) => {
    const target = REQUEST_LINE.exec(line)?.[1]
    if (target === undefined) return false
    return (
      callsAddress(target) ||
      (target.startsWith("/") && lines.slice(index + 1, index + 30).some((header) => /^host:\s*\S/i.test(header)))
    )
  })

const IMPORT =
  /^(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s[^=]{1,200}=\s*(?:await\s+)?(?:require|import)\s*\(|require(?:_relative|_once)?[\s(]|use\s|using\s|library\(|alias\s|#include\b|(?:@|include|load)\s?["'])/
/** A declaration is a signature, not a call: `def fetch(id: str) -> acme.Order`, `public Order fetch(String id)`. */
const DECLARATION =
  /^(?:(?:export\s+|default\s+|declare\s+|abstract\s+|async\s+|pub(?:\(\w+\))?\s+)*(?:def|defp|defmacro|fn|func|fun|function|class|interface|type|struct|enum|trait|impl|module|namespace)\s|(?:public|private|protected|static|final|virtual|extern|internal)\s)/
const CALL = /[\p{L}\p{N}_!?$]\s?\(|^\s*[\w.:]+(?:::|\.)\w+[!?]?\s+["':\w]/u

/** What client code sends: `json={…}` in Python, `JSON.stringify({…})` in JavaScript. */
const PAYLOAD = /\b(?:(?:json|data|params|files|headers|payload)\s?=\s?|JSON\.stringify\(\s?)\{[^{}]{0,3000}\}/g

const withoutPayload = (text: string): string =>
  text.slice(0, BLOCK_CHARACTERS).replace(PAYLOAD, (sent) => sent.replace(ADDRESS, ""))

const isClientCode = (lines: ReadonlyArray<string>, language: string | null): boolean =>
  lines.some((line) => callsAddress(line) && !IMPORT.test(line)) &&
  lines.some((line) => !IMPORT.test(line) && CALL.test(line)) &&
  (language !== null || lines.some((line) => callsAddress(line) && CALL.test(line)))

/** `Octokit::Client.new(…)`, `ellmer::chat_openai()`, `httpx.get(…)`: a call through the product's own name. */
const QUALIFIED_CALL = /(?<![\w.:/"'])([A-Za-z]\w{2,40})(?:(?:\.|::|->|\\)\w{1,60}[!?]?){1,6}(?:\s?\(|\s+["':])/g

/** A longer heading has other words than "Examples". */
const EXAMPLE_HEADING = 30

const isLibraryCall = (
  lines: ReadonlyArray<string>,
  language: string | null,
  { heading, names, reader }: ExampleContext
): boolean => {
  const calls = lines.filter((line) => !IMPORT.test(line) && !DECLARATION.test(line) && CALL.test(line))
  if (calls.length === 0) return false
  const imported = lines.some(
    (line) => IMPORT.test(line) && line.split(/[^\p{L}\p{N}]+/u).some((word) => namesProduct(names, word))
  )
  return (
    imported ||
    calls.some((line) =>
      [...line.slice(0, 500).matchAll(QUALIFIED_CALL)].some(([, name = ""]) => namesProduct(names, name))
    ) ||
    (language !== null &&
      (/^(?:usage )?examples?\W*$/i.test(heading) ||
        (heading.length <= EXAMPLE_HEADING && reader.says("examples", heading))))
  )
}

const RUNNER = /^(?:npx|bunx|uvx|pnpm dlx|pipx run|python3? -m|deno run|go run|cargo run --)\s+(?:-\S+\s+)*/
const SETTINGS = /^(?:sudo\s+|[A-Z_][A-Z0-9_]*=\S*\s+)+/

/** The product's own program, with an argument. */
const isOwnCommand = (line: string, language: string | null, names: ReadonlySet<string>): boolean => {
  if (language !== null && language !== "shell" && language !== "powershell" && language !== "batch") return false
  const [, command = "", argument] =
    /^(?:\.\/)?@?([\w/.-]+)(?:\s+([\w./"'<[{$-]\S*))?/.exec(line.replace(SETTINGS, "").replace(RUNNER, "")) ?? []
  const program = command.split("/").at(-1) ?? ""
  return (
    argument !== undefined &&
    !/[.:,;]$/.test(command) &&
    namesProduct(names, program.replace(/[-_](?:cli|server|ctl)$/, ""))
  )
}
