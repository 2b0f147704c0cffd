import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"

/*
 * Sites that do whatever a server can do to an auditor. Each is a listener for `node:http`; `ok` is the plain site
 * that most of them are but for one thing.
 */

const MB = 1024 * 1024

const PROSE = `<p>${"Words that explain how the service is used, and what it does for people who build on it. ".repeat(8)}</p>`

const LINKS = Array.from({ length: 30 }, (_, index) => `<a href="/guide/p${index}">Guide ${index}</a>`).join(" ")

const page = (title: string, content = PROSE, links = LINKS): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav>${links}</nav><main><h1>${title}</h1>${content}</main></body></html>`

const pathOf = (request: IncomingMessage): string => request.url ?? "/"

const isPage = (request: IncomingMessage): boolean => pathOf(request) === "/" || pathOf(request).startsWith("/guide/")

const send = (
  response: ServerResponse,
  body: string | Uint8Array,
  type = "text/html; charset=utf-8",
  status = 200
): void => {
  response.writeHead(status, { "content-type": type })
  response.end(body)
}

/** Thirty pages under /guide/, linked from the first; nothing else. */
const ok: RequestListener = (request, response) =>
  isPage(request) ? send(response, page(`Page ${pathOf(request)}`)) : send(response, "no such page", "text/plain", 404)

const everything =
  (body: string | Uint8Array, type?: string, status?: number): RequestListener =>
  (_, response) =>
    send(response, body, type, status)

/** The plain site with something else at one path. */
const withFile =
  (path: string, type: string, body: () => string | Uint8Array): RequestListener =>
  (request, response) =>
    pathOf(request) === path ? send(response, body(), type) : ok(request, response)

/** A good first page, and for everything else what the other listener does. */
const behindFirstPage =
  (rest: RequestListener): RequestListener =>
  (request, response) =>
    pathOf(request) === "/" ? ok(request, response) : rest(request, response)

const redirect =
  (to: (path: string) => string, status = 302): RequestListener =>
  (request, response) => {
    response.writeHead(status, { location: to(pathOf(request)) })
    response.end()
  }

const hang: RequestListener = () => undefined

const drip: RequestListener = (request, response) => {
  response.writeHead(200, { "content-type": "text/html" })
  const timer = setInterval(() => response.write("<p>"), 100)
  request.on("close", () => clearInterval(timer))
}

const dripHeaders: RequestListener = ({ socket }) => {
  socket.write("HTTP/1.1 200 OK\r\n")
  const timer = setInterval(() => socket.write("x-more: to come\r\n"), 100)
  socket.on("close", () => clearInterval(timer))
}

const truncate: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": "1000000" })
  response.write(page("Cut short"), () => response.destroy())
}

/** Fifty megabytes after a page. */
const huge: RequestListener = (request, response) => {
  response.writeHead(200, { "content-type": "text/html" })
  response.write(page(`Huge ${pathOf(request)}`))
  response.end(Buffer.alloc(50 * MB, PROSE))
}

let bombed: Uint8Array | null = null

/** Four kilobytes a megabyte, 256 of them. */
const bomb: RequestListener = (_, response) => {
  bombed ??= gzipSync(Buffer.alloc(256 * MB, "a"))
  response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
  response.end(bombed)
}

const floodHeaders: RequestListener = (_, response) => {
  response.writeHead(
    200,
    [
      ["content-type", "text/html"],
      ...Array.from({ length: 1_500 }, (_, index) => [`x-flood-${index}`, "a".repeat(60)])
    ].flat()
  )
  response.end(page("Flooded"))
}

const CHALLENGE = page(
  "Just a moment...",
  "<p>Checking your browser before you proceed. Enable JavaScript and cookies to continue.</p>",
  ""
)

const challenge: RequestListener = (_, response) => {
  response.writeHead(403, { "content-type": "text/html", server: "cloudflare", "cf-mitigated": "challenge" })
  response.end(CHALLENGE)
}

let asked = 0

/** Another text, another status, other headers each time. */
const fickle: RequestListener = (_, response) => {
  asked += 1
  response.writeHead(asked % 5 === 3 ? 500 : 200, {
    "content-type": asked % 7 === 2 ? "text/plain" : "text/html",
    "x-count": String(asked)
  })
  response.end(
    page(
      `Answer ${asked}`,
      asked % 2 === 0
        ? PROSE
        : `<h2>Errors</h2>${PROSE}<pre><code>curl -H "Authorization: Bearer $KEY" https://api.example.com/v1/things/${asked}</code></pre>`
    )
  )
}

const SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

const million = (): string =>
  `${SITEMAP}${Array.from({ length: 1_000_000 }, (_, index) => `<url><loc>/guide/${index}</loc></url>`).join("")}</urlset>`

/** Each level nine times the one before. */
const aliases = (): string =>
  [
    "openapi: 3.1.0",
    "a0: &a0 [x,x,x,x,x,x,x,x,x]",
    ...Array.from(
      { length: 30 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(",")}]`
    )
  ].join("\n")

const NOT_UTF8 = Buffer.concat([
  Buffer.from(page("Not UTF-8")),
  Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf8, 0x88])
])

const markdownOnly: RequestListener = (request, response) => {
  const path = pathOf(request)
  const text = (title: string) => `# ${title}\n\n${PROSE.replaceAll(/<\/?p>/g, "")}\n\n## More\n\n- [Next](/d/p1.md)\n`
  if (path === "/llms.txt")
    return send(
      response,
      `# Docs\n\n> All in Markdown.\n\n## Pages\n\n${Array.from({ length: 15 }, (_, index) => `- [Page ${index}](/d/p${index}.md)`).join("\n")}\n`,
      "text/plain"
    )
  return path === "/" || path.startsWith("/d/")
    ? send(response, text(`Page ${path}`), "text/markdown")
    : send(response, "none", "text/plain", 404)
}

const throughOneHop: RequestListener = (request, response) => {
  const path = pathOf(request)
  if (!path.startsWith("/to/")) return redirect((from) => `/to${from}`)(request, response)
  request.url = path.slice(3)
  ok(request, response)
}

/** By name. */
export const nastySites = {
  ok,
  empty: everything(""),
  "catch-all": everything(page("Welcome")),
  forbidden: everything("Forbidden", "text/plain", 403),
  unauthorized: everything("Who are you?", "text/plain", 401),
  gone: everything("Gone", "text/plain", 410),
  "challenge 403": challenge,
  "challenge 200": everything(CHALLENGE),
  login: everything(
    page(
      "Sign in",
      '<form method="post"><input type="email"><input type="password"><button>Sign in</button></form>',
      ""
    )
  ),
  "error 500": everything("oops", "text/plain", 500),
  "error 503": everything("oops", "text/plain", 503),
  pdf: everything(`%PDF-1.7\n${"\u0000\u0001\u0002".repeat(1_000)}`, "application/pdf"),
  "elsewhere by HTTP": redirect(() => "https://elsewhere.example/docs", 301),
  "elsewhere by meta refresh": everything(
    '<meta http-equiv="refresh" content="0; url=https://elsewhere.example/docs">'
  ),
  "elsewhere by script": everything('<script>location.replace("https://elsewhere.example/docs")</script>'),
  loop: redirect((path) => path),
  "endless redirects": redirect((path) => `${path}x`),
  "one hop": throughOneHop,
  hang,
  "first page hangs": (request: IncomingMessage, response: ServerResponse) =>
    pathOf(request) === "/" ? undefined : ok(request, response),
  "all but the first page hangs": behindFirstPage(hang),
  drip,
  "drips headers": dripHeaders,
  "all but the first page drips": behindFirstPage(drip),
  truncated: truncate,
  "all but the first page truncated": behindFirstPage(truncate),
  reset: ({ socket }: IncomingMessage) => {
    socket.destroy()
  },
  "not HTTP": ({ socket }: IncomingMessage) => {
    socket.end("220 mail.example.com ESMTP\r\n")
  },
  "header flood": floodHeaders,
  "too many requests": behindFirstPage((_, response) => {
    response.writeHead(429, { "retry-after": "3600" })
    response.end()
  }),
  huge,
  "gzip bomb": bomb,
  "all but the first page a gzip bomb": behindFirstPage(bomb),
  "deep arrays": withFile(
    "/openapi.json",
    "application/json",
    () => `{"openapi":"3.1.0","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
  ),
  "deep objects": withFile(
    "/openapi.json",
    "application/json",
    () => `{"openapi":"3.1.0","x":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`
  ),
  "YAML aliases": withFile("/openapi.yaml", "application/yaml", aliases),
  "deep YAML": withFile("/openapi.yaml", "application/yaml", () => `openapi: 3.1.0\nx: ${"[".repeat(100_000)}`),
  "a million locations": withFile("/sitemap.xml", "application/xml", million),
  "a million sitemaps": withFile(
    "/sitemap.xml",
    "application/xml",
    () =>
      `<sitemapindex>${Array.from({ length: 1_000_000 }, (_, index) => `<sitemap><loc>/sitemap-${index}.xml</loc></sitemap>`).join("")}</sitemapindex>`
  ),
  "nested tags": everything(page("Nested", `${"<div>".repeat(200_000)}${PROSE}${"</div>".repeat(200_000)}`)),
  "unclosed tags": everything(page("Unclosed", `${"<b><i><a href=x>".repeat(67_000)}${PROSE}`)),
  "twenty thousand links": everything(
    page(
      "Links",
      PROSE,
      Array.from({ length: 20_000 }, (_, index) => `<a href="/guide/${"x".repeat(180)}${index}">${index}</a>`).join(" ")
    )
  ),
  "NUL bytes": everything(page("N\u0000U\u0000L", `${PROSE}\u0000${PROSE}`)),
  binary: everything(page("Binary", `${PROSE}${"\u0000".repeat(5)}`)),
  "invalid UTF-8": everything(NOT_UTF8),
  "Markdown only": markdownOnly,
  "shut out": (request: IncomingMessage, response: ServerResponse) =>
    pathOf(request) === "/robots.txt"
      ? send(response, "User-agent: docgauge\nDisallow: /\n", "text/plain")
      : ok(request, response),
  fickle
} as const satisfies Readonly<Record<string, RequestListener>>

export type NastySite = keyof typeof nastySites
