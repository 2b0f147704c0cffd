import {
  addressParts,
  isDecided,
  joined,
  NO_FIELDS,
  type SentBody,
  type SentField,
  sentText,
  type ShownCall
} from "../ShownCall.ts"
import { CSHARP_CLIENTS } from "./clients/CSharp.ts"
import { GO_CLIENT } from "./clients/Go.ts"
import { JAVA_CLIENTS, KOTLIN_CLIENTS } from "./clients/Java.ts"
import { JAVASCRIPT_CLIENTS } from "./clients/JavaScript.ts"
import { PHP_CLIENTS } from "./clients/Php.ts"
import { PYTHON_CLIENTS } from "./clients/Python.ts"
import { RUBY_CLIENTS } from "./clients/Ruby.ts"
import type { ClientRules } from "./code/ClientRules.ts"
import { CodeReader } from "./code/CodeReader.ts"
import { textValue } from "./code/CodeValue.ts"
import { bodyOfText, callOf } from "./code/SentBody.ts"
import { shellCalls } from "./commands/ShellCalls.ts"
import { trimEnd } from "../../text/WhiteSpace.ts"

/** Longer blocks are read to this length, in characters. */
const BLOCK_CHARACTERS = 50_000

const MOST_CALLS = 50

/** What only a client of the language has: without it a block is not read. */
const SIGNS: ReadonlyArray<readonly [language: string, rules: ClientRules, sign: RegExp]> = [
  ["javascript", JAVASCRIPT_CLIENTS, /\bfetch\s?\(|\baxios\b/],
  ["python", PYTHON_CLIENTS, /\brequests\.\w|\bhttpx\b|\bimport requests\b/],
  ["go", GO_CLIENT, /\bhttp\.(?:NewRequest|Get|Head|Post|PostForm)/],
  ["java", JAVA_CLIENTS, /\bHttpRequest\b|\bRequest\.Builder\b|\bUnirest\b/],
  ["php", PHP_CLIENTS, /\bcurl_init\b|\bfile_get_contents\(|\bGuzzle|->request\(|\bnew \\?Client\(/],
  ["ruby", RUBY_CLIENTS, /\bNet::HTTP\b|\bFaraday\b|\bHTTParty\b|\bRestClient\b/],
  ["csharp", CSHARP_CLIENTS, /\bHttpClient\b|\bRestClient\b|\bHttpRequestMessage\b|\bRestRequest\b/]
]

/** Languages that are read as another. */
const READ_AS: Readonly<Record<string, string>> = {
  typescript: "javascript",
  vue: "javascript",
  svelte: "javascript",
  html: "javascript",
  kotlin: "java",
  groovy: "java",
  scala: "java"
}

/** Blocks of these may hold anything: the tag says how they are coloured, or nothing. */
const UNTOLD = new Set(["text", "http", "output"])

const COMMAND = /(?:^|[\s$`(;|&>])(?:curl|wget|https?|xhs?)(?:\.exe)?[ \t\\^]/
const REQUEST_LINE = /^[ \t]{0,8}(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?:[ \t]+\S|\/)/m
const LINE_OF_CURL = /^[ \t]{0,8}(?:[$%>#❯][ \t]{1,4})?curl[ \t]/m

const SHELLS = new Set(["shell", "powershell", "batch"])

/** A block of code that a page shows. */
export interface CallBlock {
  readonly text: string
  /** As `CodeBlock.language`. */
  readonly language: string | null
}

type Names = ReadonlyMap<string, string>

const NO_NAMES: Names = new Map()

/**
 * The calls of HTTP APIs that a block of code shows, in the order of their lines, at most 50. What is not understood of a call is
 * open; a call whose method or address is not understood is left out, and so is what is in comments.
 *
 * @param known names that hold addresses before the block begins, such as `addressNames` of the page.
 */
export const callsIn = (block: CallBlock, known = NO_NAMES): ReadonlyArray<ShownCall> => {
  const text = block.text.slice(0, BLOCK_CHARACTERS).replace(/\r\n?/g, "\n")
  return found(text, block.language, known)
    .filter(({ address }) => isDecided(address))
    .toSorted((one, other) => one.line - other.line)
    .slice(0, MOST_CALLS)
}

const found = (text: string, language: string | null, known: Names): ReadonlyArray<ShownCall> => {
  const readAs = language === null ? null : (READ_AS[language] ?? language)
  const client = SIGNS.find(([name]) => name === readAs)
  if (client !== undefined) {
    const rules = language === "kotlin" ? KOTLIN_CLIENTS : client[1]
    const calls = client[2].test(text) ? codeCalls(text, rules, known) : []
    return calls.length > 0 || !LINE_OF_CURL.test(text) ? calls : shellCalls(text, known)
  }
  if (language !== null && SHELLS.has(language)) return [...commandCalls(text, known), ...requestCalls(text)]
  if (language !== null && !UNTOLD.has(language))
    return LINE_OF_CURL.test(text) ? shellCalls(text, known) : requestCalls(text)
  const lines = [...requestCalls(text), ...commandCalls(text, known)]
  if (lines.length > 0) return lines
  const signed = SIGNS.find(([, , sign]) => sign.test(text))
  return signed === undefined ? [] : codeCalls(text, signed[1], known)
}

const commandCalls = (text: string, known: Names): ReadonlyArray<ShownCall> =>
  COMMAND.test(text) ? shellCalls(text, known) : []

const requestCalls = (text: string): ReadonlyArray<ShownCall> => (REQUEST_LINE.test(text) ? rawCalls(text) : [])

const codeCalls = (text: string, rules: ClientRules, known: Names): ReadonlyArray<ShownCall> => {
  const reader = new CodeReader(text, rules)
  for (const [name, address] of known) reader.names.set(name, textValue(address))
  reader.statements(null)
  return reader.requests.flatMap((request) => callOf(request) ?? [])
}

/** `export API="https://…"`, `const BASE: string = "https://…"`, `$root = 'https://…'`, `@host = https://…`. */
const ASSIGNED =
  /^[ \t]{0,8}(?:[$%>] )?(?:(?:export|set|const|let|var|final|val|static|private|public|String|string)[ \t]{1,4}){0,4}[$@]?([A-Za-z_]\w{0,60})[ \t]{0,4}(?::[ \t]{0,4}\w{1,20}[ \t]{0,4})?:?=[ \t]{0,4}["'`]?(https?:\/\/[^\s"'`;,${}<>]{1,500})["'`]?[ \t]{0,4};?[ \t]{0,4}$/gm

/** A block is searched this far, in characters. */
const SEARCHED = 10_000

/** Names of one page, at most. */
const MOST_NAMES = 100

/**
 * Names that blocks of a page give a whole address, for `callsIn`: those who copy a later block have copied this one. A name with two
 * addresses is none.
 */
export const addressNames = (blocks: ReadonlyArray<{ readonly text: string }>): ReadonlyMap<string, string> => {
  const found = new Map<string, string | null>()
  for (const { text } of blocks) {
    for (const [, name = "", address = ""] of text.slice(0, SEARCHED).matchAll(ASSIGNED)) {
      const known = found.get(name)
      if (known === undefined && found.size >= MOST_NAMES) continue
      found.set(name, known === undefined || known === address ? address : null)
    }
  }
  return new Map([...found].flatMap(([name, address]) => (address === null ? [] : [[name, address] as const])))
}

/** A request line, with what some pages say of it after it. Some leave no space before a path. */
const REQUEST =
  /^[ \t]{0,8}(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?:[ \t]{1,8}|(?=\/))(\S{1,2000})(?:[ \t]{1,8}(HTTP\/[\d.]{1,4}))?[ \t]*(?:[ \t](?:#|\/\/|--?|—|–|→)[^\n]{0,300})?$/
/** A query with spaces, such as JSON that is not encoded: it is not read. */
const SPACED_QUERY =
  /^[ \t]{0,8}(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,8}([^\s?]{1,500}\?)[^\s=&]{1,100}=[^\n]{1,2000}$/
const TARGET = /^(?:https?:\/\/[^\s/]|\/(?!\/)|(?:\{{1,2}[^{}\s]{1,80}\}{1,2}|\$\{?\w{1,60}\}?|<[\w.-]{1,80}>)\/)/i
const HEADER = /^[ \t]{0,8}([A-Za-z][\w-]{0,60}):(?!\/\/)[ \t]*([^\n]{0,4000})$/
const MORE_QUERY = /^[ \t]{1,40}([?&]\S{1,500})[ \t]*$/
const ANSWER = /^[ \t]{0,8}HTTP\/[\d.]{1,4}[ \t]+\d{3}\b/
const NEXT = /^[ \t]{0,8}###/
const VARIABLE = /^@([A-Za-z_][\w-]{0,60})[ \t]*=[ \t]*(\S{1,500})[ \t]*$/

/** The most header lines of a request. */
const MOST_HEADERS = 60

interface Head {
  readonly method: string
  readonly target: string
  readonly version: boolean
  readonly headers: ReadonlyArray<SentField>
  readonly host: string | null
  /** The line after the head. */
  readonly end: number
}

const requestLine = (line: string): ReadonlyArray<string | undefined> | null => {
  const request = REQUEST.exec(line)
  if (request !== null) return request
  const [, method, path = ""] = SPACED_QUERY.exec(line) ?? []
  return method === undefined ? null : [line, method, `${path}{more}`]
}

const isStart = (line: string): boolean => requestLine(line) !== null || ANSWER.test(line) || NEXT.test(line)

const headAt = (lines: ReadonlyArray<string>, at: number, variables: ReadonlyMap<string, string>): Head | null => {
  const [, method, written = "", version] = requestLine(lines[at] ?? "") ?? []
  let target = trimEnd(withVariables(written, variables), ",;")
  if (method === undefined || !TARGET.test(target)) return null
  let end = at + 1
  for (
    let more = MORE_QUERY.exec(lines[end] ?? "");
    more !== null && target.length < 2_000;
    more = MORE_QUERY.exec(lines[++end] ?? "")
  )
    target += more[1] ?? ""
  const headers: Array<SentField> = []
  let host: string | null = null
  for (; headers.length < MOST_HEADERS; end++) {
    const line = lines[end] ?? ""
    const [, name, value = ""] = isStart(line) ? [] : (HEADER.exec(line) ?? [])
    if (name === undefined) break
    if (name.toLowerCase() === "host") host = withVariables(value.trim(), variables)
    else headers.push({ name, value: sentText(value.trim()) })
  }
  return { method, target, version: version !== undefined, headers, host, end }
}

/** `{{host}}` of a file of requests, where it says what it is. */
const withVariables = (text: string, variables: ReadonlyMap<string, string>): string =>
  variables.size === 0
    ? text
    : text.replace(/\{\{\s?([\w-]{1,60})\s?\}\}/g, (whole, name: string) => variables.get(name) ?? whole)

const hostOf = (host: string): string => `${/^(?:localhost|127\.)/.test(host) ? "http" : "https"}://${host}`

const addressOf = ({ host, target }: Head): string =>
  host !== null && target.startsWith("/") && !/\s/.test(host) ? `${hostOf(host)}${target}` : target

/** Requests as HTTP has them, and request lines alone. */
const rawCalls = (text: string): ReadonlyArray<ShownCall> => {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const variables = new Map<string, string>()
  const found: Array<ShownCall> = []
  for (let at = 0; at < lines.length;) {
    const [, name, value] = VARIABLE.exec(lines[at] ?? "") ?? []
    if (name !== undefined && value !== undefined) variables.set(name, value)
    const head = headAt(lines, at, variables)
    if (head === null) {
      at++
      continue
    }
    let end = head.end
    while (end < lines.length && !isStart(lines[end] ?? "")) end++
    found.push(rawCall(head, lines.slice(head.end, end).join("\n"), at))
    at = end
  }
  return found
}

const rawCall = (head: Head, rest: string, line: number): ShownCall => {
  const isWhole = head.version || head.headers.length > 0 || head.host !== null
  const { address, query } = addressParts(addressOf(head))
  return {
    client: isWhole ? "http" : "line",
    method: head.method,
    address,
    query: joined(query, NO_FIELDS),
    headers: { fields: head.headers, open: false },
    body: isWhole ? bodyOf(head, rest) : rest.trim() === "" ? { _tag: "None" } : { _tag: "Open" },
    line
  }
}

const bodyOf = ({ headers }: Head, rest: string): SentBody => {
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type")?.value
  return bodyOfText(rest, type?._tag === "Known" ? String(type.value) : null)
}
