import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import process from "node:process"
import type { Duplex } from "node:stream"
import { host, port, trustedProxies } from "../config/Settings.ts"
import {
  boundConnections,
  type ConnectionBounds,
  connectionBounds,
  descriptorAdvice,
  descriptorLimit
} from "./ConnectionBounds.ts"

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
