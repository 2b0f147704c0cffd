import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { addresses } from "../config/Settings.ts"
import { type ErrorDescription, errorResponse } from "./errors/ErrorResponse.ts"
import { internalError, misdirected, noRoute, optionsResponse, SEVERAL_HOSTS, STOPPING } from "./errors/NotFound.ts"
import { PageRenderer } from "./errors/PageRenderer.ts"
import { rateLimitMiddleware } from "./limits/RateLimitMiddleware.ts"
import { hasSeveralHosts, makeOwnHosts } from "./OwnHosts.ts"
import { requestId } from "./request/RequestIds.ts"
import { requestPath } from "./request/RequestPath.ts"
import { makeResponseFinisher } from "./ResponseFinisher.ts"
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
  const limitRate = yield* rateLimitMiddleware
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
      if (hasSeveralHosts(request)) return finish(request, respond(request, SEVERAL_HOSTS), startedAt)
      if (!hosts.answers(request)) return finish(request, respond(request, misdirected(base)), startedAt)
      return Effect.matchCauseEffect(limitRate(request, app), {
        onSuccess: (response) => finish(request, response, startedAt),
        onFailure: (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.flatMap(failed(request, cause), (response) => finish(request, response, startedAt))
      })
    })
})
