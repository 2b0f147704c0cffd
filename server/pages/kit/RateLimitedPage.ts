import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import type { LimitRefusal, LimitDecision } from "../../../engine/limit/LimitDecision.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { Clients } from "../../http/request/Clients.ts"
import { prefersHtml } from "../../response/Negotiation.ts"
import { rateLimitResponse, tooManyRequests } from "../../http/errors/RateLimitResponse.ts"
import { orUnavailable } from "../../http/errors/Unavailability.ts"
import { errorPage, noticeResponse } from "./NoticePage.ts"

/** The refusal of a limit as a page, which asks again by itself where that repeats nothing but a reading. */
const refusedPage = (request: HttpServerRequest, refusal: LimitRefusal): HttpServerResponse => {
  const { error, rateLimit, rateLimitPolicy, retry_after: seconds } = tooManyRequests(refusal)
  return noticeResponse(
    429,
    { title: "Too many requests", text: error, ...(request.method === "GET" ? { againIn: seconds } : {}) },
    {
      "retry-after": String(seconds),
      ratelimit: rateLimit,
      "ratelimit-policy": rateLimitPolicy
    }
  )
}

/** The refusal of a limit, as a page or as JSON, whichever the client prefers. */
export const rateLimitedAnswer = (request: HttpServerRequest, refusal: LimitRefusal): HttpServerResponse =>
  prefersHtml(request) ? refusedPage(request, refusal) : rateLimitResponse(refusal)

/**
 * Applies a rate limit to pages; beyond it, or if the store is unavailable, responds with a page or with JSON, whichever the
 * client prefers.
 */
export const rateLimitedPage =
  (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<LimitDecision>) =>
  <E, R>(
    request: HttpServerRequest,
    answer: Effect.Effect<HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
    Effect.flatMap(limit(clients.of(request)), (verdict) => {
      if (verdict._tag === "Refusal") return Effect.succeed(rateLimitedAnswer(request, verdict))
      return toldUnavailable(request, answer)
    })

/** A 503 if the store is unavailable; the log has the reason. */
const toldUnavailable = <E, R>(
  request: HttpServerRequest,
  answer: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
  Effect.catch(answer, (error): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>> => {
    if (error instanceof StoreUnavailable) return unavailable(request, error)
    return isOther(error) ? Effect.fail(error) : Effect.die(error)
  })

const isOther = <E>(error: E): error is Exclude<E, StoreUnavailable> => !(error instanceof StoreUnavailable)

const unavailable = (request: HttpServerRequest, reason: StoreUnavailable): Effect.Effect<HttpServerResponse> =>
  Effect.catch(orUnavailable(Effect.fail(reason)), ({ error }) =>
    Effect.succeed(
      errorPage(request, {
        status: 503,
        page: { title: "Temporarily unavailable", text: error },
        json: { error },
        headers: { "retry-after": "5" }
      })
    )
  )
