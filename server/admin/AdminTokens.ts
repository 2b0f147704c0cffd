import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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
import { Transport } from "../../engine/evidence/Transport.ts"
import type { AdminKey, AdminOptions } from "./AdminSettings.ts"
import type { Role } from "./api/Operator.ts"

/** The holder of a valid token. */
export interface TokenHolder {
  /** `sub` of the token. */
  readonly name: string
  /** `null`: the token has none of our roles. */
  readonly role: Role | null
}

/** The key set is unavailable, so no token can be checked. */
export class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {
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
