import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { addresses } from "../Settings.ts"
import { countAnswer } from "../observe/CountedAnswers.ts"
import { isLasting, VARY } from "./Answers.ts"
import { codingFor, compress, LEAST_BYTES } from "./ContentCoding.ts"
import { internalError, misdirected, unrouted } from "./NoRoute.ts"
import { makeOwnHosts } from "./OwnHosts.ts"
import { pathOf } from "./Paths.ts"
import { requestId } from "./RequestIds.ts"
import { RouteTable } from "./RouteTable.ts"
import { isShared, OWN_HEADERS, securityHeaders, SHARED_HEADERS } from "./SecurityHeaders.ts"
import { makeTurnstile } from "./Turnstile.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type App = Effect.Effect<Response, unknown, Request | Scope.Scope>

/**
 * What all answers have in common: their headers, their coding, the answers to what no route answers, and a clean 500
 * for what went wrong. Nothing that went wrong is told, but under an id that the log has, too.
 */
export const makeEdge = Effect.gen(function*() {
  const routes = yield* RouteTable
  const turnstile = yield* makeTurnstile
  const hosts = yield* makeOwnHosts
  const { base } = yield* addresses
  const general = securityHeaders(base)
  const shared = { ...general, ...SHARED_HEADERS }
  const own = { ...general, ...OWN_HEADERS }

  /** Answers that are sent again and again are finished once for those who share them and once for our own. */
  const done = { shared: new WeakMap<Response, Response>(), own: new WeakMap<Response, Response>() }

  const finishedOnce = (response: Response, forAll: boolean): Response => {
    const answers = forAll ? done.shared : done.own
    const known = answers.get(response)
    if (known !== undefined) return known
    const made = completed(withHeaders(response, forAll ? shared : own, false))
    answers.set(response, made)
    return made
  }

  const finished = (request: Request, response: Response): Effect.Effect<Response> => {
    const path = pathOf(request.url)
    const mayShare = hosts.isShared(request)
    const forAll = mayShare && isShared(path)
    countAnswer(request.method, response.status)
    if (isLasting(response)) return Effect.succeed(finishedOnce(response, forAll))
    const made = withHeaders(mayShare ? response : unshared(response), forAll ? shared : own, isRunPath(path))
    return isWorthCoding(made) ? Effect.map(coded(request, made), completed) : Effect.succeed(completed(made))
  }

  const failed = (request: Request, cause: Cause.Cause<unknown>): Effect.Effect<Response> => {
    const error = Cause.squash(cause)
    if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") return Effect.succeed(unrouted(request, routes.allowed(request.url)))
    const id = requestId(request)
    const where = { request: id, method: request.method, path: pathOf(request.url).slice(0, 200) }
    return Effect.as(Effect.annotateLogs(Effect.logError("request failed", cause), where), internalError(request, id))
  }

  return (app: App): App =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (!hosts.answers(request)) return finished(request, misdirected(request, base))
      return Effect.matchCauseEffect(turnstile(request, app), {
        onSuccess: (response) => finished(request, response),
        onFailure: (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.flatMap(failed(request, cause), (response) => finished(request, response))
      })
    })
})

/** Runs change, and so does what there is to say of them. */
const isRunPath = (path: string): boolean => path === "/audit" || path.startsWith("/audit/") || path.startsWith("/api/public/audit/")

/** The headers that all answers have, beneath those that this one has of its own. */
const withHeaders = (response: Response, common: Readonly<Record<string, string>>, isRun: boolean): Response => {
  const headers: Record<string, string> = {}
  for (const name in common) if (!(name in response.headers)) headers[name] = common[name] ?? ""
  if (isRun && !("cache-control" in response.headers)) headers["cache-control"] = "no-store"
  return HttpServerResponse.setHeaders(response, headers)
}

/** Some answers let pages of all origins read them whatever their path. */
const unshared = (response: Response): Response =>
  ALLOW_ORIGIN in response.headers ? HttpServerResponse.removeHeader(response, ALLOW_ORIGIN) : response

const ALLOW_ORIGIN = "access-control-allow-origin"

/** What is not there may be there in a moment, and is told to people and programs in different words. */
const completed = (response: Response): Response =>
  response.status === 404
    ? HttpServerResponse.setHeaders(response, { "cache-control": response.headers["cache-control"] ?? "no-store", vary: `Accept, ${VARY}` })
    : response

/** Text that is long enough, and that nobody has coded yet. */
const isWorthCoding = ({ body, headers }: Response): boolean =>
  body._tag === "Uint8Array" && body.contentLength >= LEAST_BYTES && !("vary" in headers) && TEXT.test(headers["content-type"] ?? body.contentType)

const TEXT = /^(?:text\/|application\/(?:json|yaml|xml|xhtml\+xml|javascript)|image\/svg)/

const coded = (request: Request, response: Response): Effect.Effect<Response> => {
  const coding = codingFor(request.headers["accept-encoding"])
  const varying = HttpServerResponse.setHeader(response, "vary", VARY)
  if (coding === "identity" || response.body._tag !== "Uint8Array") return Effect.succeed(varying)
  const { body, contentType } = response.body
  return Effect.map(compress(body, coding), (bytes) =>
    HttpServerResponse.uint8Array(bytes, {
      status: response.status,
      contentType,
      headers: { ...withoutLength(varying.headers), "content-encoding": coding }
    }))
}

const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-length"))
