import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { trimStart } from "../../engine/text/WhiteSpace.ts"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import type { Rate } from "../../engine/limit/RateSpec.ts"
import { decisionOf } from "../../engine/limit/LimitDecision.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { Clients } from "../http/request/Clients.ts"
import { AskingNetwork } from "../audits/LookupTurns.ts"
import { rateLimitResponse } from "../http/errors/RateLimitResponse.ts"
import { countRefusal } from "../observe/MeteredLimits.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { makeAuthorization } from "./Authorization.ts"
import { leadingPage, authorizationErrorPage } from "./AuthorizePage.ts"
import { authorizationServer, discoveryPaths, basePathOf, protectedResource } from "./Discovery.ts"
import { oauthError, privateJson, publicJson } from "./OAuthAnswers.ts"
import { OAuthClients, type RegisteredClient } from "./OAuthClients.ts"
import { OAuthKeys } from "./OAuthKeys.ts"
import { oauthRate, OAuthSettings } from "./OAuthSettings.ts"
import { OAuthStore } from "./OAuthStore.ts"
import { Seals } from "./Seals.ts"
import { type BadBody, readJson, readText } from "./SmallBody.ts"
import { makeTokenExchange, RefreshContent, type TokenRefused } from "./TokenExchange.ts"

type Response = HttpServerResponse.HttpServerResponse
type Answer<E = never> = Effect.Effect<Response, E>

const FORM = "application/x-www-form-urlencoded"

/** Maximum size of a form and of a registration, in bytes. */
const MOST_FORM = 16 * 1_024
const MOST_REGISTRATION = 8 * 1_024

/** The endpoints of the authorization server and its discovery documents, on the service's own router. */
export const oauthRoutes: Layer.Layer<
  never,
  Config.ConfigError,
  HttpRouter.HttpRouter | Clients | OAuthSettings | OAuthStore | OAuthKeys | OAuthClients | Seals | AccessTokens
> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const options = yield* OAuthSettings
    const clients = yield* Clients
    const store = yield* OAuthStore
    const keys = yield* OAuthKeys
    const oauthClients = yield* OAuthClients
    const seals = yield* Seals
    const tokens = yield* AccessTokens
    const ration = makeRation(clients, yield* oauthRate)
    const decide = makeAuthorization({ clients: oauthClients, seals, options })
    const exchange = makeTokenExchange({ store, seals, tokens, options })

    const authorize = (request: HttpServerRequest): Answer<StoreUnavailable> =>
      Effect.map(decide(new URL(request.url, options.issuer).searchParams), (decision) => {
        if (decision._tag === "Refused") return authorizationErrorPage(decision.message)
        return decision.kind === "loopback"
          ? HttpServerResponse.empty({
              status: 302,
              headers: { location: decision.location, "cache-control": "no-store", "referrer-policy": "no-referrer" }
            })
          : leadingPage(decision.location, decision.client.name)
      })

    const token = (request: HttpServerRequest): Answer<BadBody | TokenRefused | StoreUnavailable> =>
      readText(request, FORM, MOST_FORM).pipe(
        Effect.flatMap((text) => exchange(new URLSearchParams(text), clients.of(request).network)),
        Effect.map((given) => privateJson(given))
      )

    const register = (request: HttpServerRequest): Answer<BadBody | StoreUnavailable> =>
      readJson(request, MOST_REGISTRATION).pipe(
        Effect.flatMap((metadata) => oauthClients.register(metadata)),
        Effect.map(
          Result.match({
            onSuccess: (client) => privateJson(registrationOf(client), 201),
            onFailure: ({ code, message }) => oauthError(code, message)
          })
        )
      )

    /** RFC 7009: an invalid token gets the response of a revoked one. Revoking any token ends its whole grant. */
    const revoke = Effect.fnUntraced(function* (
      request: HttpServerRequest
    ): Effect.fn.Return<Response, BadBody | StoreUnavailable> {
      const handedIn = new URLSearchParams(yield* readText(request, FORM, MOST_FORM)).get("token") ?? ""
      const refresh = yield* seals.open("refresh", RefreshContent, handedIn)
      const grant = refresh?.grant ?? (yield* tokens.grantOf(handedIn))
      if (grant !== null) yield* store.revokeGrant(grant)
      return HttpServerResponse.empty({ status: 200, headers: { "cache-control": "no-store" } })
    })

    const answering =
      (answer: (request: HttpServerRequest) => Answer<BadBody | TokenRefused | StoreUnavailable>) =>
      (request: HttpServerRequest): Answer =>
        ration(
          request,
          Effect.catchTags(
            Effect.provideService(
              Effect.suspend(() => answer(request)),
              AskingNetwork,
              clients.of(request).network
            ),
            {
              BadBody: ({ message, status }) => Effect.succeed(oauthError("invalid_request", message, status)),
              TokenRefused: ({ description, error }) =>
                Effect.succeed(oauthError(error, description, error === "invalid_client" ? 401 : 400)),
              StoreUnavailable: (reason) =>
                Effect.as(Effect.logWarning("the store is unavailable", reason), UNAVAILABLE)
            }
          )
        )

    yield* router.add("GET", pathIn(options.authorizeUrl), answering(authorize))
    yield* router.add("POST", pathIn(options.tokenUrl), answering(token))
    yield* router.add("POST", pathIn(options.registerUrl), answering(register))
    yield* router.add("POST", pathIn(options.revokeUrl), answering(revoke))
    yield* router.add(
      "GET",
      pathIn(options.keysUrl),
      answering(() => Effect.map(keys.published, (published) => publicJson({ keys: published })))
    )
    const paths = discoveryPaths(options)
    for (const path of paths.protectedResource)
      yield* router.add("GET", asPath(path), Effect.succeed(publicJson(protectedResource(options))))
    for (const path of paths.authorizationServer)
      yield* router.add("GET", asPath(path), Effect.succeed(publicJson(authorizationServer(options))))
  })
)

const asPath = (path: string): `/${string}` => `/${trimStart(path, "/")}`

const pathIn = (address: string): `/${string}` => asPath(basePathOf(address))

const UNAVAILABLE = HttpServerResponse.jsonUnsafe(
  { error: "temporarily_unavailable", error_description: "the service is unavailable at the moment" },
  { status: 503, headers: { "retry-after": "5", "cache-control": "no-store" } }
)

/** Rate limit per client IP address, counted in the memory of this process; `null`: no limit. */
const makeRation = (
  clients: Clients["Service"],
  rate: Rate | null
): ((request: HttpServerRequest, answer: Answer) => Answer) => {
  if (rate === null) return (_, answer) => answer
  const buckets = makeMemoryBuckets(rate)
  return (request, answer) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const verdict = decisionOf("oauth", rate, 1, buckets.take(clients.of(request).rateKey, 1, now))
      return verdict._tag === "Refusal" ? Effect.as(countRefusal(verdict), rateLimitResponse(verdict)) : answer
    })
}

/** The response of RFC 7591: the metadata as registered, not as requested. */
const registrationOf = ({ id, issuedAt, name, redirectUris }: RegisteredClient) => ({
  client_id: id,
  client_id_issued_at: issuedAt,
  ...(name === null ? {} : { client_name: name }),
  redirect_uris: redirectUris,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none"
})
