import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import type { Refusal, Verdict } from "../../../engine/limit/Verdict.ts"
import { StoreUnavailable } from "../../../engine/store/RunStore.ts"
import type { Clients } from "../../http/Clients.ts"
import { prefersHtml } from "../../http/PrefersHtml.ts"
import { refusedAnswer, tooManyRequests } from "../../http/Refusals.ts"
import { toldAnswer } from "../../http/ToldAnswer.ts"
import { orUnavailable } from "../../http/Unavailability.ts"
import { noticeAnswer } from "./NoticePage.ts"

/** The refusal of a limit as a page. */
const refusedPage = (refusal: Refusal): HttpServerResponse => {
  const { error, rateLimit, rateLimitPolicy, retry_after: seconds } = tooManyRequests(refusal)
  return noticeAnswer(429, { title: "Too many requests", text: error }, {
    "retry-after": String(seconds),
    ratelimit: rateLimit,
    "ratelimit-policy": rateLimitPolicy
  })
}

/**
 * Lets a client see pages as often as a limit allows; beyond it, and where the store is gone, people are told so by a
 * page, and programs in JSON.
 */
export const makePageRation = (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<Verdict>) =>
  <E, R>(request: HttpServerRequest, answer: Effect.Effect<HttpServerResponse, E, R>): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
    Effect.flatMap(limit(clients.of(request)), (verdict) => {
      if (verdict._tag === "Refusal") return Effect.succeed(prefersHtml(request) ? refusedPage(verdict) : refusedAnswer(verdict))
      return toldUnavailable(request, answer)
    })

/** Where the store says no, a 503 says so; the log has the reason. */
const toldUnavailable = <E, R>(request: HttpServerRequest, answer: Effect.Effect<HttpServerResponse, E, R>): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
  Effect.catch(answer, (error): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>> => {
    if (error instanceof StoreUnavailable) return unavailable(request, error)
    return isOther(error) ? Effect.fail(error) : Effect.die(error)
  })

const isOther = <E>(error: E): error is Exclude<E, StoreUnavailable> => !(error instanceof StoreUnavailable)

const unavailable = (request: HttpServerRequest, reason: StoreUnavailable): Effect.Effect<HttpServerResponse> =>
  Effect.catch(orUnavailable(Effect.fail(reason)), ({ error }) =>
    Effect.succeed(toldAnswer(request, {
      status: 503,
      page: { title: "Not available at the moment", text: error },
      json: { error },
      headers: { "retry-after": "5" }
    })))
