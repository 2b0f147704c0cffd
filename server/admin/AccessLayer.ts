import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import { Unavailable, UNAVAILABLE_SECONDS } from "../api/Errors.ts"
import { EXCHANGE_LIMITS } from "../audits/LookupTurns.ts"
import { agentAddress, reach } from "../config/Settings.ts"
import { Clients } from "../http/request/Clients.ts"
import { isTooLarge } from "../http/request/RequestBody.ts"
import { requestPath } from "../http/request/RequestIds.ts"
import { adminRefusals } from "../observe/Metrics.ts"
import { type AdminOptions, makeAdminTokens } from "./AdminTokens.ts"
import {
  AdminAccess,
  AdminInputCheck,
  BodyTooLarge,
  Malformed,
  NotAllowed,
  NotJson,
  Operator,
  type OperatorIdentity,
  Unauthorized
} from "./api/AdminErrors.ts"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import { firstIssue } from "../http/errors/Refusals.ts"

/** The operators' own key server, which may be on their own network. It is asked once at a time. */
const keyServer = Layer.unwrap(
  Effect.gen(function* () {
    const options = {
      ...(yield* reach),
      allowPrivate: true,
      allowHttp: true,
      refusedRanges: [],
      userAgents: userAgents(ENGINE_VERSION, yield* agentAddress)
    }
    return Layer.provide(guardedHttp(options), Layer.succeed(FetchLimits, EXCHANGE_LIMITS))
  })
)

/** Checks the bearer token of every request, then its role, then the kind and size of its body. */
export const accessLayer = (options: AdminOptions): Layer.Layer<AdminAccess, Config.ConfigError, Clients> =>
  Layer.effect(
    AdminAccess,
    Effect.gen(function* () {
      const check = yield* makeAdminTokens(options)
      const noteRejected = yield* makeRefusedTokens

      const identify = Effect.fnUntraced(function* (
        token: string,
        reads: boolean,
        request: HttpServerRequest
      ): Effect.fn.Return<OperatorIdentity, Unauthorized | NotAllowed | Unavailable> {
        if (token === "") return yield* missing()
        const holder = yield* Effect.catchTag(check(token), "KeysUnavailable", ({ cause }) =>
          Effect.andThen(
            Effect.logWarning("the key set of operator tokens is unavailable", cause),
            Effect.fail(
              new Unavailable({
                error: "Tokens cannot be checked at the moment. Try again in 5 seconds.",
                retryAfter: UNAVAILABLE_SECONDS
              })
            )
          )
        )
        if (holder === null) {
          yield* noteRejected(request, "invalid", null)
          return yield* invalid()
        }
        const { name, role } = holder
        if (role === null) {
          yield* noteRejected(request, "no_role", name)
          return yield* notAllowed("The token has no role: the claim role or roles must contain viewer or operator.")
        }
        if (role === "viewer" && !reads) {
          yield* noteRejected(request, "read_only", name)
          return yield* notAllowed("A viewer can only read.")
        }
        return { name, role }
      })

      return {
        bearer: (answer, { credential, endpoint }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest
            const operator = yield* identify(Redacted.value(credential), endpoint.method === "GET", request)
            if (endpoint.payload.size > 0) yield* checkBody(request)
            const response = yield* withTooLarge(answer).pipe(
              Effect.provideService(Operator, operator),
              Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(MOST_BYTES))
            )
            return HttpServerResponse.setHeader(response, "cache-control", "no-store")
          })
      }
    })
  ).pipe(Layer.provide(keyServer))

const missing = () =>
  Effect.fail(new Unauthorized({ error: "A bearer token is required.", code: "unauthorized", challenge: "Bearer" }))

const invalid = () =>
  Effect.fail(
    new Unauthorized({
      error: "The token is not valid here, or has expired.",
      code: "unauthorized",
      challenge: 'Bearer error="invalid_token", error_description="the token is not valid here, or has expired"'
    })
  )

const notAllowed = (error: string) => Effect.fail(new NotAllowed({ error, code: "forbidden" }))

/** Maximum size of a body. */
const MOST_BYTES = 64 * 1_024

const tooLarge = () => Effect.fail(new BodyTooLarge({ error: "The body is larger than 64 KB." }))

const JSON_BODY = /^application\/json\s*(?:;|$)/i

const checkBody = ({ headers }: HttpServerRequest): Effect.Effect<void, BodyTooLarge | NotJson> => {
  if (
    !JSON_BODY.test(headers["content-type"] ?? "application/json") ||
    (headers["content-encoding"] ?? "identity") !== "identity"
  ) {
    return Effect.fail(new NotJson({ error: "Send uncompressed application/json." }))
  }
  return Number(headers["content-length"] ?? 0) > MOST_BYTES ? tooLarge() : Effect.void
}

/** Converts the defect of a body without Content-Length that exceeds the limit. */
const withTooLarge = <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E | BodyTooLarge, R> =>
  Effect.catchCause(answer, (cause): Effect.Effect<never, E | BodyTooLarge> =>
    isTooLarge(Cause.squash(cause)) ? tooLarge() : Effect.failCause(cause)
  )

/** Why a token was refused: invalid, without a role, or with a role that may only read. */
type RefusalReason = "invalid" | "no_role" | "read_only"

/** Log lines per client IP address, so that guessing tokens cannot fill the log. */
const LINE_RATE = { amount: 10, windowMs: 60_000 }

/** Clients with a count of log lines. */
const MOST_CLIENTS = 1_000

const LONGEST_PATH = 200

const counters = {
  invalid: Metric.withAttributes(adminRefusals, { reason: "invalid" }),
  no_role: Metric.withAttributes(adminRefusals, { reason: "no_role" }),
  read_only: Metric.withAttributes(adminRefusals, { reason: "read_only" })
} as const

/** Counts each refused token and logs its sender, but never the token; only the name in a valid one. */
const makeRefusedTokens = Effect.gen(function* () {
  const clients = yield* Clients
  const lines = makeMemoryBuckets(LINE_RATE, MOST_CLIENTS)
  yield* Effect.forEach(Object.values(counters), (counter) => Metric.update(counter, 0), { discard: true })

  return Effect.fnUntraced(function* (request: HttpServerRequest, reason: RefusalReason, holder: string | null) {
    yield* Metric.update(counters[reason], 1)
    const { address, rateKey } = clients.of(request)
    if (!lines.take(rateKey, 1, yield* Clock.currentTimeMillis).taken) return
    yield* Effect.logWarning("the admin API refused a token").pipe(
      Effect.annotateLogs({
        reason,
        client: address,
        method: request.method,
        path: requestPath(request.url).slice(0, LONGEST_PATH),
        ...(holder === null ? {} : { holder })
      })
    )
  })
})

const PLACES: Readonly<Record<string, string>> = { Params: "path", Query: "query", Headers: "headers", Payload: "body" }

const LONGEST = 300

/** Invalid input gets a 400 with the full reason; a response that cannot be encoded stays an internal error. */
export const layerAdminInput: Layer.Layer<AdminInputCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  AdminInputCheck,
  (error) => {
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
    const { message, path } = firstIssue(error.cause.issue)
    const place = [PLACES[error.kind] ?? error.kind, ...path].join(".")
    return Effect.fail(new Malformed({ error: `${place}: ${message}`.slice(0, LONGEST) }))
  }
)

/** The host form of a site, from its URL or its host form. */
export const siteOfText = (text: string): Effect.Effect<string, Malformed> => {
  const url = URL.parse(/^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`)
  return url === null ||
    !/^[^.]+(?:\.[^.]+)+$/.test(url.hostname) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
    ? Effect.fail(
        new Malformed({
          error: "site: use a URL such as https://docs.example.com/v2, or a host form such as docs.example.com/v2"
        })
      )
    : Effect.succeed(siteFormOf(url.href))
}
