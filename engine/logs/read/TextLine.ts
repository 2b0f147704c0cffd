import { clfTime, type Hit, hostInTarget, hostOf, mediaTypeOf, pathOf } from "./Hit.ts"
import { percentDecoded } from "../../text/UrlPath.ts"

/** A line of a text log, with the format that it has. */
interface TextReading {
  readonly format: "combined" | "common"
  readonly hit: Hit
}

/** Where a quoted field ends: at the first quote that no odd number of backslashes escapes; -1: nowhere. */
const quoteEnd = (line: string, from: number): number => {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 1)) {
    let before = end
    while (before > from && line.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return -1
}

const BACKSLASH = 0x5c

/** Lines of one second mostly follow each other, so the last time is kept. */
const makeTimeReader = (read: (text: string) => number | null): ((text: string) => number | null) => {
  let last = ""
  let time: number | null = null
  return (text) => {
    if (text !== last) {
      last = text
      time = read(text)
    }
    return time
  }
}

/**
 * Reads lines of the common and the combined log format as Apache, nginx, Fastly and others write them, with or without a host before
 * the address and fields after the user agent: of those a quoted media type counts as the response's, and a list of media types as `Accept`.
 */
export const makeTextReader = (): ((line: string) => TextReading | null) => {
  const timeOf = makeTimeReader(clfTime)
  return (line) => {
    const open = line.indexOf(" [")
    const close = line.indexOf('] "', open)
    if (open < 1 || close === -1) return null
    const end = quoteEnd(line, close + 3)
    if (end === -1) return null
    const [status = "", bytes = ""] = line.slice(end + 2, end + 40).split(" ", 2)
    if (!/^\d{3}$/.test(status)) return null
    const head = headOf(line.slice(0, open))
    const [method, target] = requestOf(line.slice(close + 3, end))
    const userAgentField = secondQuoted(line, end + 1)
    const { accept, mediaType } = furtherFields(line, userAgentField?.end ?? line.length)
    return {
      format: userAgentField === null ? "common" : "combined",
      hit: {
        address: head.address,
        host: head.host === "" ? hostInTarget(target) : head.host,
        time: timeOf(line.slice(open + 2, close)),
        method,
        path: pathOf(target),
        status: Number(status),
        bytes: Number.parseInt(bytes, 10) || 0,
        userAgent: userAgentField === null ? null : line.slice(userAgentField.start, userAgentField.end),
        accept,
        mediaType
      }
    }
  }
}

/** `address - user`, with a host before it where the server writes one. */
const headOf = (text: string): { readonly address: string; readonly host: string } => {
  const first = text.indexOf(" ")
  if (first === -1) return { address: text, host: "" }
  const second = text.indexOf(" ", first + 1)
  const word = second === -1 ? "" : text.slice(first + 1, second)
  return /[.:]/.test(word) && text.indexOf(" ", second + 1) !== -1
    ? { address: word, host: hostOf(text.slice(0, first)) }
    : { address: text.slice(0, first), host: "" }
}

/** `GET /path HTTP/1.1`; what is no request, such as the bytes of a TLS handshake, has no target. */
export const requestOf = (request: string): readonly [method: string, target: string] => {
  const first = request.indexOf(" ")
  if (first < 1) return ["", ""]
  const last = request.lastIndexOf(" ")
  const target = request.slice(first + 1, last > first && request.startsWith("HTTP/", last + 1) ? last : undefined)
  return [request.slice(0, first), target]
}

/** The second quoted field from here on: the user agent, which follows the referrer; `null` where there are not two. */
const secondQuoted = (line: string, from: number): { readonly start: number; readonly end: number } | null => {
  const first = line.indexOf('"', from)
  const firstEnd = first === -1 ? -1 : quoteEnd(line, first + 1)
  const second = firstEnd === -1 ? -1 : line.indexOf('"', firstEnd + 1)
  const end = second === -1 ? -1 : quoteEnd(line, second + 1)
  return end === -1 ? null : { start: second + 1, end }
}

/** Fields that are looked at after the user agent. */
const FURTHER = 8

const furtherFields = (line: string, from: number): Pick<Hit, "accept" | "mediaType"> => {
  let accept: string | null = null
  let mediaType: string | null = null
  let at = from + 1
  for (let seen = 0; seen < FURTHER; seen++) {
    const start = line.indexOf('"', at)
    const end = start === -1 ? -1 : quoteEnd(line, start + 1)
    if (end === -1) break
    const field = line.slice(start + 1, end)
    at = end + 1
    if (!/^(?:[a-z]+|\*)\/[a-z*]/i.test(field)) continue
    if (/,|\*|;\s*q=/.test(field)) accept ??= field
    else mediaType ??= mediaTypeOf(field)
  }
  return { accept, mediaType }
}

/** Reads lines whose fields a `#Fields:` line names (https://www.w3.org/TR/WD-logfile.html): CloudFront, IIS and others. */
interface FieldReader {
  /** Takes a `#` line. */
  readonly directive: (line: string) => void
  readonly read: (line: string) => { readonly format: "CloudFront" | "W3C"; readonly hit: Hit } | null
}

/** The first fields of CloudFront's standard logs, for a file that lost its first lines. */
const CLOUDFRONT_FIELDS =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)".split(
    " "
  )

const FIELDS = "#Fields:"

const CLOUDFRONT_LINE = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t/

export const makeFieldReader = (): FieldReader => {
  let fields: ReadonlyMap<string, number> | null = null
  let format: "CloudFront" | "W3C" = "W3C"
  const timeOf = makeTimeReader((text) => finite(Date.parse(text)))
  const setFields = (names: ReadonlyArray<string>): void => {
    fields = new Map(names.map((name, index) => [name.toLowerCase(), index]))
    format = fields.has("x-edge-location") ? "CloudFront" : "W3C"
  }
  return {
    directive: (line) => {
      if (line.startsWith(FIELDS)) setFields(line.slice(FIELDS.length).trim().split(/\s+/))
    },
    read: (line) => {
      if (fields === null && CLOUDFRONT_LINE.test(line)) setFields(CLOUDFRONT_FIELDS)
      if (fields === null) return null
      const values = line.split(line.includes("\t") ? "\t" : " ")
      const get = (name: string): string | null => {
        const value = values[fields?.get(name) ?? -1]
        return value === undefined || value === "-" ? null : value
      }
      const status = get("sc-status")
      const target = get("cs-uri-stem") ?? get("cs-uri")
      if (target === null || status === null || !/^\d{3}$/.test(status)) return null
      const date = get("date")
      // IIS writes a plus for a space.
      const text = (name: string): string =>
        format === "W3C" ? (get(name) ?? "").replaceAll("+", " ") : decoded(get(name) ?? "")
      return {
        format,
        hit: {
          address: get("c-ip") ?? "",
          host: hostOf(get("x-host-header") ?? get("cs(host)") ?? get("cs-host") ?? ""),
          time: date === null ? null : timeOf(`${date}T${get("time") ?? "00:00:00"}Z`),
          method: get("cs-method") ?? "GET",
          path: pathOf(target),
          status: Number(status),
          bytes: Number(get("sc-bytes")) || 0,
          userAgent: fields.has("cs(user-agent)") ? text("cs(user-agent)") : null,
          accept: fields.has("cs(accept)") ? text("cs(accept)") : null,
          mediaType: mediaTypeOf(text("sc-content-type"))
        }
      }
    }
  }
}

/** CloudFront encodes what has spaces as URLs do, older logs twice. */
const decoded = (value: string): string => {
  if (!value.includes("%")) return value
  const once = value.replaceAll("%25", "%")
  return percentDecoded(once) ?? once
}

const finite = (number: number): number | null => (Number.isFinite(number) ? number : null)
