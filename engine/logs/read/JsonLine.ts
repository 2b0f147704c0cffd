import { isJsonObject, type JsonObject } from "../../text/JsonText.ts"
import { clfTime, type Hit, hostInTarget, hostOf, type LogFormat, mediaTypeOf, pathOf } from "./Hit.ts"
import { requestOf } from "./TextLine.ts"

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
export const readJsonRecord = (object: JsonObject): { readonly format: LogFormat; readonly hit: Hit } | null => {
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
