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
