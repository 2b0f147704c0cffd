import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import type { LimitDecision } from "../../../engine/limit/LimitDecision.ts"
import type { Clients } from "../request/Clients.ts"
import { rateLimitResponse } from "../errors/RateLimitResponse.ts"

/** Answers requests beyond the limit with 429. */
export const rateLimited =
  (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<LimitDecision>) =>
  <A, E, R>(request: HttpServerRequest, answer: Effect.Effect<A, E, R>): Effect.Effect<A | HttpServerResponse, E, R> =>
    Effect.flatMapEager(limit(clients.of(request)), (verdict): Effect.Effect<A | HttpServerResponse, E, R> =>
      verdict._tag === "Refusal" ? Effect.succeed(rateLimitResponse(verdict)) : answer
    )
