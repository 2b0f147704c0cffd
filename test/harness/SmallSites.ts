import type { IncomingMessage, ServerResponse } from "node:http"
import { httpServer, type Loopback } from "../evidence/LoopbackServers.ts"

/** Any number of small documentation sites, one for each name, over http on one loopback port. */
export interface SmallSites {
  readonly port: number
  /** What a service needs to be told to audit them. */
  readonly env: Readonly<Record<string, string>>
  /** Requests so far, all sites together. */
  readonly requests: () => number
  readonly close: Loopback["close"]
}

/** How the sites answer. */
export interface SmallSitesOptions {
  /** Milliseconds before each answer, maybe by the host that is asked. */
  readonly delayMs?: number | ((host: string) => number)
  /** Each answer waits for it. */
  readonly gate?: Promise<void>
  /** Told of each request as it arrives. */
  readonly seen?: (request: IncomingMessage) => void
  /** Answers differently, or `false`: as ever. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** The address of a site of these: every one under a registrable domain of its own. */
export const smallSite = (index: number | string): string => `http://docs.small-${index}.com`

export const serveSmallSites = async ({
  delayMs = 0,
  gate,
  instead = () => false,
  seen = () => undefined
}: SmallSitesOptions = {}): Promise<SmallSites> => {
  let requests = 0
  const server = await httpServer((request, response) => {
    requests += 1
    seen(request)
    const host = request.headers.host ?? ""
    const reply = (): void => {
      if (!instead(request, response)) answer(request, response, host)
    }
    setTimeout(
      () => {
        if (gate === undefined) reply()
        else void gate.then(reply)
      },
      typeof delayMs === "number" ? delayMs : delayMs(host)
    )
  })
  return {
    port: server.port,
    env: {
      DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${server.port},*:443:127.0.0.1:${server.port}`,
      DOCGAUGE_ALLOW_HTTP: "true"
    },
    requests: () => requests,
    close: server.close
  }
}

const PAGES: Readonly<Record<string, string>> = {
  "/": "Start with a key: every request carries it. The guide shows the first call, the reference lists all of them.",
  "/guide":
    "Send the key in the Authorization header. A first call lists what there is; a second one reads a single entry of that list.",
  "/reference":
    "Entries are listed by GET /entries and read by GET /entries/{id}. Errors carry a code, and a message for people to read."
}

const answer = (request: IncomingMessage, response: ServerResponse, host: string): void => {
  const path = new URL(request.url ?? "/", "http://small.example").pathname
  const text = PAGES[path]
  const [status, type, body] =
    text === undefined ? fileAt(path, host) : ([200, "text/html; charset=utf-8", pageOf(path, text, host)] as const)
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) })
  response.end(request.method === "HEAD" ? undefined : body)
}

const pageOf = (path: string, text: string, host: string): string => {
  const links = Object.keys(PAGES)
    .map((page) => `<a href="${page}">${page}</a>`)
    .join(" ")
  return `<!doctype html><html lang="en"><title>${host}${path}</title><nav>${links}</nav><main><h1>${host}</h1><p>${text.repeat(4)}</p></main></html>`
}

const fileAt = (path: string, host: string): readonly [status: number, type: string, body: string] => {
  switch (path) {
    case "/robots.txt":
      return [200, "text/plain", "User-agent: *\nAllow: /\n"]
    case "/llms.txt":
      return [
        200,
        "text/plain",
        `# ${host}\n\n## Docs\n\n${Object.keys(PAGES)
          .map((page) => `- [${page}](http://${host}${page})`)
          .join("\n")}\n`
      ]
    default:
      return [404, "text/html; charset=utf-8", "<!doctype html><title>Not found</title><h1>Not found</h1>"]
  }
}
