import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import { Clients } from "./Clients.ts"
import { pathOf } from "./Paths.ts"
import { makeRation } from "./Rationed.ts"

/**
 * Lets clients read the contract as often as limits allow. It stands before the routes: nothing of a request is looked at
 * but its path until its client is let through, so that a refusal costs next to nothing, and what cannot be read counts, too.
 */
export const makeTurnstile = Effect.gen(function*() {
  const clients = yield* Clients
  const { browse, poll } = yield* Limits
  const browsing = makeRation(clients, browse)
  const polling = makeRation(clients, poll)

  return <E, R>(request: HttpServerRequest, answer: Effect.Effect<HttpServerResponse, E, R>): Effect.Effect<HttpServerResponse, E, R> => {
    const path = plainly(request.url)
    if (!path.startsWith(READ_PATH) || (request.method !== "GET" && request.method !== "HEAD")) return answer
    return path.startsWith(BROWSE_PATH) ? browsing(request, answer) : polling(request, answer)
  }
})

/** An address as the router understands it: `%61` is as good as `a` there, and counts as much here. */
const plainly = (url: string): string => {
  if (!url.includes("%")) return url
  try {
    return decodeURIComponent(pathOf(url))
  } catch {
    return url
  }
}

const READ_PATH = "/api/public/"
const BROWSE_PATH = "/api/public/browse/"
