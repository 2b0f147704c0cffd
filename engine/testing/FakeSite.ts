import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { normalise } from "../evidence/Address.ts"
import type { Agent, Asked, FaultKind } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { contentTypeOf, MARKDOWN_TYPE } from "../text/HttpValues.ts"
import { type Hop, hopFault, type HopMeta, type HopRequest, Transport } from "../evidence/Transport.ts"
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
import { agentOf, askedAs } from "../evidence/UserAgents.ts"

/**
 * A documentation site as a plain map from a path on `https://docs.example.com` or an absolute URL to its response. `*` is the response for any other URL; without it, that is a 404.
 *
 * ```ts
 * const site: FakeSite = {
 *   "/": "<h1>Docs</h1>",
 *   "/llms.txt": "# Docs",
 *   "/old": { redirect: "/new" },
 *   "/guide": { byAccept: { "text/markdown": { body: "# Guide", headers: { vary: "Accept" } } }, body: "<h1>Guide</h1>" },
 *   "/slow": { delayMs: Infinity },
 *   "https://api.example.com/": { status: 401 }
 * }
 * ```
 */
export type FakeSite = Readonly<Record<string, FakeAnswer>>

/** A body, a full response, or a function of the request. */
export type FakeAnswer = string | Uint8Array | FakeResponse | ((asked: Asked) => FakeAnswer)

export interface FakeResponse {
  /** 200 by default; 301 with a `redirect`. */
  readonly status?: number
  /** The value of `Content-Type`; by default guessed from the URL's extension or the body; `null`: none. */
  readonly type?: string | null
  /** Names are case-insensitive; a list sends the header several times. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string | Uint8Array
  /** Redirect target, absolute or relative. */
  readonly redirect?: string
  /** Delay in milliseconds; more than `FetchLimits.firstByteMs` is a timeout. `Infinity` hangs. */
  readonly delayMs?: number
  /** Fails with this fault instead of a response. */
  readonly fault?: FaultKind
  /** Other responses for requests whose `Accept` names one of these media types; the first match wins. */
  readonly byAccept?: Readonly<Record<string, FakeAnswer>>
  readonly byAgent?: Readonly<Partial<Record<Agent, FakeAnswer>>>
  readonly byMethod?: Readonly<Partial<Record<Asked["method"], FakeAnswer>>>
}

export interface FakeSiteOptions {
  /** The base of paths; `https://docs.example.com` by default. */
  readonly host?: string
  /**
   * Shuffles the order in which responses to concurrent requests arrive, deterministically by seed. 0 keeps the order of the
   * requests.
   */
  readonly seed?: number
}

export const FAKE_HOST = "https://docs.example.com"

const NOT_FOUND: FakeResponse = { status: 404, type: "text/plain; charset=utf-8", body: "404 Not Found\n" }

/** A transport that serves a fake site without a network. */
export const layerFakeSite = (site: FakeSite, options: FakeSiteOptions = {}): Layer.Layer<Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { firstByteMs } = yield* FetchLimits
      const answer = answering(site, options.host)
      return Transport.of({
        send: (request) => deliver(request, answer(request.asked), firstByteMs, options.seed ?? 0)
      })
    })
  )

/** The full response of a fake site to a request, after content negotiation. Paths are on `host`. */
export const answering = (site: FakeSite, host = FAKE_HOST): ((asked: Asked) => FakeResponse) => {
  const answers = addressed(site, host)
  return (asked) => answerTo(asked, answers)
}

/** By normalised URL, except `*`. */
const addressed = (site: FakeSite, host: string): ReadonlyMap<string, FakeAnswer> =>
  new Map(
    Object.entries(site).map(([place, answer]) => [place === "*" ? place : (normalise(place, host) ?? place), answer])
  )

const answerTo = (asked: Asked, answers: ReadonlyMap<string, FakeAnswer>): FakeResponse =>
  resolve(answers.get(asked.url) ?? answers.get("*") ?? NOT_FOUND, asked)

const resolve = (answer: FakeAnswer, asked: Asked): FakeResponse => {
  if (typeof answer === "function") return resolve(answer(asked), asked)
  if (typeof answer === "string" || answer instanceof Uint8Array) return { body: answer }
  const other = answer.byMethod?.[asked.method] ?? answer.byAgent?.[asked.agent] ?? byAccept(answer, asked.accept)
  return other === undefined ? answer : resolve(other, asked)
}

const byAccept = (answer: FakeResponse, accept: string): FakeAnswer | undefined =>
  Object.entries(answer.byAccept ?? {}).find(([type]) => accept.includes(type))?.[1]

const deliver = (
  request: HopRequest,
  response: FakeResponse,
  firstByteMs: number,
  seed: number
): Effect.Effect<Hop> => {
  const { delayMs = 0 } = response
  const arrived = turns(request.asked, seed)
  if (delayMs > firstByteMs) {
    const late = faultOf("first_byte_timeout", `no answer within ${firstByteMs / 1_000} s`)
    return Effect.as(Effect.sleep(firstByteMs), late)
  }
  const waited = delayMs === 0 ? arrived : Effect.andThen(Effect.sleep(delayMs), arrived)
  return Effect.map(waited, () => hopOf(request, response))
}

/** Yields to other fibers a number of times that URL and seed determine. */
const turns = ({ accept, agent, url }: Asked, seed: number): Effect.Effect<void> =>
  seed === 0
    ? Effect.void
    : Effect.forEach(Array.from({ length: hash(`${seed} ${agent} ${accept} ${url}`) % 17 }), () => Effect.yieldNow, {
        discard: true
      })

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}

const META: HopMeta = { peer: "203.0.113.7", sentAt: 0, firstByteMs: 0, attempts: 1 }

const faultOf = (kind: FaultKind, message: string): Hop => hopFault(kind, message, META)

const hopOf = (request: HopRequest, response: FakeResponse): Hop => {
  if (response.fault !== undefined) return faultOf(response.fault, `the fake site answers with ${response.fault}`)
  const body =
    typeof response.body === "string" ? new TextEncoder().encode(response.body) : (response.body ?? new Uint8Array())
  return {
    _tag: "HopAnswer",
    status: response.status ?? (response.redirect === undefined ? 200 : 301),
    headers: headersOf(request.asked.url, response),
    body: body.subarray(0, request.limitBytes),
    cut: body.length > request.limitBytes,
    wireBytes: body.length,
    meta: META
  }
}

/** The headers of a response from `url`, with names in lower case and a guessed content type by default. */
export const headersOf = (url: string, response: FakeResponse): ReadonlyArray<readonly [string, string]> => {
  const type = response.type === undefined ? guessType(url, response.body) : response.type
  const given = Object.entries(response.headers ?? {}).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name.toLowerCase(), one] as const)
  )
  return [
    ...(type === null || given.some(([name]) => name === "content-type") ? [] : [["content-type", type] as const]),
    ...(response.redirect === undefined ? [] : [["location", response.redirect] as const]),
    ...given
  ]
}

const HTML = "text/html; charset=utf-8"

/** By the path's extension, or by the beginning of the body. */
const guessType = (url: string, body: FakeResponse["body"]): string | null => {
  const byEnding = contentTypeOf(new URL(url).pathname)
  if (byEnding !== null) return byEnding
  if (typeof body !== "string") return body === undefined ? null : "application/octet-stream"
  const start = body.trimStart()
  if (start.startsWith("<?xml")) return "application/xml"
  if (start.startsWith("{") || start.startsWith("[")) return "application/json"
  return start.startsWith("#") ? MARKDOWN_TYPE : HTML
}

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
