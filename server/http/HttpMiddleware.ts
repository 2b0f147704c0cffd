import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { withoutFinalDots } from "../../engine/evidence/Address.ts"
import { addresses, host, isLoopback, ownHostsOnly, reach } from "../config/Settings.ts"
import { answerCounter } from "../observe/Metrics.ts"
import { isShared, OWN_HEADERS, securityHeaders, SHARED_HEADERS } from "../response/CommonHeaders.ts"
import { codingFor, compress, LEAST_BYTES } from "../response/EncodedBody.ts"
import { isReusable, VARY } from "../response/ResponseCache.ts"
import {
  internalError,
  misdirected,
  noRoute,
  optionsResponse,
  SEVERAL_HOSTS,
  STOPPING,
  type ErrorDescription,
  errorResponse,
  PageRenderer
} from "./errors/ErrorResponses.ts"
import { rateLimitResponse } from "./errors/Refusals.ts"
import { rateLimitMiddleware } from "./RateLimitMiddleware.ts"
import { Clients } from "./request/Clients.ts"
import { requestId, requestPath } from "./request/RequestIds.ts"
import { RouteTable } from "./RouteTable.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type App = Effect.Effect<Response, unknown, Request | Scope.Scope>

/**
 * The middleware around all routes: rate limits, responses where no route answers, a 500 that shows nothing of the failure
 * but the id under which it was logged, and the headers and compression that all responses share.
 */
export const httpMiddleware = Effect.gen(function* () {
  const routes = yield* RouteTable
  const { admit, told } = yield* rateLimitMiddleware
  const clients = yield* Clients
  const hosts = yield* makeOwnHosts
  const { base } = yield* addresses
  const { notice } = yield* PageRenderer
  const finish = yield* makeResponseFinisher(hosts)

  const respond = (request: Request, error: ErrorDescription): Response => errorResponse(notice, request, error)

  const failed = (request: Request, cause: Cause.Cause<unknown>): Effect.Effect<Response> => {
    const error = Cause.squash(cause)
    if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
      const allowed = routes.allowed(request.url)
      return Effect.succeed(optionsResponse(request, allowed) ?? respond(request, noRoute(allowed)))
    }
    const id = requestId(request)
    const where = { request: id, method: request.method, path: requestPath(request.url).slice(0, 200) }
    return Effect.as(
      Effect.annotateLogs(Effect.logError("request failed", cause), where),
      respond(request, internalError(id))
    )
  }

  /** In a trace, the client is not the proxy before us. */
  const tellSpan = (request: Request, context: Context.Context<never>): void => {
    const span = Context.getOrUndefined(context, Tracer.ParentSpan)
    if (span?._tag !== "Span" || !span.sampled || Context.get(context, Tracer.Tracer) === Tracer.nativeTracer) return
    span.attribute("client.address", clients.of(request).address)
    span.attribute("url.scheme", clients.scheme(request))
  }

  /** Effect answers requests that it interrupts at shutdown with an empty 503. */
  const whereStopped =
    (startedAt: number): HttpEffect.PreResponseHandler =>
    (request, response) =>
      response.status === 503 && response.body._tag === "Empty"
        ? finish(request, respond(request, STOPPING), startedAt)
        : Effect.succeed(response)

  return (app: App): App =>
    Effect.contextWith((context: Context.Context<Request | Scope.Scope>) => {
      const startedAt = performance.now()
      HttpEffect.appendPreResponseHandlerUnsafe(context, whereStopped(startedAt))
      const request = Context.get(context, HttpServerRequest.HttpServerRequest)
      tellSpan(request, context)
      if (hasSeveralHosts(request)) return finish(request, respond(request, SEVERAL_HOSTS), startedAt)
      if (!hosts.answers(request)) return finish(request, respond(request, misdirected(base)), startedAt)
      return Effect.flatMapEager(admit(request), (admitted): App => {
        if (admitted._tag === "Refusal") return finish(request, rateLimitResponse(admitted), startedAt)
        const finished = (response: Response): Effect.Effect<Response> =>
          // After a response that is used again was finished once for all.
          Effect.flatMap(finish(request, response, startedAt), (made) => told(request, made, admitted))
        return Effect.matchCauseEffect(app, {
          onSuccess: finished,
          onFailure: (cause) =>
            Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.flatMap(failed(request, cause), finished)
        })
      })
    })
})

/** Adds the headers that all responses have, compresses what is worth it, and counts. `startedAt`: by `performance.now()`. */
const makeResponseFinisher = Effect.fnUntraced(function* (hosts: OwnHosts) {
  const { base } = yield* addresses
  const countAnswer = yield* answerCounter
  const general = securityHeaders(base)
  const shared = { ...general, ...SHARED_HEADERS }
  const own = { ...general, ...OWN_HEADERS }

  /** A reusable response is finished once for other origins and once for our own. */
  const finishedResponses = { shared: new WeakMap<Response, Response>(), own: new WeakMap<Response, Response>() }

  const finishedOnce = (response: Response, forAll: boolean): Response => {
    const responses = forAll ? finishedResponses.shared : finishedResponses.own
    const known = responses.get(response)
    if (known !== undefined) return known
    const made = withNotFoundHeaders(withHeaders(response, forAll ? shared : own, false))
    responses.set(response, made)
    return made
  }

  return (
    request: HttpServerRequest.HttpServerRequest,
    response: Response,
    startedAt: number
  ): Effect.Effect<Response> => {
    const path = requestPath(request.url)
    const mayShare = hosts.isShared(request)
    const forAll = mayShare && isShared(path)
    countAnswer(request.method, path, response.status, (performance.now() - startedAt) / 1_000)
    if (isReusable(response)) return Effect.succeed(finishedOnce(response, forAll))
    const made = withHeaders(response, forAll ? shared : own, isRunPath(path))
    return isWorthCompressing(made)
      ? Effect.map(compressed(request, made), withNotFoundHeaders)
      : Effect.succeed(withNotFoundHeaders(made))
  }
})

/** Responses about runs change, so by default they are not stored. */
const isRunPath = (path: string): boolean =>
  path === "/audit" || path.startsWith("/audit/") || path.startsWith("/api/public/audit/")

/** Adds the common headers; those that the response has already win. */
const withHeaders = (response: Response, common: Readonly<Record<string, string>>, isRun: boolean): Response => {
  const headers: Record<string, string> = {}
  for (const name in common) if (!(name in response.headers)) headers[name] = common[name] ?? ""
  if (isRun && !("cache-control" in response.headers)) headers["cache-control"] = "no-store"
  return HttpServerResponse.setHeaders(response, headers)
}

/** A missing page may exist a moment later, and its response is a page or JSON. */
const withNotFoundHeaders = (response: Response): Response =>
  response.status === 404
    ? HttpServerResponse.setHeaders(response, {
        "cache-control": response.headers["cache-control"] ?? "no-store",
        vary: `Accept, ${VARY}`
      })
    : response

/** Text that is long enough and not encoded yet. */
const isWorthCompressing = ({ body, headers }: Response): boolean =>
  body._tag === "Uint8Array" &&
  body.contentLength >= LEAST_BYTES &&
  !("vary" in headers) &&
  TEXT.test(headers["content-type"] ?? body.contentType)

const TEXT = /^(?:text\/|application\/(?:json|yaml|xml|xhtml\+xml|javascript)|image\/svg)/

const compressed = (request: HttpServerRequest.HttpServerRequest, response: Response): Effect.Effect<Response> => {
  const coding = codingFor(request.headers["accept-encoding"])
  const varying = HttpServerResponse.setHeader(response, "vary", VARY)
  if (coding === "identity" || response.body._tag !== "Uint8Array") return Effect.succeed(varying)
  const { body, contentType } = response.body
  return Effect.map(compress(body, coding), (bytes) =>
    HttpServerResponse.uint8Array(bytes, {
      status: response.status,
      contentType,
      headers: { ...withoutLength(varying.headers), "content-encoding": coding }
    })
  )
}

const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-length"))

/** The host names that this service accepts, and the origins that may read its responses. */
interface OwnHosts {
  /** Whether the request names this service as its host. */
  readonly answers: (request: HttpServerRequest.HttpServerRequest) => boolean
  /** Whether pages of any origin may read what is public in the answer (CORS). */
  readonly isShared: (request: HttpServerRequest.HttpServerRequest) => boolean
}

/** The relevant parts of a request. */
type Name = "own" | "loopback" | "other"

/**
 * A service that listens on loopback, or audits private addresses, or is published on loopback alone (`DOCGAUGE_OWN_HOSTS_ONLY`,
 * as in a container, where it listens on all addresses), can reach what browsers keep web pages from, so it must not
 * become a way around that. A page may point its own name to 127.0.0.1 (DNS rebinding), so requests are accepted only under the
 * names of the base, docs and MCP URLs and those of loopback, and pages of other origins cannot read responses from loopback.
 * Health and metrics accept any name, because monitors may know the IP address only.
 */
const makeOwnHosts = Effect.gen(function* () {
  const { allowPrivate } = yield* reach
  const listensLocally = isLoopback(yield* host)
  const isAskedFor = yield* ownHostsOnly
  const { base, docs, mcp } = yield* addresses
  const own = new Set([base, docs, mcp].map((url) => new URL(url).hostname))

  const nameOf = ({ headers }: HttpServerRequest.HttpServerRequest): Name => {
    const hostname = hostnameIn(headers["host"] ?? "")
    return isLoopbackName(hostname) ? "loopback" : own.has(hostname) ? "own" : "other"
  }

  const bound: OwnHosts = {
    answers: (request) => nameOf(request) !== "other" || isForMonitors(requestPath(request.url)),
    isShared: (request) => !allowPrivate && nameOf(request) === "own"
  }
  return listensLocally || allowPrivate || isAskedFor ? bound : UNBOUND
})

const UNBOUND: OwnHosts = { answers: () => true, isShared: () => true }

/** `localhost`, `app.localhost`, `127.0.0.1`, `[::1]`. */
const isLoopbackName = (hostname: string): boolean => isLoopback(hostname) || hostname.endsWith(".localhost")

/** Whether a request has more than one `Host` field; Node drops the others. */
const hasSeveralHosts = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const { rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length > 1
}

/** The host in a `Host` header, as URLs have it; empty where there is none. */
const hostnameIn = (header: string): string =>
  /^[^\s/\\?#@]+$/.test(header) ? withoutFinalDots(URL.parse(`http://${header}/`)?.hostname ?? "") : ""

const isForMonitors = (path: string): boolean => path === "/healthz" || path === "/healthz/live" || path === "/metrics"
