import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { ipLiteral } from "../../engine/evidence/http/PublicAddress.ts"

/** A program that requests authorization. All clients are public clients, without a secret. */
export interface OAuthClient {
  readonly id: string
  /** Self-reported name; `null`: none. */
  readonly name: string | null
  readonly redirectUris: ReadonlyArray<string>
}

/** Key of the client where its id would be too long. */
export const digestOfClient = (id: string): string => createHash("sha256").update(id).digest("base64url")

/** Client metadata (RFC 7591) that this server uses. Other members are ignored. */
const ClientMetadata = Schema.Struct({
  redirect_uris: Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(8)),
  client_name: Schema.optionalKey(Schema.String),
  grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
  response_types: Schema.optionalKey(Schema.Array(Schema.String))
})

/** An error in client metadata: a code of RFC 7591 and a message. */
export interface MetadataProblem {
  readonly code: "invalid_redirect_uri" | "invalid_client_metadata"
  readonly message: string
}

/** Total length of the redirect URIs of a client, in characters: its id must fit into a URL. */
const MOST_CHARACTERS = 1_024

const LONGEST_NAME = 80

export const readClient = (id: string, metadata: unknown): Result.Result<OAuthClient, MetadataProblem> => {
  const read = Schema.decodeUnknownResult(ClientMetadata)(metadata)
  if (Result.isFailure(read))
    return problem(
      "invalid_client_metadata",
      "redirect_uris must be a list of 1 to 8 URIs; client_name, grant_types and response_types must have the types of RFC 7591"
    )
  const {
    client_name: name = "",
    grant_types: grants = ["authorization_code"],
    redirect_uris: uris,
    response_types: responses = ["code"]
  } = read.success
  const wrong = uris.find((uri) => redirectKind(uri) === null)
  if (wrong !== undefined)
    return problem(
      "invalid_redirect_uri",
      "a redirect URI must use https, http on a loopback address, or the scheme of an app, which is a reversed domain name such as com.example.app; without fragment or credentials"
    )
  if (uris.join("").length > MOST_CHARACTERS)
    return problem("invalid_redirect_uri", `redirect_uris has more than ${MOST_CHARACTERS} characters`)
  if (!grants.includes("authorization_code") || !responses.includes("code"))
    return problem(
      "invalid_client_metadata",
      "this server supports the grant type authorization_code and the response type code"
    )
  const shown = name
    .replaceAll(/\p{C}+/gu, "")
    .trim()
    .slice(0, LONGEST_NAME)
  return Result.succeed({ id, name: shown === "" ? null : shown, redirectUris: uris })
}

const problem = (code: MetadataProblem["code"], message: string) => Result.fail({ code, message })

/*
 * Allowed redirect URIs: https on any host, http on the client's own machine (RFC 8252, 7.3), and schemes
 * of apps (RFC 8252, 7.1).
 */

/** How a browser is redirected. */
type RedirectKind =
  /** To a loopback address: directly. */
  | "loopback"
  /** To another host or an app: via a page that names it. */
  | "elsewhere"

const LONGEST = 512

/** Schemes that well-known apps register. Any other must be a reversed domain name with at least two dots (RFC 8252, 7.1); schemes of operating systems and browsers never have this form. */
const APP_SCHEMES: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])

/** The kind of a redirect URI; `null`: not allowed. */
export const redirectKind = (address: string): RedirectKind | null => {
  const url = address.length > LONGEST || /[\s\\#]/.test(address) ? null : URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return null
  if (url.protocol === "https:") return isLoopback(url.hostname) ? "loopback" : "elsewhere"
  if (url.protocol === "http:") return isLoopback(url.hostname) ? "loopback" : null
  return APP_SCHEMES.has(url.protocol) || /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,}:$/.test(url.protocol)
    ? "elsewhere"
    : null
}

/** Whether a requested redirect URI is registered: equal character by character, except the port of an http loopback URI. */
export const matchesRedirect = (asked: string, registered: ReadonlyArray<string>): boolean =>
  redirectKind(asked) !== null &&
  registered.some((address) => asked === address || withoutPort(asked) === withoutPort(address))

/** The URI without its port if RFC 8252 lets the port vary, otherwise unchanged. */
const withoutPort = (address: string): string => {
  const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/.exec(address)
  return loopback === null ? address : `${loopback[1]}${address.slice(loopback[0].length)}`
}

const isLoopback = (hostname: string): boolean => {
  const literal = ipLiteral(hostname)
  return literal === null ? hostname === "localhost" : literal === "::1" || literal === "127.0.0.1"
}
