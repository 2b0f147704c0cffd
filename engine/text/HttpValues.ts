const HTML = "text/html; charset=utf-8"

export const MARKDOWN_TYPE = "text/markdown; charset=utf-8"

/** `Content-Type` by file extension, as static hosts send it. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["html", HTML],
  ["htm", HTML],
  ["md", MARKDOWN_TYPE],
  ["txt", "text/plain; charset=utf-8"],
  ["xml", "application/xml"],
  ["json", "application/json"],
  ["jsonld", "application/ld+json"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["graphql", "application/graphql"],
  ["js", "text/javascript; charset=utf-8"],
  ["mjs", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["ico", "image/x-icon"],
  ["pdf", "application/pdf"],
  ["gz", "application/gzip"],
  ["rss", "application/rss+xml"],
  ["atom", "application/atom+xml"],
  ["webmanifest", "application/manifest+json"],
  ["wasm", "application/wasm"]
])

/** The `Content-Type` of a file of that name; `null` for an extension that is not known, or none. */
export const contentTypeOf = (name: string): string | null =>
  TYPES.get(/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "") ?? null

/** `Sun, 06 Nov 1994 08:49:37 GMT` and its two old forms all begin with the day. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** The form of asctime names no time zone, and means UTC (RFC 9110 §5.6.7). */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** A date in a header, in milliseconds since the epoch; `null` if it is not a date. */
export const httpDateMs = (value: string): number | null => {
  const time = HTTP_DATE.test(value) ? Date.parse(ASCTIME.test(value) ? `${value} GMT` : value) : Number.NaN
  return Number.isNaN(time) ? null : time
}
