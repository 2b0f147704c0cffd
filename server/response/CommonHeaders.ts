export const JSON_TYPE = "application/json"

export const NO_STORE = { "cache-control": "no-store" } as const

/** Headers of every response. Pages set their own `Content-Security-Policy`. */
export const securityHeaders = (baseAddress: string): Readonly<Record<string, string>> => ({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  ...(baseAddress.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
})

/** Paths that pages of other origins may read: without credentials, and read only. */
export const isShared = (path: string): boolean =>
  path.endsWith("/server-card") || path.endsWith(".atom") || SHARED.some((start) => path.startsWith(start))

/** The server card of SEP-2127, at its own place and at earlier ones, the catalog that lists it and the keys of reports are for browsers, too. */
const SHARED = [
  "/api/public/",
  "/badge.json",
  "/openapi.json",
  "/openapi.yaml",
  "/.well-known/mcp",
  "/.well-known/ai-catalog.json",
  "/.well-known/docgauge-keys.json"
]

/** Headers of responses that other origins may read. */
export const SHARED_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition, Repr-Digest, Link",
  "cross-origin-resource-policy": "cross-origin"
}

export const OWN_HEADERS: Readonly<Record<string, string>> = { "cross-origin-resource-policy": "same-origin" }

/** Headers of preflight responses for those. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, HEAD",
  "access-control-allow-headers": "If-None-Match",
  "access-control-max-age": "86400"
}
