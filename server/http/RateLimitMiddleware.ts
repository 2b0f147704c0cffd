import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { LimitDecision } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { percentDecoded } from "../../engine/text/PercentDecoding.ts"
import { rateLimitResponse } from "./errors/RateLimitResponse.ts"
import { Clients } from "./request/Clients.ts"
import { requestPath } from "./request/RequestIds.ts"

/**
 * Limits how often clients read the public API. It runs before the routes and looks at nothing but the path, so that a
 * refusal costs little and malformed requests count too.
 */
export const rateLimitMiddleware = Effect.gen(function* () {
  const clients = yield* Clients
  const { browse, poll } = yield* Limits
  const browsing = rateLimited(clients, browse)
  const polling = rateLimited(clients, poll)

  return <E, R>(
    request: HttpServerRequest,
    answer: Effect.Effect<HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse, E, R> => {
    const path = decoded(request.url)
    if (!path.startsWith(READ_PATH) || (request.method !== "GET" && request.method !== "HEAD")) return answer
    return path.startsWith(BROWSE_PATH) ? browsing(request, answer) : polling(request, answer)
  }
})

/** The path as the router reads it, where `%61` equals `a`. */
const decoded = (url: string): string => (url.includes("%") ? (percentDecoded(requestPath(url)) ?? url) : url)

const READ_PATH = "/api/public/"
const BROWSE_PATH = "/api/public/browse/"

/** Answers requests beyond the limit with 429. */
export const rateLimited =
  (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<LimitDecision>) =>
  <A, E, R>(request: HttpServerRequest, answer: Effect.Effect<A, E, R>): Effect.Effect<A | HttpServerResponse, E, R> =>
    Effect.flatMapEager(limit(clients.of(request)), (verdict): Effect.Effect<A | HttpServerResponse, E, R> =>
      verdict._tag === "Refusal" ? Effect.succeed(rateLimitResponse(verdict)) : answer
    )
