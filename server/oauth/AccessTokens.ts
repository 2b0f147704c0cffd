import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { jwtVerify, SignJWT } from "jose"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { keyIdOf, OAuthKeys, SIGNING_ALGORITHM } from "./OAuthKeys.ts"
import { OAuthSettings } from "./OAuthSettings.ts"
import { OAuthStore } from "./OAuthStore.ts"

/** The holder of a valid token: a grant and its client. */
export interface Bearer {
  /** Id of the grant: the same after a refresh. */
  readonly grant: string
  /** Digest of the client's id. */
  readonly client: string
  readonly scopes: ReadonlyArray<string>
}

/** Tokens by RFC 9068, for our resource only. */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly issue: (bearer: Bearer) => Effect.Effect<string, StoreUnavailable>
    /** `null` if the token is not ours, not for this resource, or expired, or its grant has ended. */
    readonly check: (token: string) => Effect.Effect<Bearer | null, StoreUnavailable>
    /** The grant id of a token, even of an expired one; `null`: not our token. */
    readonly grantOf: (token: string) => Effect.Effect<string | null, StoreUnavailable>
  }
>()("docgauge/server/oauth/AccessTokens") {
  static readonly layer: Layer.Layer<AccessTokens, never, OAuthKeys | OAuthSettings | OAuthStore> = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const keys = yield* OAuthKeys
      const store = yield* OAuthStore
      const { accessMs, issuer, resource } = yield* OAuthSettings

      /** `leewayMs`: how long after its expiry a token is still accepted. */
      const read = Effect.fnUntraced(function* (
        token: string,
        leewayMs: number
      ): Effect.fn.Return<Claims | null, StoreUnavailable> {
        const id = token.length > LONGEST ? null : keyIdOf(token)
        const key = id === null ? null : yield* keys.find("signing", id)
        if (key === null) return null
        const currentDate = new Date((yield* Clock.currentTimeMillis) - leewayMs)
        const verified = yield* Effect.option(
          Effect.tryPromise(() =>
            jwtVerify(token, key.key, {
              algorithms: [SIGNING_ALGORITHM],
              typ: TYPE,
              issuer,
              audience: resource,
              currentDate,
              requiredClaims: ["exp"]
            })
          )
        )
        return Option.getOrNull(Option.flatMap(verified, ({ payload }) => readClaims(payload)))
      })

      return {
        issue: Effect.fnUntraced(function* ({ client, grant, scopes }) {
          const { id, key } = yield* keys.current("signing")
          const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
          const token = new SignJWT({ client_id: client, scope: scopes.join(" ") })
            .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: id })
            .setIssuer(issuer)
            .setAudience(resource)
            .setSubject(grant)
            .setJti(globalThis.crypto.randomUUID())
            .setIssuedAt(seconds)
            .setExpirationTime(seconds + Math.ceil(accessMs / 1_000))
          return yield* Effect.promise(() => token.sign(key))
        }),
        check: Effect.fnUntraced(function* (token) {
          const claims = yield* read(token, 0)
          if (claims === null) return null
          const grant = yield* store.findGrant(claims.sub)
          return grant === null || grant.revoked
            ? null
            : { grant: claims.sub, client: claims.client_id, scopes: claims.scope.split(" ") }
        }),
        grantOf: (token) => Effect.map(read(token, Number.MAX_SAFE_INTEGER / 1_000), (claims) => claims?.sub ?? null)
      }
    })
  )
}

/** The media type of RFC 9068, without `application/`. */
const TYPE = "at+jwt"

const LONGEST = 4_096

const Claims = Schema.Struct({ sub: Schema.String, client_id: Schema.String, scope: Schema.String })
type Claims = typeof Claims.Type

const readClaims = Schema.decodeUnknownOption(Claims)
