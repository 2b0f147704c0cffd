import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { digestOfClient, matchesRedirect, type OAuthClient, redirectKind } from "./OAuthClient.ts"
import type { OAuthClients } from "./OAuthClients.ts"
import type { Seals } from "./OAuthKeys.ts"
import { type OAuthOptions, SCOPE } from "./OAuthSettings.ts"
import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import type { AccessTokens } from "./AccessTokens.ts"
import { GRANT_BOUNDS, type OAuthStore } from "./OAuthStore.ts"

/*
 * Grants (RFC 6749): a code for each authorization request, and tokens for codes and refresh tokens.
 */

/** The content of an authorization code. It is sealed into the code, so that unredeemed codes need no storage. */
const CodeContent = Schema.Struct({
  /** Becomes the id of the grant when the code is redeemed. */
  jti: Schema.String,
  /** Digest of the client's id. */
  client: Schema.String,
  redirect_uri: Schema.String,
  challenge: Schema.String,
  scope: Schema.String
})

/** The response to the browser. */
type Decision =
  /** An error page: the client is not trusted with a redirect. */
  | { readonly _tag: "Refused"; readonly message: string }
  /** A redirect to the client, with a code or an error. */
  | {
      readonly _tag: "Answered"
      readonly client: OAuthClient
      readonly kind: "loopback" | "elsewhere"
      readonly location: string
    }

interface AuthorizationParts {
  readonly clients: OAuthClients["Service"]
  readonly seals: Seals["Service"]
  readonly options: OAuthOptions
}

/**
 * Decides on an authorization request. There is no login and no consent: every valid request is approved. Client and redirect
 * URI are checked first; until both are valid, nothing is sent to either.
 */
export const makeAuthorization = ({ clients, options, seals }: AuthorizationParts) => {
  const approve = Effect.fnUntraced(function* (client: OAuthClient, redirectUri: string, challenge: string) {
    const jti = globalThis.crypto.randomUUID()
    const content = { jti, client: digestOfClient(client.id), redirect_uri: redirectUri, challenge, scope: SCOPE }
    return yield* seals.seal("code", content, options.codeMs)
  })

  return Effect.fnUntraced(function* (query: URLSearchParams): Effect.fn.Return<Decision, StoreUnavailable> {
    const repeated = repeatedName(query)
    if (repeated !== null) return errorPage(`the parameter ${repeated} is repeated`)
    const found = yield* clients.find(query.get("client_id") ?? "")
    if (Result.isFailure(found)) return errorPage(found.failure)
    const client = found.success
    const redirectUri =
      query.get("redirect_uri") ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined) ?? ""
    const kind = redirectKind(redirectUri)
    if (kind === null || !matchesRedirect(redirectUri, client.redirectUris))
      return errorPage("the redirect_uri is not registered for the client")
    const problem = problemOf(query, options.resource)
    const answer = problem ?? { code: yield* approve(client, redirectUri, query.get("code_challenge") ?? "") }
    const state = query.get("state")
    return {
      _tag: "Answered",
      client,
      kind,
      location: withQuery(redirectUri, { ...answer, ...(state === null ? {} : { state }), iss: options.issuer })
    }
  })
}

const errorPage = (message: string): Decision => ({ _tag: "Refused", message })

const PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method"
]

/** RFC 6749, 3.1: no parameter may be repeated, except `resource`. */
const repeatedName = (query: URLSearchParams): string | null =>
  PARAMETERS.find((name) => query.getAll(name).length > 1) ?? null

/** A challenge is the SHA-256 of a verifier in base64url. */
const CHALLENGE = /^[\w-]{43}$/

interface Problem {
  readonly error: string
  readonly error_description: string
}

const problemOf = (query: URLSearchParams, resource: string): Problem | null => {
  if (query.get("response_type") !== "code")
    return { error: "unsupported_response_type", error_description: "response_type must be code" }
  if (query.get("code_challenge_method") !== "S256" || !CHALLENGE.test(query.get("code_challenge") ?? "")) {
    return {
      error: "invalid_request",
      error_description: "PKCE is required: code_challenge with code_challenge_method S256"
    }
  }
  if (query.getAll("resource").some((wanted) => !isResource(wanted, resource))) {
    return { error: "invalid_target", error_description: `the only resource is ${resource}` }
  }
  return hasScope(query.get("scope"))
    ? null
    : { error: "invalid_scope", error_description: `the only scope is ${SCOPE}` }
}

/** Whether the requested scopes include ours. Unknown scopes are not granted, and the response says so. */
const hasScope = (asked: string | null): boolean =>
  asked === null || asked.trim() === "" || asked.split(" ").includes(SCOPE)

/** Whether a `resource` is ours; a trailing slash is allowed. */
const isResource = (asked: string, resource: string): boolean => asked === resource || asked === `${resource}/`

const withQuery = (address: string, added: Readonly<Record<string, string>>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value)
  return url.href
}

/** The content of a refresh token: its grant, and its generation. */
export const RefreshContent = Schema.Struct({ grant: Schema.String, generation: Schema.Int })

/** The response of the token endpoint. */
interface Tokens {
  readonly access_token: string
  readonly token_type: "Bearer"
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** Errors of the token endpoint (RFC 6749, 5.2; RFC 8707). */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  error: Schema.Literals([
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unsupported_grant_type",
    "invalid_scope",
    "invalid_target"
  ]),
  description: Schema.String
}) {}

interface ExchangeParts {
  readonly store: OAuthStore["Service"]
  readonly seals: Seals["Service"]
  readonly tokens: AccessTokens["Service"]
  readonly options: OAuthOptions
}

type Exchanged = Effect.Effect<Tokens, TokenRefused | StoreUnavailable>

/** Exchanges codes and refresh tokens. Each works once; a second use ends the grant. `network` is that of the client. */
export const makeTokenExchange = ({
  options,
  seals,
  store,
  tokens
}: ExchangeParts): ((form: URLSearchParams, network: string) => Exchanged) => {
  const give = Effect.fnUntraced(function* (
    grant: string,
    client: string,
    generation: number
  ): Effect.fn.Return<Tokens, StoreUnavailable> {
    return {
      access_token: yield* tokens.issue({ grant, client, scopes: [SCOPE] }),
      token_type: "Bearer",
      expires_in: Math.ceil(options.accessMs / 1_000),
      refresh_token: yield* seals.seal("refresh", { grant, generation }, options.grantMs),
      scope: SCOPE
    }
  })

  const redeem = Effect.fnUntraced(function* (
    form: URLSearchParams,
    network: string
  ): Effect.fn.Return<Tokens, TokenRefused | StoreUnavailable> {
    const code = yield* seals.open("code", CodeContent, form.get("code") ?? "")
    if (code === null) return yield* refuse("invalid_grant", "the code is not valid here, or has expired")
    const client = digestOfClient(form.get("client_id") ?? "")
    if (client !== code.client) return yield* refuse("invalid_grant", "the code was issued to another client")
    if ((form.get("redirect_uri") ?? code.redirect_uri) !== code.redirect_uri)
      return yield* refuse("invalid_grant", "redirect_uri differs from that of the authorization request")
    if (!provesChallenge(form.get("code_verifier") ?? "", code.challenge))
      return yield* refuse("invalid_grant", "code_verifier does not match the challenge")
    const expiresAt = (yield* Clock.currentTimeMillis) + options.grantMs
    const isFirst = yield* store.openGrant(
      { id: code.jti, client, network: digestOf(network), generation: 0, expiresAt, revoked: false },
      GRANT_BOUNDS.perGroup
    )
    if (isFirst) return yield* give(code.jti, client, 0)
    yield* store.revokeGrant(code.jti)
    return yield* refuse("invalid_grant", "the code was already redeemed; its tokens are revoked")
  })

  const refresh = Effect.fnUntraced(function* (
    form: URLSearchParams
  ): Effect.fn.Return<Tokens, TokenRefused | StoreUnavailable> {
    const content = yield* seals.open("refresh", RefreshContent, form.get("refresh_token") ?? "")
    const grant = content === null ? null : yield* store.findGrant(content.grant)
    if (content === null || grant === null || grant.revoked)
      return yield* refuse("invalid_grant", "the refresh token is not valid, or has expired")
    if (digestOfClient(form.get("client_id") ?? "") !== grant.client)
      return yield* refuse("invalid_grant", "the refresh token was issued to another client")
    const { generation } = content
    const expiresAt = (yield* Clock.currentTimeMillis) + options.grantMs
    if (yield* store.renewGrant(grant.id, generation, expiresAt))
      return yield* give(grant.id, grant.client, generation + 1)
    yield* store.revokeGrant(grant.id)
    return yield* refuse("invalid_grant", "the refresh token was already used; its grant is revoked")
  })

  return Effect.fnUntraced(function* (form, network) {
    const repeated = [...new Set(form.keys())].find((name) => name !== "resource" && form.getAll(name).length > 1)
    if (repeated !== undefined) return yield* refuse("invalid_request", "a parameter is repeated")
    if (form.get("client_id") === null) return yield* refuse("invalid_client", "client_id is missing")
    if (form.getAll("resource").some((asked) => !isResource(asked, options.resource)))
      return yield* refuse("invalid_target", `the only resource is ${options.resource}`)
    if (form.get("grant_type") === "authorization_code") return yield* redeem(form, network)
    if (form.get("grant_type") !== "refresh_token")
      return yield* refuse("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
    // A refresh never extends the granted scope.
    return (form.get("scope") ?? SCOPE) === SCOPE
      ? yield* refresh(form)
      : yield* refuse("invalid_scope", `the only scope is ${SCOPE}`)
  })
}

/** Key of the network in the store, hashed so that the store does not reveal IP addresses. */
const digestOf = (network: string): string => createHash("sha256").update(network).digest("base64url")

const refuse = (error: TokenRefused["error"], description: string) => new TokenRefused({ error, description })

/** RFC 7636, 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/

const provesChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && createHash("sha256").update(verifier).digest("base64url") === challenge
