import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type HttpServerResponse, setHeaders } from "effect/http/HttpServerResponse"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import { type LimitDecision, rateLimitHeaders, UNLIMITED } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { percentDecoded } from "../../engine/text/UrlPath.ts"
import { rateLimitResponse } from "./errors/Refusals.ts"
import { Clients } from "./request/Clients.ts"
import { requestPath } from "./request/RequestIds.ts"

/** The limits of the public API, for each request. */
interface RateLimiting {
  /** Whether the client may read that now; it counts. Other requests are not limited here. */
  readonly admit: (request: HttpServerRequest) => Effect.Effect<LimitDecision>
  /** The response with the fields of the limit that its request counts against. */
  readonly told: (
    request: HttpServerRequest,
    response: HttpServerResponse,
    admitted: LimitDecision
  ) => Effect.Effect<HttpServerResponse>
}

/**
 * Limits how often clients read the public API. It runs before the routes and looks at nothing but the path, so that a
 * refusal costs little and malformed requests count too. Submissions are counted where their URLs are known to be valid.
 */
export const rateLimitMiddleware: Effect.Effect<RateLimiting, never, Clients | Limits> = Effect.gen(function* () {
  const clients = yield* Clients
  const { browse, poll, submitBucket } = yield* Limits

  return {
    admit: (request) => {
      const path = decoded(request.url)
      if (!path.startsWith(READ_PATH) || !LIMITED_METHODS.has(request.method)) return NOT_LIMITED
      return path.startsWith(BROWSE_PATH) ? browse(clients.of(request)) : poll(clients.of(request))
    },
    told: (request, response, admitted) => {
      if (LIMIT_FIELD in response.headers) return Effect.succeed(response)
      if (request.method === "POST" && isSubmission(requestPath(request.url)))
        return Effect.map(submitBucket.known(clients.of(request)), (standing) =>
          withFields(response, { _tag: "Allowed", standing })
        )
      return Effect.succeed(withFields(response, admitted))
    }
  }
})

const NOT_LIMITED = Effect.succeed(UNLIMITED)
const LIMIT_FIELD = "ratelimit"

const withFields = (response: HttpServerResponse, verdict: LimitDecision): HttpServerResponse =>
  verdict.standing === null ? response : setHeaders(response, rateLimitHeaders(verdict))

/** The path as the router reads it, where `%61` equals `a`. */
const decoded = (url: string): string => (url.includes("%") ? (percentDecoded(requestPath(url)) ?? url) : url)

/** What needs no body: the others are counted where it is known to be valid. */
const LIMITED_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"])

/** What counts as a submission: an audit, a new webhook, a test of one. */
const isSubmission = (path: string): boolean => path === "/audit" || path.startsWith(WEBHOOKS_PATH)

const READ_PATH = "/api/public/"
const WEBHOOKS_PATH = "/api/public/webhooks"
const BROWSE_PATH = "/api/public/browse/"

/** Answers requests beyond the limit with 429. */
export const rateLimited =
  (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<LimitDecision>) =>
  <A, E, R>(request: HttpServerRequest, answer: Effect.Effect<A, E, R>): Effect.Effect<A | HttpServerResponse, E, R> =>
    Effect.flatMapEager(limit(clients.of(request)), (verdict): Effect.Effect<A | HttpServerResponse, E, R> =>
      verdict._tag === "Refusal" ? Effect.succeed(rateLimitResponse(verdict)) : answer
    )
