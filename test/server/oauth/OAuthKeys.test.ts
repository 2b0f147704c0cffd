import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { AccessTokens, type Bearer } from "../../../server/oauth/AccessTokens.ts"
import { layerMemory, OAuthStore } from "../../../server/oauth/OAuthStore.ts"
import { OAuthKeys } from "../../../server/oauth/OAuthKeys.ts"
import { oauthOptionsOf, OAuthSettings } from "../../../server/oauth/OAuthSettings.ts"

const DAY = 86_400_000
const LONG = oauthOptionsOf(
  { base: "https://a.example", docs: "https://a.example/docs", mcp: "https://a.example/mcp" },
  90 * DAY
)

const layer = AccessTokens.layer.pipe(
  Layer.provideMerge(OAuthKeys.layer),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(OAuthSettings, LONG))
)

const bearer: Bearer = { grant: "g", client: "c", scopes: ["service:audit"] }

describe("the keys of the authorization server", () => {
  it.effect("change each month, and verify for one more month", () =>
    Effect.gen(function* () {
      const keys = yield* OAuthKeys
      const tokens = yield* AccessTokens
      yield* (yield* OAuthStore).openGrant(
        { id: "g", client: "c", network: "n", generation: 0, expiresAt: 1_000 * DAY, revoked: false },
        10
      )
      yield* TestClock.setTime(300 * DAY)
      const token = yield* tokens.issue(bearer)
      const { id: first } = yield* keys.current("signing")
      expect(yield* tokens.check(token)).toEqual(bearer)

      yield* TestClock.adjust(31 * DAY)
      const { id: second } = yield* keys.current("signing")
      expect(second).not.toBe(first)
      expect((yield* keys.published).map(({ kid }) => kid)).toEqual([first, second])
      expect(yield* tokens.check(token)).toEqual(bearer)

      yield* TestClock.adjust(30 * DAY)
      expect(yield* tokens.check(token)).toBeNull()
      expect(yield* keys.find("signing", first)).toBeNull()
      const { id: third } = yield* keys.current("signing")
      expect((yield* keys.published).map(({ kid }) => kid)).toEqual([second, third])
    }).pipe(Effect.provide(layer))
  )

  it.effect("publish no secrets", () =>
    Effect.gen(function* () {
      const published = yield* OAuthKeys.use(({ published }) => published)
      expect(published.map((key) => Object.keys(key).toSorted())).toEqual([
        ["alg", "crv", "kid", "kty", "use", "x", "y"]
      ])
    }).pipe(Effect.provide(layer))
  )

  it.effect("are found if another process created them", () =>
    Effect.gen(function* () {
      const store = yield* OAuthStore
      const processOf = () =>
        Effect.provide(OAuthKeys, Layer.fresh(OAuthKeys.layer).pipe(Layer.provide(Layer.succeed(OAuthStore, store))))
      const one = yield* processOf()
      const other = yield* processOf()
      yield* other.find("signing", "nothing")
      const { id } = yield* one.current("signing")
      yield* TestClock.adjust("3 seconds")
      expect((yield* other.find("signing", id))?.id).toBe(id)
      expect((yield* other.current("signing")).id).toBe(id)
    }).pipe(Effect.provide(layerMemory))
  )
})
