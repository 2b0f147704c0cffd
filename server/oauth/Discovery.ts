import { trimTrailingSlashes } from "../../engine/evidence/Trim.ts"
import { type OAuthOptions, SCOPE } from "./OAuthSettings.ts"

/** The resource by RFC 9728: what tokens are for, and who gives them. */
export const protectedResource = ({ issuer, resource }: OAuthOptions) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ["header"],
  resource_name: "docgauge",
  resource_documentation: issuer
})

/** The authorization server by RFC 8414. */
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

/** Where the documents lie: the paths of this service at which clients look. */
export interface DiscoveryPaths {
  readonly protectedResource: ReadonlyArray<string>
  readonly authorizationServer: ReadonlyArray<string>
}

/**
 * Where the specification has them (below {docs_url}), where RFC 9728 and RFC 8414 put those of an address with a path
 * (before the path), and at the root, where older clients look.
 */
export const discoveryPaths = ({ issuer, resource }: OAuthOptions): DiscoveryPaths => {
  const [docs, mcp] = [pathOf(issuer), pathOf(resource)]
  const around = (name: string) => [`${docs}/.well-known/${name}`, `/.well-known/${name}${docs}`, `/.well-known/${name}${mcp}`, `/.well-known/${name}`]
  return {
    protectedResource: [...new Set([...around("oauth-protected-resource"), `${mcp}/.well-known/oauth-protected-resource`])],
    authorizationServer: [...new Set(around("oauth-authorization-server"))]
  }
}

/** The address that a 401 names. */
export const resourceMetadataUrl = ({ issuer }: OAuthOptions): string => `${issuer}/.well-known/oauth-protected-resource`

/** The path of an address, without a trailing slash; empty for the root. */
export const pathOf = (address: string): string => trimTrailingSlashes(new URL(address).pathname)
