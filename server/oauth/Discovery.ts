import { trimTrailingSlashes } from "../../engine/text/WhiteSpace.ts"
import { type OAuthOptions, SCOPE } from "./OAuthSettings.ts"

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
export interface DiscoveryPaths {
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
