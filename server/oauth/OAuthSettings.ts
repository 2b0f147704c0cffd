import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { setting } from "../../engine/config/Setting.ts"
import { parseRate, parseWindow, type Rate } from "../../engine/limit/LimitSettings.ts"
import { trimTrailingSlashes } from "../../engine/text/WhiteSpace.ts"
import { type Addresses, addresses } from "../config/Settings.ts"

/** The only scope: to audit sites and read reports. */
export const SCOPE = "service:audit"

/** URLs and lifetimes. All URLs are absolute. */
export interface OAuthOptions {
  /** Issuer of the authorization server: {docs_url}. */
  readonly issuer: string
  /** Audience of the tokens: {mcp_url}. */
  readonly resource: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly registerUrl: string
  readonly revokeUrl: string
  readonly keysUrl: string
  /** Milliseconds. */
  readonly accessMs: number
  /** Milliseconds after the last exchange of its refresh token until a grant ends. */
  readonly grantMs: number
  /** Milliseconds between the authorization and the exchange of its code. */
  readonly codeMs: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Derives all URLs from the base URL of the service. */
export const oauthOptionsOf = ({ base, docs, mcp }: Addresses, accessMs: number): OAuthOptions => ({
  issuer: docs,
  resource: mcp,
  authorizeUrl: `${base}/oauth/authorize`,
  tokenUrl: `${base}/oauth/token`,
  registerUrl: `${base}/oauth/register`,
  revokeUrl: `${base}/oauth/revoke`,
  keysUrl: `${base}/oauth/keys`,
  accessMs,
  grantMs: 30 * DAY,
  codeMs: MINUTE
})

/** Lifetime of an access token, in milliseconds. */
export const tokenLife: Config.Config<number> = setting("DOCGAUGE_MCP_TOKEN_TTL", "15m", (text) =>
  Result.flatMap(parseWindow(text), (ms) =>
    ms === null || ms > DAY ? Result.fail("use a duration from 1s to 24h, such as 15m") : Result.succeed(ms)
  )
)

/**
 * Requests to the authorization server per client IP address; `null`: no limit. The default is enough for a hosted assistant
 * that refreshes the tokens of many users from one IP address.
 */
export const oauthRate: Config.Config<Rate | null> = setting("DOCGAUGE_OAUTH_RATE", "600/60s", parseRate)

export class OAuthSettings extends Context.Service<OAuthSettings, OAuthOptions>()(
  "docgauge/server/oauth/OAuthSettings"
) {
  /** From the environment. */
  static readonly layer: Layer.Layer<OAuthSettings, Config.ConfigError> = Layer.effect(
    OAuthSettings,
    Effect.gen(function* () {
      return oauthOptionsOf(yield* addresses, yield* tokenLife)
    })
  )
}

/** Metadata of the protected resource (RFC 9728). */
export const protectedResource = ({ issuer, resource }: OAuthOptions) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ["header"],
  resource_name: "docgauge",
  resource_documentation: issuer
})

/** Metadata of the authorization server (RFC 8414). */
export const authorizationServer = (options: OAuthOptions) => ({
  issuer: options.issuer,
  authorization_endpoint: options.authorizeUrl,
  token_endpoint: options.tokenUrl,
  registration_endpoint: options.registerUrl,
  revocation_endpoint: options.revokeUrl,
  jwks_uri: options.keysUrl,
  scopes_supported: [SCOPE],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: options.issuer
})

/** The paths at which clients look for the documents. */
interface DiscoveryPaths {
  readonly protectedResource: ReadonlyArray<string>
  readonly authorizationServer: ReadonlyArray<string>
}

/**
 * The paths of our contract (below {docs_url}), those of RFC 9728 and RFC 8414 for a URL with a path (before the path), and the
 * root, where older clients look.
 */
export const discoveryPaths = ({ issuer, resource }: OAuthOptions): DiscoveryPaths => {
  const [docs, mcp] = [basePathOf(issuer), basePathOf(resource)]
  const around = (name: string) => [
    `${docs}/.well-known/${name}`,
    `/.well-known/${name}${docs}`,
    `/.well-known/${name}${mcp}`,
    `/.well-known/${name}`
  ]
  return {
    protectedResource: [
      ...new Set([...around("oauth-protected-resource"), `${mcp}/.well-known/oauth-protected-resource`])
    ],
    authorizationServer: [...new Set(around("oauth-authorization-server"))]
  }
}

/** The URL in the challenge of a 401. */
export const resourceMetadataUrl = ({ issuer }: OAuthOptions): string =>
  `${issuer}/.well-known/oauth-protected-resource`

/** The path of a URL, without a trailing slash; empty for the root. */
export const basePathOf = (address: string): string => trimTrailingSlashes(new URL(address).pathname)
