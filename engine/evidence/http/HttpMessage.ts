import { STATUS_CODES } from "node:http"
import { ACCEPTED_CODINGS } from "./ContentCoding.ts"
import type { Asked } from "../Exchange.ts"
import type { HopAnswer } from "../Transport.ts"
import { isJsonObject, parsedJson } from "../../text/JsonText.ts"
import { trimBoth } from "../../text/WhiteSpace.ts"
import { agentHeaders, type UserAgents } from "../UserAgents.ts"

/** An HTTP message as an archive holds it. */
export interface HttpMessage {
  readonly startLine: string
  /** Names in lower case, in order. */
  readonly headers: HopAnswer["headers"]
  readonly body: Uint8Array
}

/** What is true of the body as sent and not of the body as stored. */
const ABOUT_THE_WIRE = new Set(["content-encoding", "transfer-encoding", "content-length"])
const ORIGINAL = "x-orig-"

/** Status line and headers of a stored answer, without the empty line; `storedHeaders` undoes the renaming. */
export const responseHead = (answer: HopAnswer): string =>
  head(
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`.trimEnd(),
    // A name that begins like the renamed ones is renamed too, so that undoing it gives back the same.
    answer.headers.map(([name, value]) => [
      ABOUT_THE_WIRE.has(name) || name.startsWith(ORIGINAL) ? `${ORIGINAL}${name}` : name,
      value
    ])
  )

/** The headers as they were received. */
export const storedHeaders = (headers: HopAnswer["headers"]): HopAnswer["headers"] =>
  headers.map(([name, value]) => [name.startsWith(ORIGINAL) ? name.slice(ORIGINAL.length) : name, value])

/** What MCP mirrors: plain words, so that no body can put anything else into a header. */
const MIRRORED = /^[\w./-]{1,100}$/

/**
 * The headers that revision 2026-07-28 of MCP wants on each request over HTTP ("Request Metadata"): they repeat what the body says, so they
 * follow from it. None for other bodies.
 */
export const mirroredHeaders = ({ body }: Asked): ReadonlyArray<readonly [name: string, value: string]> => {
  const message = body === undefined ? null : parsedJson(body)
  const params = isJsonObject(message) ? message["params"] : null
  const meta = isJsonObject(params) ? params["_meta"] : null
  const revision = isJsonObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : null
  const method = isJsonObject(message) ? message["method"] : null
  return isMirrored(revision) && isMirrored(method)
    ? [
        ["mcp-protocol-version", revision],
        ["mcp-method", method]
      ]
    : []
}

const isMirrored = (value: unknown): value is string => typeof value === "string" && MIRRORED.test(value)

/** Request line and headers as `GuardedHttp` sends them, without the empty line. */
export const requestHead = (asked: Asked, agents: UserAgents): string => {
  const url = URL.parse(asked.url)
  return head(`${asked.method} ${url === null ? asked.url : `${url.pathname}${url.search}`} HTTP/1.1`, [
    ["host", url?.host ?? ""],
    ...agentHeaders(asked, agents),
    ...mirroredHeaders(asked),
    ["accept", asked.accept],
    ["accept-encoding", ACCEPTED_CODINGS],
    ...(asked.body === undefined
      ? []
      : ([
          ["content-type", "application/json"],
          ["content-length", String(Buffer.byteLength(asked.body))]
        ] as const))
  ])
}

const head = (startLine: string, headers: HopAnswer["headers"]): string =>
  [startLine, ...headers.map(([name, value]) => `${name}: ${value}`)]
    .map((line) => line.replaceAll(/[\r\n]+/g, " "))
    .join("\r\n")

/** No head is longer; beyond it there is no looking for its end. */
const MAX_HEAD_BYTES = 256 * 1024

/** Reads a message; `null` where there is none. */
export const parseHttpMessage = (block: Uint8Array): HttpMessage | null => {
  const buffer = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const end = buffer.subarray(0, MAX_HEAD_BYTES).indexOf("\r\n\r\n")
  // A message without a body may have lost the empty line.
  const whole = end === -1 && buffer.length <= MAX_HEAD_BYTES
  if (end === -1 && !whole) return null
  const [startLine = "", ...lines] = buffer
    .toString("utf8", 0, whole ? buffer.length : end)
    .replace(/\r\n(?=[ \t])/g, " ")
    .split("\r\n")
  return startLine === ""
    ? null
    : { startLine, headers: lines.flatMap(headerOf), body: whole ? new Uint8Array(0) : block.subarray(end + 4) }
}

/** What may surround a header's value (RFC 9110 §5.6.3); any other space is part of it. */
const OPTIONAL_SPACE = " \t"

const headerOf = (line: string): HopAnswer["headers"] => {
  const colon = line.indexOf(":")
  return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), trimBoth(line.slice(colon + 1), OPTIONAL_SPACE)]]
}

/** The status of a response's start line; `null` where it is not one. */
export const statusOf = (startLine: string): number | null => {
  const [, status] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/.exec(startLine) ?? []
  return status === undefined ? null : Number(status)
}

/** The longest line that tells a chunk's size. */
const MAX_SIZE_LINE = 256

/**
 * Undoes `Transfer-Encoding: chunked`. Some tools undo it before they store and leave the header: what does not read as
 * chunks is the body itself. A last chunk that is missing or cut is no reason to lose the others.
 */
export const dechunked = (body: Uint8Array): Uint8Array => {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const whole = new Uint8Array(body.length)
  let length = 0
  for (let offset = 0; offset < buffer.length;) {
    const lineEnd = buffer.subarray(offset, offset + MAX_SIZE_LINE).indexOf("\r\n")
    const [digits] =
      /^[0-9a-f]{1,8}(?=[\s;]|$)/i.exec(lineEnd === -1 ? "" : buffer.toString("latin1", offset, offset + lineEnd)) ?? []
    if (digits === undefined) return offset === 0 ? body : whole.subarray(0, length)
    const size = Number.parseInt(digits, 16)
    if (size === 0) break
    const start = offset + lineEnd + 2
    length += buffer.copy(whole, length, start, start + size)
    offset = start + size + 2
  }
  return whole.subarray(0, length)
}
