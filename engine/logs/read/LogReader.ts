import { isIP } from "node:net"
import { isJsonObject, type JsonObject, parsedJson } from "../../text/JsonText.ts"
import { plainText } from "../../text/PlainText.ts"
import { makeFieldReader, makeTextReader, requestOf } from "./TextLine.ts"
import { clfTime, type Hit, hostInTarget, hostOf, type LogFormat, mediaTypeOf, pathOf } from "./Hit.ts"

/** What came of the lines that were read so far. */
export interface LineCounts {
  /** All lines but empty ones and those that begin with `#`. */
  lines: number
  /** Lines that are JSON and about no request, such as the output of a function. */
  others: number
  unreadable: number
  /** The first unreadable line, without addresses and cut short; `null`: all could be read. */
  example: string | null
  /** Requests by the format of their lines. */
  readonly formats: Map<LogFormat, number>
}

export const newLineCounts = (): LineCounts => ({
  lines: 0,
  others: 0,
  unreadable: 0,
  example: null,
  formats: new Map()
})

/** Requests whose ids are kept: Vercel writes a line with the same request for everything that a function prints. */
const KEPT_IDS = 1_000

/** Reads the lines of one file, each in the format that it begins like, and passes every request on. */
export const makeLogReader = (counts: LineCounts, onHit: (hit: Hit) => void): ((line: string) => void) => {
  const readText = makeTextReader()
  const fields = makeFieldReader()
  const seen = new Set<string>()

  const take = (reading: { readonly format: LogFormat; readonly hit: Hit }): void => {
    counts.formats.set(reading.format, (counts.formats.get(reading.format) ?? 0) + 1)
    onHit(reading.hit)
  }

  const takeRecord = (object: JsonObject): void => {
    const reading = isRepeated(object) ? null : readJsonRecord(object)
    if (reading === null) counts.others += 1
    else take(reading)
  }

  const isRepeated = (object: JsonObject): boolean => {
    const id = object["proxy"] === undefined ? undefined : object["requestId"]
    if (typeof id !== "string" || id === "") return false
    if (seen.has(id)) return true
    if (seen.size >= KEPT_IDS) for (const [oldest] of seen.entries().take(1)) seen.delete(oldest)
    seen.add(id)
    return false
  }

  /** Whether the line is JSON of objects. */
  const readJson = (line: string): boolean => {
    const value = parsedJson(line)
    const records = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
    for (const record of records) takeRecord(record)
    return records.length > 0
  }

  const read = (line: string): boolean => {
    const first = line.charCodeAt(0)
    if ((first === BRACE || first === BRACKET) && readJson(line)) return true
    const reading = fields.read(line) ?? readText(line)
    if (reading !== null) take(reading)
    return reading !== null
  }

  return (line) => {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line
    if (text.charCodeAt(0) === HASH) return fields.directive(text)
    if (text.trim() === "") return
    counts.lines += 1
    if (read(text.charCodeAt(0) === ANGLE ? withoutSyslogHead(text) : text)) return
    counts.unreadable += 1
    counts.example ??= withoutAddresses(text)
  }
}

const [HASH, ANGLE, BRACKET, BRACE] = [0x23, 0x3c, 0x5b, 0x7b]

/** Fastly sends lines as messages of syslog: `<134>2026-11-30T02:01:47Z cache-fra1 docs[212]: …`. */
const withoutSyslogHead = (line: string): string => {
  const [head = ""] = /^<\d{1,3}>[^:]{1,100}(?::\d\d){0,2}[^:]{0,200}: /.exec(line) ?? []
  return line.slice(head.length)
}

/** Shown characters of an unreadable line. */
const EXAMPLE = 160

/** An excerpt of a line without what may name a person: IP addresses, e-mail addresses and queries. */
const withoutAddresses = (line: string): string =>
  plainText(
    withoutIpAddresses(
      line
        .slice(0, 1_000)
        .replaceAll(/\?[^\s"]*/g, "?…")
        .replaceAll(/[\w.+-]{1,64}@[\w.-]{1,200}/g, "[address]")
    ),
    EXAMPLE
  )

/** A text with a word in place of each IP address. */
export const withoutIpAddresses = (text: string): string =>
  text
    .replaceAll(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g, "[address]")
    .replaceAll(/(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi, (address) =>
      isIP(address) === 0 ? address : "[address]"
    )

/** Where a field may be: the names on the way to it. */
type Place = readonly [string, ...ReadonlyArray<string>]

const places = (text: string): ReadonlyArray<Place> =>
  text.split(" ").map((place) => {
    const [first = "", ...rest] = place.split(">")
    return [first, ...rest]
  })

/**
 * The names that fields have, those of a format first that nests them: Vercel, Caddy, Google Cloud; Cloudflare, CloudFront, Fastly's
 * example, Netlify, Traefik, and what nginx and Apache are often made to write.
 */
const FIELDS = {
  target: places(
    "proxy>path request>uri httpRequest>requestUrl ClientRequestURI ClientRequestPath cs-uri-stem RequestPath request_uri requestURI uri url path request_path http>url"
  ),
  request: places("request requestLine request_line"),
  status: places(
    "proxy>statusCode httpRequest>status EdgeResponseStatus sc-status DownstreamStatus status_code response_status status statusCode response>status"
  ),
  bytes: places(
    "proxy>responseByteSize httpRequest>responseSize EdgeResponseBodyBytes EdgeResponseBytes sc-bytes DownstreamContentSize body_bytes_sent response_body_size bytes_sent response_size size bytes"
  ),
  userAgent: places(
    "proxy>userAgent request>headers>User-Agent request>headers>user-agent httpRequest>userAgent ClientRequestUserAgent cs(User-Agent) request_User-Agent http_user_agent request_user_agent user_agent userAgent useragent agent"
  ),
  accept: places(
    "request>headers>Accept request>headers>accept RequestHeaders>accept request_Accept http_accept request_accept accept cs(Accept)"
  ),
  mediaType: places(
    "resp_headers>Content-Type resp_headers>content-type EdgeResponseContentType sc-content-type downstream_Content-Type sent_http_content_type response_content_type content_type contentType"
  ),
  address: places(
    "proxy>clientIp request>client_ip request>remote_ip httpRequest>remoteIp ClientIP c-ip ClientHost client_ip clientIp remote_addr remote_ip ip"
  ),
  host: places(
    "proxy>host request>host ClientRequestHost x-host-header cs(Host) RequestHost http_host host domain server_name"
  ),
  method: places(
    "proxy>method request>method httpRequest>requestMethod ClientRequestMethod cs-method RequestMethod request_method method"
  ),
  time: places(
    "proxy>timestamp EdgeStartTimestamp StartUTC ts timestamp time time_iso8601 time_local msec @timestamp datetime"
  )
} as const

/** A text, a number or the first of a list of texts; `null` where there is none. */
const valueAt = (object: JsonObject, [first, ...rest]: Place): string | number | null => {
  let value: unknown = object[first]
  for (const name of rest) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  if (Array.isArray(value)) [value] = value
  return typeof value === "string" || typeof value === "number" ? value : null
}

const fieldOf = (object: JsonObject, field: keyof typeof FIELDS): string | number | null => {
  for (const place of FIELDS[field]) {
    if (!Object.hasOwn(object, place[0])) continue
    const value = valueAt(object, place)
    if (value !== null) return value
  }
  return null
}

const textOf = (value: string | number | null): string => (value === null ? "" : String(value))

/** Which product wrote it, by a name that only its lines have. */
const formatOf = (object: JsonObject): LogFormat => {
  if (Object.hasOwn(object, "proxy")) return "Vercel"
  if (Object.hasOwn(object, "EdgeResponseStatus") || Object.hasOwn(object, "ClientRequestURI")) return "Cloudflare"
  if (Object.hasOwn(object, "cs-uri-stem")) return "CloudFront"
  if (isJsonObject(object["request"]) && Object.hasOwn(object, "resp_headers")) return "Caddy"
  if (Object.hasOwn(object, "fastly_server") || Object.hasOwn(object, "fastly_is_edge")) return "Fastly"
  return object["log_type"] === "traffic" ? "Netlify" : "JSON"
}

/** One record of a JSON log; `null`: it is about something else than a request, such as the output of a function. */
const readJsonRecord = (object: JsonObject): { readonly format: LogFormat; readonly hit: Hit } | null => {
  const [lineMethod, lineTarget] = requestOf(textOf(fieldOf(object, "request")))
  const status = Number(fieldOf(object, "status") ?? Number.NaN)
  const target = textOf(fieldOf(object, "target")) || lineTarget
  // Vercel writes -1 where no response was sent, because a page was regenerated in the background.
  if (target === "" || !Number.isInteger(status) || status < 100 || status > 599) return null
  const userAgent = fieldOf(object, "userAgent")
  const accept = fieldOf(object, "accept")
  const host = hostOf(textOf(fieldOf(object, "host")))
  return {
    format: formatOf(object),
    hit: {
      address: textOf(fieldOf(object, "address")),
      host: host === "" ? hostInTarget(target) : host,
      time: timeOf(object),
      method: textOf(fieldOf(object, "method")) || lineMethod || "GET",
      path: pathOf(target),
      status,
      bytes: Math.max(0, Number(fieldOf(object, "bytes") ?? 0) || 0),
      userAgent: userAgent === null ? null : String(userAgent),
      accept: accept === null ? null : String(accept),
      mediaType: mediaTypeOf(textOf(fieldOf(object, "mediaType")))
    }
  }
}

const timeOf = (object: JsonObject): number | null => {
  const value = fieldOf(object, "time")
  const { date, time } = object
  if (typeof date === "string" && typeof time === "string") return timeOfText(`${date}T${time}Z`)
  if (value === null) return null
  const number = Number(value)
  return Number.isFinite(number) && value !== "" ? milliseconds(number) : timeOfText(String(value))
}

const timeOfText = (text: string): number | null => {
  const time = Date.parse(text)
  return Number.isFinite(time) ? time : clfTime(text)
}

/** A number since 1970 in seconds, milliseconds, microseconds or nanoseconds, by its size. */
const milliseconds = (number: number): number => {
  if (number > 1e17) return number / 1e6
  if (number > 1e14) return number / 1e3
  return number > 1e11 ? number : number * 1e3
}
