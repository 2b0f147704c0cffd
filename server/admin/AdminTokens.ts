import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from "jose"
import type { AdminKey, AdminOptions } from "./AdminSettings.ts"
import type { Role } from "./Operator.ts"

/** Whoever a valid token was made for. */
export interface TokenHolder {
  /** `sub` of the token. */
  readonly name: string
  /** `null`: the token names no role of ours. */
  readonly role: Role | null
}

/** The set of keys cannot be had: nothing can be said of any token. */
export class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {
  /** For the log. */
  cause: Schema.Defect()
}) {}

/** Tells who holds a token; `null` where it is not valid here. The algorithms are those of the key, whatever a token says. */
export const makeAdminTokens = ({ audience, issuer, key }: AdminOptions) => {
  const verify = verifierOf(key)
  return Effect.fn("AdminTokens.check")(function*(token: string): Effect.fn.Return<TokenHolder | null, KeysUnavailable> {
    if (token.length > LONGEST) return null
    const currentDate = new Date(yield* Clock.currentTimeMillis)
    const claims = yield* Effect.tryPromise({
      try: () => verify(token, {
        audience,
        ...(issuer === null ? {} : { issuer }),
        clockTolerance: TOLERANCE_SECONDS,
        currentDate,
        requiredClaims: ["exp", "sub", "aud"]
      }),
      catch: (cause) => cause
    }).pipe(Effect.catch((cause) => key._tag === "KeySet" && isOurs(cause) ? Effect.fail(new KeysUnavailable({ cause })) : Effect.succeed(null)))
    return Option.getOrNull(Option.map(readClaims(claims), holderOf))
  })
}

/** How far clocks may be apart, in seconds. */
const TOLERANCE_SECONDS = 5

/** Longer than any token that says who someone is. */
const LONGEST = 8_192

type Verify = (token: string, options: JWTVerifyOptions) => Promise<unknown>

const verifierOf = (key: AdminKey): Verify => {
  if (key._tag === "Secret") {
    return async (token, options) => (await jwtVerify(token, key.secret, { ...options, algorithms: ["HS256"] })).payload
  }
  // Kept for ten minutes; a key that is not known is looked for again, every thirty seconds at most.
  const keys: JWTVerifyGetKey = createRemoteJWKSet(key.url)
  return async (token, options) => (await jwtVerify(token, keys, { ...options, algorithms: ["RS256", "ES256"] })).payload
}

/** Whether it is the keys that are wanting, rather than the token. */
const isOurs = (cause: unknown): boolean =>
  !(cause instanceof errors.JOSEError)
  || cause instanceof errors.JWKSTimeout
  || cause instanceof errors.JWKSInvalid
  // What the address of the keys answered, other than 200 and JSON.
  || cause.code === errors.JOSEError.code

const Names = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const Claims = Schema.Struct({
  sub: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  role: Schema.optionalKey(Names),
  roles: Schema.optionalKey(Names)
})

const readClaims = Schema.decodeUnknownOption(Claims)

/** The highest of our roles that the claims name. */
const holderOf = ({ role = [], roles = [], sub }: typeof Claims.Type): TokenHolder => {
  const named = new Set([role, roles].flat())
  return { name: sub, role: named.has("operator") ? "operator" : named.has("viewer") ? "viewer" : null }
}
