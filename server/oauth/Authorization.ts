import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { digestOfClient, matchesRedirect, type OAuthClient, redirectKind } from "./OAuthClient.ts"
import type { OAuthClients } from "./OAuthClients.ts"
import type { Seals } from "./OAuthKeys.ts"
import { type OAuthOptions, SCOPE } from "./OAuthSettings.ts"

/** The content of an authorization code. It is sealed into the code, so that unredeemed codes need no storage. */
export const CodeContent = Schema.Struct({
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

interface Parts {
  readonly clients: OAuthClients["Service"]
  readonly seals: Seals["Service"]
  readonly options: OAuthOptions
}

/**
 * Decides on an authorization request. There is no login and no consent: every valid request is approved. Client and redirect
 * URI are checked first; until both are valid, nothing is sent to either.
 */
export const makeAuthorization = ({ clients, options, seals }: Parts) => {
  const approve = Effect.fnUntraced(function* (client: OAuthClient, redirectUri: string, challenge: string) {
    const jti = globalThis.crypto.randomUUID()
    const content = { jti, client: digestOfClient(client.id), redirect_uri: redirectUri, challenge, scope: SCOPE }
    return yield* seals.seal("code", content, options.codeMs)
  })

  return Effect.fnUntraced(function* (query: URLSearchParams): Effect.fn.Return<Decision, StoreUnavailable> {
    const repeated = repeatedName(query)
    if (repeated !== null) return refused(`the parameter ${repeated} is repeated`)
    const found = yield* clients.find(query.get("client_id") ?? "")
    if (Result.isFailure(found)) return refused(found.failure)
    const client = found.success
    const redirectUri =
      query.get("redirect_uri") ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined) ?? ""
    const kind = redirectKind(redirectUri)
    if (kind === null || !matchesRedirect(redirectUri, client.redirectUris))
      return refused("the redirect_uri is not registered for the client")
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

const refused = (message: string): Decision => ({ _tag: "Refused", message })

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
export const isResource = (asked: string, resource: string): boolean => asked === resource || asked === `${resource}/`

const withQuery = (address: string, added: Readonly<Record<string, string>>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value)
  return url.href
}
