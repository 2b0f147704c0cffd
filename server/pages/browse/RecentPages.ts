import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { CachedResponse } from "../../response/CachedResponse.ts"
import type { ResponseCache } from "../../response/ResponseCache.ts"

/** A page to cache, or a response that is not cached, such as an error. */
export type RecentPage = CachedResponse | HttpServerResponse

/** Long enough that popular pages read the store once a second, and short enough that readers do not notice an old one. */
const TIME_TO_LIVE = "1 second"

/** Serves a page from the cache, or renders it; the key is the whole URL. */
export const makeRecentPages =
  (responses: ResponseCache["Service"]) =>
  <E>(request: HttpServerRequest, make: Effect.Effect<RecentPage, E>): Effect.Effect<HttpServerResponse, E> =>
    Effect.flatMap(responses.get(`recent ${request.url}`, CachedResponse, make, TIME_TO_LIVE), (seen) =>
      seen instanceof CachedResponse ? seen.to(request) : Effect.succeed(seen)
    )
