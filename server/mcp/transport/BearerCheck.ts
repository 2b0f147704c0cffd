import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { AccessTokens, Bearer } from "../../oauth/AccessTokens.ts"
import { resourceMetadataUrl } from "../../oauth/Discovery.ts"
import { type OAuthOptions, SCOPE } from "../../oauth/OAuthSettings.ts"

type Response = HttpServerResponse.HttpServerResponse

const TOKEN = /^bearer +([\w~+/.-]+=*)$/i

/** Authenticates a request by its token, or returns the 401 or 403 with a challenge (RFC 6750, RFC 9728). */
export const makeBearerCheck = (tokens: AccessTokens["Service"], options: OAuthOptions) => {
  const challenge = (status: 401 | 403, error: string | null, description: string): Response => {
    const parameters = [
      ...(error === null ? [] : [`error="${error}"`, `error_description="${description}"`]),
      `resource_metadata="${resourceMetadataUrl(options)}"`,
      `scope="${SCOPE}"`
    ]
    return HttpServerResponse.jsonUnsafe(
      { error: error ?? "unauthorized", error_description: description },
      {
        status,
        headers: { "www-authenticate": `Bearer ${parameters.join(", ")}`, "cache-control": "no-store" }
      }
    )
  }
  const missing = challenge(
    401,
    null,
    "a bearer token is required; the resource metadata says where to get one without an account"
  )
  const invalid = challenge(401, "invalid_token", "the token is not valid here, or expired")
  const insufficient = challenge(403, "insufficient_scope", "the token does not have the scope of this resource")

  return Effect.fnUntraced(function* ({
    headers
  }: HttpServerRequest): Effect.fn.Return<Result.Result<Bearer, Response>, StoreUnavailable> {
    const { authorization } = headers
    if (authorization === undefined) return Result.fail(missing)
    const [, token] = TOKEN.exec(authorization) ?? []
    const bearer = token === undefined ? null : yield* tokens.check(token)
    if (bearer === null) return Result.fail(invalid)
    return bearer.scopes.includes(SCOPE) ? Result.succeed(bearer) : Result.fail(insufficient)
  })
}
