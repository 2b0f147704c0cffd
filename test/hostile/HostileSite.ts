import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"

/** A site that does what a server can do to an auditor. */
export interface HostileSite {
  /** What it attacks, in one sentence. */
  readonly attacks: string
  readonly listener: RequestListener
}

/** By name; a name is also the site's host: lower case, no spaces. */
export type HostileSites = Readonly<Record<string, HostileSite>>

export const MB = 1024 * 1024

export const PROSE = `<p>${"Words that explain how the service is used, and what it does for people who build on it. ".repeat(8)}</p>`

export const LINKS: string = Array.from(
  { length: 30 },
  (_, index) => `<a href="/guide/p${index}">Guide ${index}</a>`
).join(" ")

export const page = (title: string, content: string = PROSE, links: string = LINKS, head = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><nav>${links}</nav><main><h1>${title}</h1>${content}</main></body></html>`

export const pathOf = (request: IncomingMessage): string => request.url ?? "/"

/** The site's own origin, for addresses that have to be absolute. */
export const originOf = ({ headers }: IncomingMessage): string => `http://${headers.host ?? "localhost"}`

const isPage = (path: string): boolean => path === "/" || path.startsWith("/guide/")

export const send = (
  response: ServerResponse,
  body: string | Uint8Array,
  type = "text/html; charset=utf-8",
  status = 200
): void => {
  response.writeHead(status, { "content-type": type })
  response.end(body)
}

/** Thirty pages under /guide/, linked from the first, and nothing else; their content is what is attacked with. */
export const pages = (content: () => string = () => PROSE, links = LINKS, head = ""): RequestListener => {
  let made: string | null = null
  return (request, response) => {
    if (!isPage(pathOf(request))) return send(response, "no such page", "text/plain", 404)
    send(response, page(`Page ${pathOf(request)}`, PROSE + (made ??= content()), links, head))
  }
}

/** The plain site with something else at one path. */
export const withFile = (
  path: string,
  type: string,
  body: (origin: string) => string | Uint8Array
): RequestListener => {
  const rest = pages()
  return (request, response) =>
    pathOf(request) === path ? send(response, body(originOf(request)), type) : rest(request, response)
}

/** The plain site, its answers sent with one more header. */
export const withHeader =
  (name: string, value: string): RequestListener =>
  (request, response) => {
    const found = isPage(pathOf(request))
    response.writeHead(
      found ? 200 : 404,
      [
        ["content-type", "text/html"],
        [name, value]
      ].flat()
    )
    response.end(found ? page(`Page ${pathOf(request)}`) : "no such page")
  }

/** A good first page, and for everything else what the other listener does. */
export const behindFirstPage = (rest: RequestListener): RequestListener => {
  const first = pages()
  return (request, response) => (pathOf(request) === "/" ? first(request, response) : rest(request, response))
}

/** A site whose llms.txt lists `count` Markdown files, each with this text. */
export const markdownSite =
  (text: (path: string) => string, files = 20): RequestListener =>
  (request, response) => {
    const path = pathOf(request)
    const list = Array.from({ length: files }, (_, index) => `- [Page ${index}](/d/p${index}.md): a page`).join("\n")
    if (path === "/llms.txt")
      return send(response, `# Docs\n\n> All in Markdown.\n\n## Pages\n\n${list}\n`, "text/plain")
    return path === "/" || path.startsWith("/d/")
      ? send(response, text(path), "text/markdown")
      : send(response, "none", "text/plain", 404)
  }

/** `open` and `close` around each other, `depth` times. */
export const nested = (open: string, close: string, depth: number, inner = ""): string =>
  open.repeat(depth) + inner + close.repeat(depth)
