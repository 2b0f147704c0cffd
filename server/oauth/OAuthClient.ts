import { createHash } from "node:crypto"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { redirectKind } from "./RedirectUri.ts"

/** A program that asks for authorization. All clients are public ones: none has a secret. */
export interface OAuthClient {
  readonly id: string
  /** As it calls itself; `null` where it does not. */
  readonly name: string | null
  readonly redirectUris: ReadonlyArray<string>
}

/** What the client is counted and remembered by, wherever its id would be too long. */
export const digestOfClient = (id: string): string => createHash("sha256").update(id).digest("base64url")

/** What clients say of themselves (RFC 7591), as far as this server cares. Anything else is passed over. */
const ClientMetadata = Schema.Struct({
  redirect_uris: Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(8)),
  client_name: Schema.optionalKey(Schema.String),
  grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
  response_types: Schema.optionalKey(Schema.Array(Schema.String))
})

/** What is wrong with metadata: a code of RFC 7591, and words. */
export interface MetadataProblem {
  readonly code: "invalid_redirect_uri" | "invalid_client_metadata"
  readonly message: string
}

/** Redirect addresses of a client, in characters, all together: its id has to fit into an address. */
const MOST_CHARACTERS = 1_024

const LONGEST_NAME = 80

/** Reads a client's metadata. */
export const clientOf = (id: string, metadata: unknown): Result.Result<OAuthClient, MetadataProblem> => {
  const read = Schema.decodeUnknownResult(ClientMetadata)(metadata)
  if (Result.isFailure(read)) return problem("invalid_client_metadata", "redirect_uris has to be a list of 1 to 8 addresses; client_name, grant_types and response_types have to be of their types")
  const { client_name: name = "", grant_types: grants = ["authorization_code"], redirect_uris: uris, response_types: responses = ["code"] } = read.success
  const wrong = uris.find((uri) => redirectKind(uri) === null)
  if (wrong !== undefined) return problem("invalid_redirect_uri", "redirect addresses are https, http on a loopback address, or of an app's own scheme, which is a reversed domain name such as com.example.app; without fragment or credentials")
  if (uris.join("").length > MOST_CHARACTERS) return problem("invalid_redirect_uri", `redirect_uris has more than ${MOST_CHARACTERS} characters`)
  if (!grants.includes("authorization_code") || !responses.includes("code")) return problem("invalid_client_metadata", "this server has the grant type authorization_code and the response type code")
  const shown = name.replaceAll(/\p{C}+/gu, "").trim().slice(0, LONGEST_NAME)
  return Result.succeed({ id, name: shown === "" ? null : shown, redirectUris: uris })
}

const problem = (code: MetadataProblem["code"], message: string) => Result.fail({ code, message })
