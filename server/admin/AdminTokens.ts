import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions
} from "jose"
import { setting } from "../../engine/config/Setting.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { addresses, isLoopback } from "../config/Settings.ts"
import type { Role } from "./api/AdminErrors.ts"

interface TokenHolder {
  /** `sub` of the token. */
  readonly name: string
  /** `null`: the token has none of our roles. */
  readonly role: Role | null
}

/** The key set is unavailable, so no token can be checked. */
class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {
  /** For the log. */
  cause: Schema.Defect()
}) {}

/** Verifies a token and returns its holder; `null`: invalid. The key determines the algorithm, not the token. */
export const makeAdminTokens = Effect.fnUntraced(function* ({ audience, issuer, key }: AdminOptions) {
  const verify = verifierOf(key, yield* Transport)
  return Effect.fn("AdminTokens.check")(function* (
    token: string
  ): Effect.fn.Return<TokenHolder | null, KeysUnavailable> {
    if (token.length > LONGEST) return null
    const currentDate = new Date(yield* Clock.currentTimeMillis)
    const claims = yield* Effect.tryPromise({
      try: () =>
        verify(token, {
          audience,
          ...(issuer === null ? {} : { issuer }),
          clockTolerance: TOLERANCE_SECONDS,
          currentDate,
          requiredClaims: ["exp", "sub", "aud"]
        }),
      catch: (cause) => cause
    }).pipe(
      Effect.catch((cause) =>
        key._tag === "KeySet" && isKeySetFault(cause)
          ? Effect.fail(new KeysUnavailable({ cause }))
          : Effect.succeed(null)
      )
    )
    return Option.getOrNull(Option.map(readClaims(claims), holderOf))
  })
})

/** Tolerated clock difference, in seconds. */
const TOLERANCE_SECONDS = 5

/** Maximum length of a token, in characters. */
const LONGEST = 8_192

type Verify = (token: string, options: JWTVerifyOptions) => Promise<unknown>

/** Maximum size of a key set, in bytes: a key takes less than 1 KB. */
const LARGEST_KEY_SET = 64 * 1_024

/** Fetches a key set within the limits of the transport. */
const boundedFetch =
  ({ send }: Transport["Service"]): FetchImplementation =>
  async (url) => {
    const hop = await Effect.runPromise(
      send({
        asked: { method: "GET", url, accept: "application/json", agent: "docgauge" },
        limitBytes: LARGEST_KEY_SET
      })
    )
    if (hop._tag === "HopFault") throw new Error(hop.message)
    if (hop.cut) throw new Error(`it is larger than ${LARGEST_KEY_SET / 1_024} KB`)
    return new Response(Buffer.from(hop.body), { status: hop.status })
  }

const verifierOf = (key: AdminKey, transport: Transport["Service"]): Verify => {
  if (key._tag === "Secret") {
    return async (token, options) => (await jwtVerify(token, key.secret, { ...options, algorithms: ["HS256"] })).payload
  }
  // The key set is cached for ten minutes; an unknown key reloads it, at most every thirty seconds.
  const keys: JWTVerifyGetKey = createRemoteJWKSet(key.url, { [customFetch]: boundedFetch(transport) })
  return async (token, options) =>
    (await jwtVerify(token, keys, { ...options, algorithms: ["RS256", "ES256"] })).payload
}

/** Whether the key set is at fault, and not the token. */
const isKeySetFault = (cause: unknown): boolean =>
  !(cause instanceof errors.JOSEError) ||
  cause instanceof errors.JWKSTimeout ||
  cause instanceof errors.JWKSInvalid ||
  // The URL of the key set did not return 200 and JSON.
  cause.code === errors.JOSEError.code

const Names = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const Claims = Schema.Struct({
  sub: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  role: Schema.optionalKey(Names),
  roles: Schema.optionalKey(Names)
})

const readClaims = Schema.decodeUnknownOption(Claims)

/** The holder with the highest role in the claims. */
const holderOf = ({ role = [], roles = [], sub }: typeof Claims.Type): TokenHolder => {
  const named = new Set([role, roles].flat())
  return { name: sub, role: named.has("operator") ? "operator" : named.has("viewer") ? "viewer" : null }
}

/** The key that verifies tokens of operators. */
type AdminKey =
  /** HS256. */
  | { readonly _tag: "Secret"; readonly secret: Uint8Array }
  /** RS256 and ES256, with the keys published at this URL. */
  | { readonly _tag: "KeySet"; readonly url: URL }

/** Which tokens the admin API accepts. */
export interface AdminOptions {
  readonly key: AdminKey
  /** Required `iss`; `null`: any. */
  readonly issuer: string | null
  /** Required value of `aud`. */
  readonly audience: string
}

const SECRET = "DOCGAUGE_ADMIN_JWT_SECRET"
const KEY_SET = "DOCGAUGE_ADMIN_JWKS_URL"

/** Minimum length of an HS256 secret, in bytes. */
const LEAST_BYTES = 32

const secret: Config.Config<AdminKey | null> = setting(SECRET, "", (text) => {
  if (text === "") return Result.succeed(null)
  const bytes = new TextEncoder().encode(text)
  return bytes.length < LEAST_BYTES
    ? Result.fail(`use at least ${LEAST_BYTES} bytes, such as the output of openssl rand -base64 48`)
    : Result.succeed({ _tag: "Secret", secret: bytes })
})

const keySet: Config.Config<AdminKey | null> = setting(KEY_SET, "", (text) => {
  if (text === "") return Result.succeed(null)
  const url = URL.parse(text)
  // A key set over plain http could be replaced on its way, and with it the signatures of operators.
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))
    ? Result.succeed({ _tag: "KeySet", url })
    : Result.fail("use the https URL of a JSON Web Key Set (http only on loopback)")
})

const text = (name: string, fallback: string): Config.Config<string> => setting(name, fallback, Result.succeed)

/** From the environment; `null`: the admin API is off. An invalid value, or two keys, fail with a message that names the variables. */
export const adminOptions: Config.Config<AdminOptions | null> = Config.flatMap(
  Config.all({ secret, keySet, addresses }),
  ({ addresses: { base }, keySet, secret }) => {
    if (secret !== null && keySet !== null)
      return Config.fail(new SourceError({ message: `${SECRET}, ${KEY_SET}: set one of the two, not both` }))
    const key = secret ?? keySet
    return Config.map(
      Config.all({
        issuer: text("DOCGAUGE_ADMIN_JWT_ISSUER", ""),
        audience: text("DOCGAUGE_ADMIN_JWT_AUDIENCE", "")
      }),
      ({ audience, issuer }) =>
        key === null
          ? null
          : {
              key,
              issuer: issuer === "" ? null : issuer,
              audience: audience === "" ? `${base}/api/admin` : audience
            }
    )
  }
)
