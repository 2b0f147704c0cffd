import { isProgramming } from "../../engine/page/code/CodeLanguage.ts"
import { countedLanguage } from "../../engine/page/code/CountedLanguage.ts"
import { isInstaller } from "../../engine/page/code/InstallLine.ts"
import type { CodeBlock, Page } from "../../engine/page/Page.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import { namesProduct } from "../../engine/site/topics/ProductName.ts"

/** The context of a code block. */
interface ExampleContext {
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
  /** The heading above the block; empty if it has none. */
  readonly heading: string
  /** The titles, headings and text that the block is among. */
  readonly around: () => string
  /** See `Documentation`. */
  readonly isOwn: (url: string) => boolean
  readonly reader: Reader
  /** See `addressVariables`. */
  readonly variables: ReadonlyMap<string, string>
}

/** Maximum number of characters to read of a block: a call comes first. */
const BLOCK_CHARACTERS = 10_000

/**
 * A call that can be copied and run: `curl`, `wscat`, a raw HTTP request or client code with a full URL; of a library or a
 * command line, a call with what it needs to be complete. Data, output, installers and downloads are none.
 */
export const isRunnable = (block: CodeBlock, context: ExampleContext): boolean => {
  const language = countedLanguage(block)
  const lines = withAddresses(
    commandLines(language === null || language === "shell" ? asTyped(block.text) : block.text),
    context.variables
  )
  if (lines.some(isRequestCommand) || isRawRequest(lines, context)) return true
  if (language === null ? looksLikeData(block.text) : !isProgramming(language)) return false
  if (TYPE_SPEC.test(block.text) || lines.some((line) => NO_CLIENT.test(line))) return false
  return (
    lines.some((line) => isOwnCommand(line, language, context.names)) ||
    (language !== "shell" &&
      (isClientCode(commandLines(withoutPayload(block.text)), language) || isLibraryCall(lines, language, context)))
  )
}

/** `export API="https://…"`, `@host = https://…`, `$root = 'https://…'`. */
const ADDRESS_VARIABLE =
  /^(?:export\s+|set\s+|@|\$(?:env:)?)?([A-Za-z_]\w{0,60})\s*=\s*["']?(https?:\/\/[^\s"'`]{1,500})/

/** Variables that code on the page sets to a URL, by name: those who copy a later block have copied this one. */
export const addressVariables = (blocks: ReadonlyArray<Pick<CodeBlock, "text">>): ReadonlyMap<string, string> =>
  new Map(
    blocks.flatMap(({ text }) =>
      commandLines(text).flatMap((line): ReadonlyArray<readonly [string, string]> => {
        const [, name, url] = ADDRESS_VARIABLE.exec(line) ?? []
        return name === undefined || url === undefined ? [] : [[name, url]]
      })
    )
  )

/** `$API`, `${API}`, `{{API}}`. */
const VARIABLE = /\$\{(\w{1,60})\}|\{\{\s?(\w{1,60})\s?\}\}|\$(\w{1,60})/g

/** Lines with the URLs in place of the variables that hold them. */
const withAddresses = (lines: ReadonlyArray<string>, variables: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  variables.size === 0
    ? lines
    : lines.map((line) =>
        line.replace(
          VARIABLE,
          (whole, braced: string | undefined, doubled: string | undefined, plain: string | undefined) =>
            variables.get(braced ?? doubled ?? plain ?? "") ?? whole
        )
      )

const PROMPT = /^\s*(?:(?:\$|%|>|❯|>>>|\.\.\.|irb>|iex>|In \[\d+\]:)\s+)?/

/** The prompt of a root shell looks like a comment; a command that sends a request follows it, no prose. */
const ROOT_PROMPT = /^[ \t]{0,20}#[ \t]{1,4}(?=(?:curl|https?|wget|wscat|xh)[ \t])/gm

const asTyped = (text: string): string => text.slice(0, BLOCK_CHARACTERS).replace(ROOT_PROMPT, "$$ ")

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

/** The server that receives a webhook. */
const RECEIVER =
  /\bdef \w{1,60}\(request\b|@(?:app|router|blueprint|bp)\.(?:route|post|get)\(|\b(?:app|router)\.(?:post|get|use)\(["'`]|@(?:Post|Get|Request)Mapping\b/

/** What sets up a build or drives a browser is no call of an API. */
const NO_CLIENT =
  /\b(?:defineConfig|createProxyMiddleware)\s?\(|\b(?:page\.goto|cy\.visit|driver\.get|browser\.(?:get|url))\(/

/** Elixir and Erlang have a form of their own for what a function takes and gives; it may go over several lines. */
const TYPE_SPEC = /^\s*(?:@|-)(?:spec|type|typep|opaque|callback|macrocallback)\s/

/** A part of a host that the reader replaces, such as a tenant: `{tenant}`, `{{tenant}}`, `${TENANT}`, `<tenant>`; `$TENANT` has letters only. */
const HOST_PLACEHOLDER = "\\{{1,2}[^{}\\s\"'`]{1,60}\\}{1,2}|<[\\w.: -]{1,60}>"
const ADDRESS = new RegExp(
  `(?:https?|\\bwss?)://(?=[.$-]{0,9}[\\w{<[])(?:(?:[\\w.$-]|${HOST_PLACEHOLDER})+|\\[[\\da-f:]+\\])(?::(?:\\d+|${HOST_PLACEHOLDER}))?[^\\s"'\`<>)\\\\]{0,500}`,
  "gi"
)

/** URLs that are not API endpoints: registries, code hosting, CDNs, namespaces, documentation. */
const NO_API =
  /^(?:https?|wss?):\/\/(?:(?:www\.)?(?:npmjs\.com|pypi\.org|rubygems\.org|crates\.io|w3\.org|json-schema\.org|schema\.org|xmlsoap\.org)|registry\.[\w.-]+|repo1?\.[\w.-]+|schemas\.[\w.-]+|unpkg\.com|cdn\.[\w.-]+|cdnjs\.[\w.-]+|esm\.sh|(?:raw\.|gist\.)?github(?:usercontent)?\.com|api\.github\.com\/repos\/[^/\s]{1,100}\/[^/\s]{1,100}\/releases|gitlab\.com|bitbucket\.org|(?:docs|downloads?|dl|dist|releases)\.[\w.-]+|[\w-]+\.readthedocs\.(?:io|org))(?:[:/]|$)/i

const callsAddress = (text: string): boolean => (text.match(ADDRESS) ?? []).some((address) => !NO_API.test(address))

const REQUEST_COMMAND =
  /^(?:(?:sudo\s+|time\s+|npx\s+(?:-y\s+)?)?(?:curl|curlie|https?|xh|xhs|wget|wscat|websocat)|(?:\$\w{1,40}\s?=\s?)?(?:Invoke-(?:RestMethod|WebRequest)|irm|iwr))\s+\S/
const DOWNLOAD =
  /\s(?:-[a-zA-Z]*O\b|--remote-name|-OutFile\b|(?:-o|--output|-O)\s*\S+\.(?:tar|gz|tgz|xz|bz2|zip|sh|bash|ps1|deb|rpm|pkg|dmg|exe|msi|asc|gpg|jar|whl|repo|list)\b)|\.(?:tar(?:\.\w+)?|tgz|zip|deb|rpm|sh|exe|dmg|jar)["']?(?:\s|$)/

/** What a command sends: the body, form fields and headers of curl, and the fields of HTTPie. An address in them is not the API's. */
const SENT =
  /\s(?:(?:-[dFH]|--(?:data(?:-\w{1,20})?|json|form(?:-string)?|header))[\s=]?|[A-Za-z][\w.-]{0,60}:?=)(?:"[^"]{0,5000}"|'[^']{0,5000}'|[^\s"']{1,500})/g

const isRequestCommand = (line: string): boolean => {
  if (!REQUEST_COMMAND.test(line) || isInstaller(line) || DOWNLOAD.test(line)) return false
  const called = line.replace(SENT, " ")
  return callsAddress(called) || callsPlainAddress(called)
}

/** Commands need no scheme: `localhost:5000/orders`, `203.0.113.4/orders`, `api.example.com/orders`, HTTPie's `:5000/orders`. */
const PLAIN_ADDRESS =
  /\s["']?((?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5}(?![\w.:])|(?::\d{1,5})?\/[^\s"']{0,300})|(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,20}(?::\d{1,5})?\/[^\s"']{0,300}|:\d{1,5}\/[^\s"']{0,300})/gi

const callsPlainAddress = (text: string): boolean =>
  [...text.matchAll(PLAIN_ADDRESS)].some(([, address = ""]) =>
    callsAddress(`http://${address.startsWith(":") ? "localhost" : ""}${address}`)
  )

const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|QUERY)\s+(\S+)/

/** The most lines of a request's head. */
const HEAD_LINES = 30

/** A request line with an address, or with a path and the host that it is on. Alone, with a placeholder in its path, it is an operation's signature. */
const isRawRequest = (lines: ReadonlyArray<string>, context: ExampleContext): boolean =>
  lines.some((line, index) => {
    const [, method = "", target = ""] = REQUEST_LINE.exec(line) ?? []
    const headers = lines.slice(index + 1, index + HEAD_LINES)
    const host = headers.flatMap((header) => /^host:\s*(\S+)/i.exec(header)?.[1] ?? [])[0]
    const url = target.startsWith("/") && host !== undefined ? `http://${host}${target}` : target
    const isSignature = BLANK.test(url) && headers.every((header) => REQUEST_LINE.test(header))
    return callsAddress(url) && !isSignature && !isDelivery(method, url, headers, context)
  })

/** What a reader has to fill in first. */
const BLANK = /[{}<>]|%7B|\/:[a-z]/i

/** `GET` beside a link whose text is the URL that it leads to: a press on it sends the request. */
export const linksRequest = ({ links, operations }: Page): boolean =>
  operations.some(({ method, path }) => {
    const url = method === "GET" && callsAddress(path) && !BLANK.test(path) ? URL.parse(path) : null
    return (
      url !== null &&
      links.some((link) => link.place === "main" && link.text.startsWith(path) && link.url.startsWith(url.href))
    )
  })

const CREDENTIAL_HEADER = /^(?:authorization|[\w-]{0,40}(?:api|access|auth)-?(?:key|token))\s*:/i
const API_ADDRESS = /[/.]api(?=[/.:-]|$)|\/v\d+(?:\.\d+)?(?=\/|$)/i
const EVENTS = /\bweb ?hooks?\b|\bevents?\b|\bcallbacks?\b|\bnotif(?:y|ies|ications?)\b/i

/** What the product sends to its user's server, such as an event, is no call of the API. */
const isDelivery = (
  method: string,
  url: string,
  headers: ReadonlyArray<string>,
  { around, isOwn, reader }: ExampleContext
): boolean =>
  (method === "POST" || method === "PUT") &&
  !isOwn(url) &&
  !API_ADDRESS.test(url) &&
  !headers.some((header) => CREDENTIAL_HEADER.test(header)) &&
  speaksOfEvents(around(), reader)

const speaksOfEvents = (text: string, reader: Reader): boolean =>
  EVENTS.test(text) || reader.says("events", text) || reader.says("plainEvents", text)

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

const isClientCode = (lines: ReadonlyArray<string>, language: string | null): boolean => {
  const own = lines.filter((line) => !IMPORT.test(line))
  return language === null ? passesAddress(own) : own.some(callsAddress) && own.some((line) => CALL.test(line))
}

/** `ROOT = "https://…"`, `const root: string = …`, `$root := …`: the name on the left, and what it is made of. */
const ASSIGNMENT = /^(?:[\w<>[\],.?]{1,40}\s+){0,3}[$@]?([A-Za-z_]\w{0,60})\s*(?::\s*[\w<>.]{1,40}\s*)?:?=(?!=)(.*)$/
const NAME = /[A-Za-z_]\w*/g

/**
 * An address in a string reaches a call, in its statement or by way of names. Untagged blocks may be output or prose, which have
 * addresses and brackets too.
 */
const passesAddress = (lines: ReadonlyArray<string>): boolean => {
  const addresses = new Set<string>()
  for (const statement of statementsOf(lines)) {
    const isGiven = (text: string): boolean =>
      (QUOTED_ADDRESS.test(text) && callsAddress(text)) || (text.match(NAME) ?? []).some((name) => addresses.has(name))
    const [, name, value = ""] = ASSIGNMENT.exec(statement) ?? []
    const call = CALL_IN_CODE.exec(statement)
    if (call !== null && isGiven(statement.slice(call.index + call[0].length))) return true
    if (name !== undefined && isGiven(value)) addresses.add(name)
  }
  return false
}

const QUOTED_ADDRESS = /["'`](?:https?|wss?):\/\//i

/** A name with its arguments, and Ruby's and Elixir's calls without brackets; prose leaves a space before its brackets. */
const CALL_IN_CODE = /[\w!?$]\(|^\s*[\w.:]+(?:::|\.)\w+[!?]?\s+(?=["':\w])/

/** The most lines of a statement; more are a bracket in a string, which nothing closes. */
const STATEMENT_LINES = 40

/** Lines joined until their brackets are closed. */
const statementsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let open: Array<string> = []
  let depth = 0
  for (const line of lines) {
    open.push(line)
    depth += line.split(/[([{]/).length - line.split(/[)\]}]/).length
    if (depth > 0 && open.length < STATEMENT_LINES) continue
    statements.push(open.join(" "))
    open = []
    depth = 0
  }
  return [...statements, open.join(" ")]
}

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
      !lines.some((line) => RECEIVER.test(line)) &&
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
