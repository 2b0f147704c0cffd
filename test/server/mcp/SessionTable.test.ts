import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeSessions, type Session } from "../../../server/mcp/transport/Sessions.ts"
import { layerMemory } from "../../../server/oauth/OAuthStore.ts"
import { OAuthKeys, Seals } from "../../../server/oauth/OAuthKeys.ts"

const REVISION = "2025-11-25"
const use = (grant: string, network = "net", now = 0) => ({ grant, network, now })

const withSessions = <A>(
  test: (sessions: ReturnType<typeof makeSessions>, released: Array<string>) => Effect.Effect<A, unknown>
) =>
  Effect.gen(function* () {
    const released: Array<string> = []
    const bounds = { all: 6, perGroup: 4 }
    return yield* test(
      makeSessions(yield* Seals, {
        bounds,
        idleMs: 1_000,
        lifeMs: 60_000,
        release: (id) => {
          released.push(id)
        }
      }),
      released
    )
  }).pipe(Effect.provide(Seals.layer.pipe(Layer.provide(OAuthKeys.layer), Layer.provide(layerMemory))))

describe("cached sessions", () => {
  it.effect("of one network never evict those of another, and stay bounded", () =>
    withSessions((sessions, released) =>
      Effect.gen(function* () {
        const honest = yield* sessions.open("honest", REVISION, use("g", "home"))
        for (let index = 0; index < 100; index += 1)
          yield* sessions.open(`flood${index}`, REVISION, use(`attacker${index}`, "flood"))
        expect((yield* sessions.find(honest, use("g", "home")))?.innerId).toBe("honest")
        expect(sessions.size()).toBeLessThanOrEqual(6)
        expect(released).toHaveLength(96)
      })
    )
  )

  it.effect("continue after eviction or idling, and release their transport session exactly once", () =>
    withSessions((sessions, released) =>
      Effect.gen(function* () {
        const id = yield* sessions.open("inner", REVISION, use("g"))
        sessions.dropIdle(999)
        expect(released).toEqual([])
        sessions.dropIdle(1_000)
        expect(released).toEqual(["inner"])
        const found = yield* sessions.find(id, use("g", "net", 2_000))
        expect(found).toMatchObject({ revision: REVISION, innerId: null })
        const session = found as Session
        expect(sessions.resumed(id, session, "first", use("g"))).toBe("first")
        expect(sessions.resumed(id, session, "second", use("g"))).toBe("first")
        expect(released).toEqual(["inner", "second"])
      })
    )
  )

  it.effect("belong to their owner, and end on request of the owner", () =>
    withSessions((sessions, released) =>
      Effect.gen(function* () {
        const id = yield* sessions.open("inner", REVISION, use("g"))
        expect(yield* sessions.find(id, use("other"))).toBeNull()
        expect(yield* sessions.find(`${id}x`, use("g"))).toBeNull()
        const session = yield* sessions.find(id, use("g"))
        sessions.end(id, session as Session, use("g"))
        expect(yield* sessions.find(id, use("g"))).toBeNull()
        expect(released).toEqual(["inner"])
      })
    )
  )
})
