import {
  addressParts,
  joined,
  NO_FIELDS,
  type SentBody,
  type SentField,
  sentText,
  type ShownCall
} from "../../ShownCall.ts"
import { trimEnd } from "../../../text/WhiteSpace.ts"
import { bodyOfText } from "../code/SentBody.ts"

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
export const rawCalls = (text: string): ReadonlyArray<ShownCall> => {
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
    found.push(callOf(head, lines.slice(head.end, end).join("\n"), at))
    at = end
  }
  return found
}

const callOf = (head: Head, rest: string, line: number): ShownCall => {
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
