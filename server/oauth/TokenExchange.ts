import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { AccessTokens } from "./AccessTokens.ts"
import { CodeContent, isResource } from "./Authorization.ts"
import { digestOfClient } from "./OAuthClient.ts"
import type { Seals } from "./OAuthKeys.ts"
import { type OAuthOptions, SCOPE } from "./OAuthSettings.ts"
import { GRANT_BOUNDS, type OAuthStore } from "./OAuthStore.ts"

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

interface Parts {
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
}: Parts): ((form: URLSearchParams, network: string) => Exchanged) => {
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
