import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import process from "node:process"
import type { Duplex } from "node:stream"
import { isPublicAddress } from "../../engine/evidence/http/PublicAddress.ts"
import { clientOf } from "../../engine/limit/ClientAddress.ts"
import { host, port, trustedProxies } from "../config/Settings.ts"

/** All header fields of a request together, in bytes; larger requests get a 431. */
const MOST_HEADER_BYTES = 16 * 1_024

/** How long a client may take to send the header fields of its first request, from the connection on, and each whole request, in milliseconds. */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000

/** How long a client may take to read why its request is refused before the connection is closed, in milliseconds. */
const REFUSAL_MS = 1_000

/** How long a connection may be kept open between requests. */
const KEEP_ALIVE_MS = 65_000

/** Idle timeout of a connection; longer than a synchronous audit takes. */
const IDLE_MS = 150_000

/** How often Node checks the timeouts. */
const CHECK_MS = 1_000

/** How long running requests may continue at shutdown. */
const GRACE = "2 seconds"

/** A server that does not listen yet. `headersMs`: for tests. */
export const makeNodeServer = (
  bounds: ConnectionBounds,
  warn: (message: string) => void,
  headersMs = HEADERS_MS
): Server => {
  const server = createServer({
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: headersMs,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    noDelay: true
  })
  server.setTimeout(IDLE_MS)
  server.on("clientError", refuse)
  boundConnections(server, bounds, warn)
  holdUntilServed(server)
  return server
}

/** The server listens shortly before its handler is added, and Node would drop requests until then; they wait here. */
const holdUntilServed = (server: Server): void => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse): void => {
    early.push([request, response])
  }
  const release = (event: string | symbol): void => {
    if (event !== "request") return
    server.off("request", hold).off("newListener", release)
    process.nextTick(() => {
      for (const exchange of early) server.emit("request", ...exchange)
    })
  }
  server.on("request", hold).on("newListener", release)
}

/** Answers what is not valid HTTP or takes too long, and closes the connection, even if the client keeps its side open. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const [status, message] = REFUSALS[error.code ?? ""] ?? ["400 Bad Request", "This is not a valid HTTP request."]
  const body = JSON.stringify({ error: message })
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "X-Content-Type-Options: nosniff",
    "Connection: close"
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  const closing = setTimeout(() => socket.destroy(), REFUSAL_MS)
  socket.once("close", () => clearTimeout(closing))
}

const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The header fields of the request are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."]
}

/** The server, listening where `PORT` and `HOST` say. */
export const layerNodeServer = Layer.unwrap(
  Effect.gen(function* () {
    const listen = yield* Effect.all({ host, port })
    const descriptors = descriptorLimit()
    const bounds = connectionBounds(descriptors, yield* trustedProxies)
    const advice = descriptorAdvice(descriptors, bounds)
    if (advice !== null) yield* Effect.logWarning(advice)
    const fork = Effect.runForkWith(yield* Effect.context())
    return NodeHttpServer.layer(
      () =>
        makeNodeServer(bounds, (message) => {
          fork(Effect.logWarning(message))
        }),
      { ...listen, gracefulShutdownTimeout: GRACE }
    )
  })
)

/** Maximum numbers of open connections; more are closed at once. */
export interface ConnectionBounds {
  readonly all: number
  /** Of one client: an IPv4 address, or the /64 of an IPv6 address. */
  readonly perClient: number
  /** Whether connections from this address, in its canonical form, are those of one client. */
  readonly isClient: (address: string) => boolean
}

/** With this many, a service needs 100 MB more than without any. */
const MOST_CONNECTIONS = 10_000

/** Enough for the browsers of an office that share one address. */
const MOST_OF_CLIENT = 256

/** With fewer file descriptors, a busy service could run out of connections. */
const FEW_DESCRIPTORS = 1_024

/**
 * Half of the file descriptors are for connections, the others for the database, audit processes, archives and requests of our own. A trusted
 * proxy has the connections of all clients; so may have an address that is not public: a proxy on the same machine or in the same network, or
 * the gateway of a container. Such connections are bounded only all together.
 */
export const connectionBounds = (descriptors: number | null, trustedProxies: number): ConnectionBounds => {
  const all = Math.min(MOST_CONNECTIONS, Math.floor((descriptors ?? Number.POSITIVE_INFINITY) / 2))
  return {
    all,
    perClient: Math.min(MOST_OF_CLIENT, Math.ceil(all / 4)),
    isClient: (address) => trustedProxies === 0 && isPublicAddress(address)
  }
}

/** What an operator should do about the file descriptors; `null`: nothing. */
export const descriptorAdvice = (descriptors: number | null, { all }: ConnectionBounds): string | null =>
  descriptors === null || descriptors >= FEW_DESCRIPTORS
    ? null
    : `this process may open ${descriptors} files and connections, so it keeps at most ${all} connections of clients open: allow 1,024 or more (ulimit -n, LimitNOFILE, nofile)`

/** Maximum number of open files and connections of this process; `null`: not known, as on systems other than Linux, or unlimited. */
const descriptorLimit = (): number | null => {
  try {
    const [, soft] = /^Max open files +(\d+)/mu.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}

/** Closes connections beyond the bounds as they are made. `warn` is called with the first of each kind. */
const boundConnections = (
  server: Server,
  { all, isClient, perClient }: ConnectionBounds,
  warn: (message: string) => void
): void => {
  const ofClients = new Map<string, number>()
  server.maxConnections = all
  server.once("drop", () => warn(`${all} connections are open: more are closed at once`))
  let warned = false
  server.on("connection", (socket) => {
    const { address, rateKey } = clientOf({ peer: socket.remoteAddress ?? null, forwardedFor: null }, 0)
    if (!isClient(address)) return
    const open = ofClients.get(rateKey) ?? 0
    if (open >= perClient) {
      socket.destroy()
      if (!warned)
        warn(
          `one client address has ${perClient} connections open: more are closed at once. If it is a proxy of yours, set DOCGAUGE_TRUST_PROXY`
        )
      warned = true
      return
    }
    ofClients.set(rateKey, open + 1)
    socket.once("close", () => {
      const left = (ofClients.get(rateKey) ?? 1) - 1
      if (left === 0) ofClients.delete(rateKey)
      else ofClients.set(rateKey, left)
    })
  })
}
