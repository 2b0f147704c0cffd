import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import type { Refusal, Verdict } from "../../../engine/limit/Verdict.ts"
import { StoreUnavailable } from "../../../engine/store/RunStore.ts"
import type { Clients } from "../../http/Clients.ts"
import { tooManyRequests } from "../../http/Refusals.ts"
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

/** Lets a client see pages as often as a limit allows; beyond it, and where the store is gone, a page says so. */
export const makePageRation = (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<Verdict>) =>
  <E, R>(request: HttpServerRequest, answer: Effect.Effect<HttpServerResponse, E, R>): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
    Effect.flatMap(limit(clients.of(request)), (verdict) =>
      verdict._tag === "Refusal" ? Effect.succeed(refusedPage(verdict)) : orUnavailablePage(answer))

/** Where the store says no, a page says so with a 503; the log has the reason. */
const orUnavailablePage = <E, R>(answer: Effect.Effect<HttpServerResponse, E, R>): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
  Effect.catch(answer, (error): Effect.Effect<HttpServerResponse, Exclude<E, StoreUnavailable>> =>
    isUnavailable(error)
      ? Effect.catch(orUnavailable(Effect.fail(error)), ({ error: text }) =>
        Effect.succeed(noticeAnswer(503, { title: "Not available at the moment", text }, { "retry-after": "5" })))
      : Effect.fail(error as Exclude<E, StoreUnavailable>))

const isUnavailable = (error: unknown): error is StoreUnavailable => error instanceof StoreUnavailable
