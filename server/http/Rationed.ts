import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { Verdict } from "../../engine/limit/Verdict.ts"
import type { Clients } from "./Clients.ts"
import { refusedAnswer } from "./Refusals.ts"

/** Lets a client do something as often as a limit allows; beyond it the answer is a 429. */
export const makeRation = (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<Verdict>) =>
  <A, E, R>(request: HttpServerRequest, answer: Effect.Effect<A, E, R>): Effect.Effect<A | HttpServerResponse, E, R> =>
    Effect.flatMapEager(limit(clients.of(request)), (verdict): Effect.Effect<A | HttpServerResponse, E, R> =>
      verdict._tag === "Refusal" ? Effect.succeed(refusedAnswer(verdict)) : answer)
