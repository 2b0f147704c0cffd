import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse
} from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { gzipSync } from "node:zlib"
import { normalise } from "../evidence/Address.ts"
import type { Asked } from "../evidence/Exchange.ts"
import { agentOf, askedAs } from "../evidence/UserAgents.ts"
import { answering, FAKE_HOST, type FakeResponse, type FakeSite, headersOf } from "./FakeSite.ts"

/** A fake site that is served on loopback. */
export interface FakeServer {
  /** Its origin: `http://127.0.0.1:PORT`, or `https:`. */
  readonly origin: string
  readonly port: number
  /** Number of requests so far. */
  readonly requests: () => number
}

export interface FakeServerOptions {
  /** The host of the site's paths, whose pages are also served at the loopback address; as in `FakeSiteOptions`. */
  readonly host?: string
  /** Serves the pages of `host` for any `Host` header, like a preview. */
  readonly anyName?: boolean
  /** Serves https with this key and certificate, both PEM; http by default. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Delay of each response, in milliseconds. */
  readonly delayMs?: number
}

/**
 * Serves a fake site over real HTTP on its own loopback port until the scope closes. The path and the `Host` header select the
 * response; a request to the loopback address gets the pages of `host`. Responses marked `gzip` are compressed if the client
 * accepts that. Any fault except a timeout breaks the connection.
 */
export const serveFakeSite = (
  site: FakeSite,
  options: FakeServerOptions = {}
): Effect.Effect<FakeServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => listen(site, options)),
      ({ close }) => Effect.promise(close)
    ),
    ({ server }) => server
  )

interface Listening {
  readonly server: FakeServer
  readonly close: () => Promise<void>
}

const listen = (site: FakeSite, options: FakeServerOptions): Promise<Listening> => {
  let requests = 0
  const respond = responder(site, options)
  const listener: RequestListener = (request, response) => {
    requests += 1
    respond(request, response)
  }
  const server = options.tls === undefined ? createHttpServer(listener) : createHttpsServer(options.tls, listener)
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const port = portOf(server)
      const origin = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`
      resolve({ server: { origin, port, requests: () => requests }, close: () => closed(server) })
    })
  })
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server listens on no port")
  return address.port
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const responder = (site: FakeSite, options: FakeServerOptions): RequestListener => {
  const host = options.host ?? FAKE_HOST
  const answer = answering(site, host)
  return (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const asked = askedBy(request, host, options.anyName === true, Buffer.concat(chunks).toString("utf8"))
      const given = answer(asked)
      const delayMs = (given.delayMs ?? 0) + (options.delayMs ?? 0)
      if (delayMs === Infinity) return
      const send = () => (given.fault === undefined ? write(request, response, asked.url, given) : response.destroy())
      if (delayMs === 0) send()
      else setTimeout(send, delayMs)
    })
  }
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

const askedBy = (request: IncomingMessage, host: string, anyName: boolean, body: string): Asked => {
  const named = request.headers.host ?? ""
  const sentAs = askedAs(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const origin = anyName || LOOPBACK.test(named) ? host : `https://${named.replace(/:\d+$/, "")}`
  return {
    method: request.method === "POST" ? "POST" : "GET",
    url: normalise(request.url ?? "/", origin) ?? origin,
    accept: request.headers.accept ?? "*/*",
    agent: agentOf(request.headers["user-agent"] ?? ""),
    ...(sentAs === null ? {} : { sentAs }),
    ...(body === "" ? {} : { body })
  }
}

const write = (request: IncomingMessage, response: ServerResponse, url: string, given: FakeResponse): void => {
  const plain = typeof given.body === "string" ? Buffer.from(given.body) : (given.body ?? new Uint8Array())
  const headers = headersOf(url, given)
  const zipped =
    headers.some(([name, value]) => name === "content-encoding" && value === "gzip") &&
    /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
  const body = zipped ? gzipSync(plain) : plain
  const sent = headers.filter(([name]) => zipped || name !== "content-encoding")
  response.writeHead(given.status ?? (given.redirect === undefined ? 200 : 301), [
    ...sent.flat(),
    ...(sent.some(([name]) => name === "content-length") ? [] : ["content-length", String(body.byteLength)])
  ])
  response.end(request.method === "HEAD" ? undefined : body)
}
