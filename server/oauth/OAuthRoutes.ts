import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import { decisionOf } from "../../engine/limit/LimitDecision.ts"
import type { Rate } from "../../engine/limit/LimitSettings.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { escapeMarkup } from "../../engine/text/MarkupText.ts"
import { trimStart } from "../../engine/text/WhiteSpace.ts"
import { AskingNetwork } from "../audits/LookupTurns.ts"
import { rateLimitResponse } from "../http/errors/Refusals.ts"
import { Clients } from "../http/request/Clients.ts"
import { countRefusal } from "../observe/Metered.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { makeAuthorization, makeTokenExchange, RefreshContent, type TokenRefused } from "./Grants.ts"
import { OAuthClients, type RegisteredClient } from "./OAuthClients.ts"
import { OAuthKeys, Seals } from "./OAuthKeys.ts"
import {
  authorizationServer,
  basePathOf,
  discoveryPaths,
  oauthRate,
  OAuthSettings,
  protectedResource
} from "./OAuthSettings.ts"
import { OAuthStore } from "./OAuthStore.ts"
import { type BadBody, readJson, readText } from "../http/request/RequestBody.ts"

type Response = HttpServerResponse.HttpServerResponse
type Answer<E = never> = Effect.Effect<Response, E>

const FORM = "application/x-www-form-urlencoded"

/** Maximum size of a form and of a registration, in bytes. */
const MOST_FORM = 16 * 1_024
const MOST_REGISTRATION = 8 * 1_024

/** A response that is secret or can change. */
const privateJson = (body: object, status = 200): Response =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store", pragma: "no-cache" } })

/** A public document. Not for pages of other origins: what it leads to, the MCP server, refuses them. */
const publicJson = (body: object): Response =>
  HttpServerResponse.jsonUnsafe(body, { headers: { "cache-control": "public, max-age=300" } })

/** An error by RFC 6749, 5.2. */
const oauthError = (error: string, description: string, status = 400): Response =>
  privateJson({ error, error_description: description }, status)

const STYLE =
  "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#1a1a1a;background:#fff}strong{overflow-wrap:anywhere}a{color:#0b57d0}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4f8}}"

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
} as const

/** Seconds to read the name of the host. */
const SECONDS = 3

/**
 * The page before a redirect to a client on another host. It names the host and redirects after a moment: anyone can register
 * a redirect URI, so the user should see where it leads.
 */
const leadingPage = (location: string, clientName: string | null): HttpServerResponse.HttpServerResponse => {
  const url = new URL(location)
  const place = url.protocol === "https:" ? url.host : `the app behind ${url.protocol}`
  const who = clientName === null ? "An unnamed program" : `A program that calls itself “${clientName}”`
  return page(
    200,
    `Continue to ${place}`,
    `<p>${escapeMarkup(who)} requests access to docgauge. No account is needed, and no data about you is shared.</p>
<p>You will be redirected to <strong>${escapeMarkup(place)}</strong> in ${SECONDS} seconds. <a href="${escapeMarkup(location)}" rel="noreferrer">Continue now</a>, or close this page if you did not expect this.</p>`,
    `<meta http-equiv="refresh" content="${SECONDS};url=${escapeMarkup(location)}">`
  )
}

/** The page for an error that must not be sent to the client. */
const authorizationErrorPage = (message: string): HttpServerResponse.HttpServerResponse =>
  page(
    400,
    "This authorization request is not valid",
    `<p>The program that sent you here made an invalid request: ${escapeMarkup(message)}.</p>\n<p>No access was granted. You can close this page.</p>`,
    ""
  )

const page = (status: number, title: string, body: string, head: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
${head}
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
${body}
</body>
</html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: HEADERS }
  )

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
