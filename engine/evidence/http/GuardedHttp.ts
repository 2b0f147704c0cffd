import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Client, Dispatcher } from "undici"
import { BodyAdmission, LARGE_BYTES, type LargeBodyLock, makeLargeBodyLock } from "./BodyAdmission.ts"
import { ACCEPTED_CODINGS, readResponseBody } from "./ContentCoding.ts"
import { addressFailure, type DestinationPolicy, proxyOf } from "./Destination.ts"
import { type Asked, headerIn, type Headers, mediaType } from "../Exchange.ts"
import {
  type SecretRemoval,
  secretRemoval,
  secretsOfAuthorization,
  type SiteHeaders,
  siteHeadersFor
} from "../EchoedSecrets.ts"
import { FetchLimits } from "../FetchLimits.ts"
import { ConnectionOpened, type Hop, type HopAnswer, type HopRequest, Transport } from "../Transport.ts"
import { failureOf, headTooLong, HopFailure, unlessAborted } from "./HopFailure.ts"
import { type HttpConnections, makeConnections, MAX_HEADER_BYTES, type PooledConnection } from "./HttpConnections.ts"
import { mirroredHeaders } from "./HttpMessage.ts"
import { Network } from "./Network.ts"
import { authorizationFor, loginRefusal, type Proxy, proxyAuthorizations } from "./Proxies.ts"
import { isResponseTo, makeEventReader } from "../../text/EventStream.ts"
import { isJsonObject, parsedJson } from "../../text/JsonText.ts"
import { agentHeaders, type UserAgents } from "../UserAgents.ts"
import {
  type AuditMeter,
  BytesReceived,
  type ExchangeTimer,
  makeAuditMeter,
  startExchangeMeter,
  startExchangeTimer
} from "./ExchangeMeter.ts"

/** Sends a request. `onBody` is told the length of each piece of the body as soon as it is parsed, before more is read. */
const requestWith = (
  client: Client,
  options: Dispatcher.RequestOptions,
  onBody: (length: number) => void
): Promise<Dispatcher.ResponseData> =>
  client
    .compose((dispatch) => (dispatched, handler) => {
      const receive = handler.onResponseData?.bind(handler)
      handler.onResponseData = (controller, piece) => {
        onBody(piece.length)
        receive?.(controller, piece)
      }
      return dispatch(dispatched, handler)
    })
    .request(options)

/** How the guarded network is used. */
export interface GuardedHttpOptions extends DestinationPolicy {
  readonly userAgents: UserAgents
  /** Certificates (PEM) of authorities to trust besides the usual ones. */
  readonly authorities?: ReadonlyArray<string>
  /** Headers for one origin. */
  readonly siteHeaders?: SiteHeaders | undefined
}

/**
 * The transport over the real network. Every connection is checked before a word is said in it (`Connector`), every
 * body bounded before and after decompression (`ContentCoding`), every exchange bounded in time (`ExchangeTimer`) and in what
 * comes besides the body (`ExchangeMeter`), and all exchanges of the layer together in bytes (`auditBytes`). No
 * redirect is followed and nothing retried, but for a request that went into a kept-alive connection just as the server
 * closed it: that one was never received. Interrupting an exchange ends its connection; the layer's end ends all.
 */
export const guardedHttp = (options: GuardedHttpOptions): Layer.Layer<Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const limits = yield* FetchLimits
      const network = yield* Network
      const connectOptions = {
        ...options,
        network,
        connectMs: limits.connectMs,
        authorities: options.authorities ?? []
      }
      const connections = yield* Effect.acquireRelease(
        Effect.sync(() => makeConnections(connectOptions, limits.perHost)),
        (made) => Effect.sync(made.closeAll)
      )
      const largeBodies = makeLargeBodyLock()
      const admission = yield* BodyAdmission
      const meter = makeAuditMeter(limits.auditBytes, yield* BytesReceived)
      const secrets = secretRemoval([
        ...(options.siteHeaders?.secrets ?? []),
        ...proxyAuthorizations(options.proxies).flatMap(secretsOfAuthorization)
      ])
      return Transport.of({
        send: (request) =>
          Effect.flatMap(ConnectionOpened, (opened) =>
            Effect.promise((interrupted) =>
              send(
                request,
                { options, limits, connections, largeBodies, admission, secrets, meter, opened },
                interrupted
              )
            )
          )
      })
    })
  )

interface Door {
  readonly options: GuardedHttpOptions
  readonly limits: FetchLimits
  readonly connections: HttpConnections
  readonly largeBodies: LargeBodyLock
  readonly admission: BodyAdmission
  readonly secrets: SecretRemoval
  readonly meter: AuditMeter
  readonly opened: () => void
}

/** What is noted down about an exchange while it goes on. */
interface Notes {
  readonly sentAt: number
  readonly startedAt: number
  peer: string | null
  firstByteMs: number | null
}

/** Never rejects. */
const send = async (request: HopRequest, door: Door, interrupted: AbortSignal): Promise<Hop> => {
  const notes: Notes = { sentAt: Date.now(), startedAt: performance.now(), peer: null, firstByteMs: null }
  const watch = startExchangeTimer(door.limits.exchangeMs)
  const interrupt = (): void => watch.abort(new HopFailure("reset", "the request was given up"))
  interrupted.addEventListener("abort", interrupt, { once: true })
  try {
    const answer = await answerTo(request, door, watch, notes)
    return { _tag: "HopAnswer", ...answer, meta: metaOf(notes) }
  } catch (error) {
    const { kind, message } = failureOf(watch.signal.aborted ? watch.signal.reason : error)
    return { _tag: "HopFault", kind, message, meta: metaOf(notes) }
  } finally {
    watch.stop()
    interrupted.removeEventListener("abort", interrupt)
  }
}

const metaOf = (notes: Notes): Hop["meta"] => ({
  peer: notes.peer,
  sentAt: notes.sentAt,
  firstByteMs: notes.firstByteMs,
  attempts: 1
})

type Received = Omit<HopAnswer, "_tag" | "meta">

const answerTo = async (request: HopRequest, door: Door, watch: ExchangeTimer, notes: Notes): Promise<Received> => {
  const url = URL.parse(request.asked.url)
  if (url === null) throw new HopFailure("bad_address", "the URL cannot be read")
  const failure = addressFailure(url, door.options) ?? door.meter.failure()
  if (failure !== null) throw failure
  const connection = door.connections.take(url, false)
  const reused = connection.isOpen()
  try {
    return await exchangeOn(connection, url, request, door, watch, notes)
  } catch (error) {
    const swallowed =
      reused &&
      request.asked.method === "GET" &&
      notes.firstByteMs === null &&
      !watch.signal.aborted &&
      failureOf(error).kind === "reset"
    if (!swallowed) throw error
    return exchangeOn(door.connections.take(url, true), url, request, door, watch, notes)
  }
}

const exchangeOn = async (
  connection: PooledConnection,
  url: URL,
  request: HopRequest,
  door: Door,
  watch: ExchangeTimer,
  notes: Notes
): Promise<Received> => {
  const { limits, connections, opened } = door
  const awaitFirstByte = (): void => {
    watch.phase("first_byte_timeout", limits.firstByteMs)
    opened()
  }
  const abort = (): void => connections.drop(connection, failureOf(watch.signal.reason))
  watch.signal.addEventListener("abort", abort, { once: true })
  const turn = { isTaken: false, end: (): void => undefined }
  const takeTurn = async (): Promise<void> => {
    turn.isTaken = true
    // What waits for us has not stalled.
    watch.phase("exchange_timeout", limits.exchangeMs)
    turn.end = await door.largeBodies.turn(watch.signal)
    watch.pause()
  }
  const awaitAdmission = async (length: number): Promise<void> => {
    if (length > LARGE_BYTES && !turn.isTaken) await takeTurn()
    const admitted = door.admission.admit(length)
    if (admitted === null) return
    watch.suspend()
    await unlessAborted(admitted, watch.signal)
    watch.resume("stalled", limits.stallMs)
  }
  const beforeMore = (length: number): Promise<void> | undefined =>
    (length > LARGE_BYTES && !turn.isTaken) || door.admission.admit(length) !== null
      ? awaitAdmission(length)
      : undefined
  const meter = startExchangeMeter(connection, limits.overheadBytes, door.meter, watch.abort)
  connection.whenOpened(awaitFirstByte)
  if (connection.isOpen()) awaitFirstByte()
  try {
    const { asked } = request
    const target = targetOf(url, door.options)
    const response = await requestWith(
      connection.client,
      {
        path: target.path,
        method: request.headOnly === true ? "HEAD" : asked.method,
        headers: {
          ...siteHeadersFor(url, door.options.siteHeaders),
          ...request.headers,
          ...target.headers,
          ...headersFor(asked, door.options.userAgents)
        },
        body: asked.body ?? null,
        responseHeaders: "raw",
        signal: watch.signal,
        onInfo: meter.interim
      },
      meter.body
    )
    notes.firstByteMs = Math.round(performance.now() - notes.startedAt)
    if (target.proxy !== null && response.statusCode === 407) throw loginRefusal(target.proxy)
    const headers = headersOf(response.headers)
    if (headLength(headers) > MAX_HEADER_BYTES) throw headTooLong()
    const body = timed(response.body, () => watch.phase("stalled", limits.stallMs), watch.pause)
    const awaited = responseTo(asked, headers)
    const read = await readResponseBody(
      body,
      // The coding of a body that is not sent.
      request.headOnly === true ? null : headerIn(headers, "content-encoding"),
      request.limitBytes,
      beforeMore,
      awaited?.endIn
    )
    watch.signal.throwIfAborted()
    door.admission.keep(read.body.length)
    if (read.cut || awaited?.isFound() === true)
      connections.drop(connection, new HopFailure("reset", "enough was read"))
    else connections.giveBack(url, connection)
    return {
      status: response.statusCode,
      ...read,
      headers: door.secrets.fromHeaders(headers),
      body: door.secrets.fromBody(read.body, read.cut)
    }
  } catch (error) {
    connections.drop(connection, failureOf(error))
    throw error
  } finally {
    meter.stop()
    turn.end()
    notes.peer = connection.peer()
    watch.signal.removeEventListener("abort", abort)
  }
}

/** Plain HTTP goes to a proxy with the whole URL and its login (RFC 9112, section 3.2.2); all else with the path. */
const targetOf = (
  url: URL,
  options: GuardedHttpOptions
): { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly proxy: Proxy | null } => {
  const path = `${url.pathname}${url.search}`
  const proxy = url.protocol === "http:" ? proxyOf(url, options) : null
  return proxy === null
    ? { path, headers: {}, proxy }
    : { path: `${url.origin}${path}`, headers: authorizationFor(proxy), proxy }
}

const headersFor = (asked: Asked, agents: UserAgents): Record<string, string> => ({
  ...Object.fromEntries([...agentHeaders(asked, agents), ...mirroredHeaders(asked)]),
  accept: asked.accept,
  "accept-encoding": ACCEPTED_CODINGS,
  ...(asked.body === undefined ? {} : { "content-type": "application/json" })
})

/** undici gives raw headers as one flat list of names and values, whatever its types say. */
const headersOf = (raw: unknown): Headers => {
  const flat = Array.isArray(raw) ? raw.map(String) : []
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), asUtf8(flat[index + 1] ?? "")] as const] : []
  )
}

/** As HTTP/1.1 writes the headers; HTTP/2 may send many times of it in a few bytes. */
const headLength = (headers: Headers): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Header bytes come read as Latin-1; they are UTF-8 where they can be. */
const asUtf8 = (latin1: string): string => {
  // Nearly all are ASCII, and the same in both.
  if (!/[^\u0000-\u007f]/.test(latin1)) return latin1
  try {
    return utf8.decode(Buffer.from(latin1, "latin1"))
  } catch {
    return latin1
  }
}

/**
 * A server may keep a stream of events open after the response to a JSON-RPC request: it is read up to the end of that event.
 * `null` for what is no such stream.
 */
const responseTo = (
  asked: Asked,
  headers: Headers
): { readonly endIn: (piece: Uint8Array) => number | null; readonly isFound: () => boolean } | null => {
  const request = asked.body === undefined ? undefined : parsedJson(asked.body)
  if (mediaType({ headers }) !== "text/event-stream" || !isJsonObject(request)) return null
  const { id } = request
  const read = makeEventReader()
  let before = 0
  let found = false
  const endIn = (piece: Uint8Array): number | null => {
    // As Latin-1, so that a character is a byte.
    const events = read(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1"))
    const response = events.find(({ data }) => isResponseTo(id, parsedJson(data)))
    const from = before
    before += piece.length
    if (response === undefined) return null
    found = true
    return response.end - from
  }
  return { endIn, isFound: () => found }
}

/** Tells when a piece is waited for, and when there is work with one instead. */
async function* timed(
  body: AsyncIterable<Uint8Array>,
  wait: () => void,
  work: () => void
): AsyncGenerator<Uint8Array, void, undefined> {
  wait()
  for await (const piece of body) {
    work()
    yield piece
    wait()
  }
  work()
}
