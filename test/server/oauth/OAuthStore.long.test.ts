import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerDatabase } from "../../../engine/store/Database.ts"
import { type Grant, OAuthStore, layerMemory, layerSql } from "../../../server/oauth/OAuthStore.ts"
import { backends } from "../../store/Databases.ts"

const places = [
  { name: "memory", available: true, store: Effect.succeed(layerMemory) },
  ...backends.map(({ available, fresh, name }) => ({
    name,
    available,
    store: Effect.map(fresh, (address) => Layer.orDie(layerSql.pipe(Layer.provide(layerDatabase(address)))))
  }))
]

const MANY = 1_000

const grant = (id: string, expiresAt = 10_000, network = "net"): Grant => ({
  id,
  client: "digest",
  network,
  generation: 0,
  expiresAt,
  revoked: false
})

for (const { available, name, store } of places) {
  const on = (what: string, test: Effect.Effect<unknown, unknown, OAuthStore>) =>
    it.live(what, () => Effect.scoped(Effect.flatMap(store, (layer) => Effect.provide(test, layer))))

  describe.skipIf(!available)(`what the authorization server keeps in ${name}`, () => {
    on(
      "opens a grant once for concurrent callers",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        const opened = yield* Effect.all(
          Array.from({ length: 8 }, () => kept.openGrant(grant("g"), MANY)),
          { concurrency: "unbounded" }
        )
        expect(opened.filter((first) => first)).toHaveLength(1)
        expect(yield* kept.findGrant("g")).toEqual(grant("g"))
        expect(yield* kept.findGrant("other")).toBeNull()
      })
    )

    on(
      "renews a grant from each generation once",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        yield* kept.openGrant(grant("g"), MANY)
        const renewed = yield* Effect.all(
          Array.from({ length: 8 }, () => kept.renewGrant("g", 0, 20_000)),
          { concurrency: "unbounded" }
        )
        expect(renewed.filter((first) => first)).toHaveLength(1)
        expect(yield* kept.findGrant("g")).toEqual({ ...grant("g", 20_000), generation: 1 })
        expect(yield* kept.renewGrant("g", 0, 20_000)).toBe(false)
        expect(yield* kept.renewGrant("g", 1, 20_000)).toBe(true)
      })
    )

    on(
      "never renews or reopens a revoked grant",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        yield* kept.openGrant(grant("g"), MANY)
        yield* kept.revokeGrant("g")
        yield* kept.revokeGrant("unknown")
        expect(yield* kept.renewGrant("g", 0, 20_000)).toBe(false)
        expect(yield* kept.openGrant(grant("g"), MANY)).toBe(false)
        expect((yield* kept.findGrant("g"))?.revoked).toBe(true)
      })
    )

    on(
      "deletes expired grants, and those beyond its limit",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        for (let at = 1; at <= 10; at += 1) yield* kept.openGrant(grant(`g${at}`, at * 1_000), MANY)
        yield* kept.sweep(3_000, { all: 4, perGroup: 4 })
        const left = yield* Effect.filter(
          Array.from({ length: 10 }, (_, index) => `g${index + 1}`),
          (id) => Effect.map(kept.findGrant(id), (found) => found !== null)
        )
        expect(left).toEqual(["g7", "g8", "g9", "g10"])
        yield* kept.sweep(0, { all: 4, perGroup: 4 })
        expect(yield* kept.findGrant("g7")).not.toBeNull()
      })
    )

    on(
      "never has more grants of one network than it may, and evicts those that expire first",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        yield* kept.openGrant(grant("old", 1_000, "honest"), 3)
        for (const at of [4, 2, 3, 5, 1]) yield* kept.openGrant(grant(`f${at}`, 10_000 + at, "flood"), 3)
        expect(
          yield* Effect.filter(["old", "f1", "f2", "f3", "f4", "f5"], (id) =>
            Effect.map(kept.findGrant(id), (found) => found !== null)
          )
        ).toEqual(["old", "f3", "f4", "f5"])
        yield* Effect.forEach([6, 7, 8, 9], (at) => kept.openGrant(grant(`f${at}`, 10_000 + at, "flood"), 3), {
          concurrency: "unbounded"
        })
        expect(
          yield* Effect.filter(["f4", "f5", "f6", "f7", "f8", "f9"], (id) =>
            Effect.map(kept.findGrant(id), (found) => found !== null)
          )
        ).toEqual(["f7", "f8", "f9"])
        // A code that was redeemed before evicts nothing.
        expect(yield* kept.openGrant(grant("f9", 1, "flood"), 1)).toBe(false)
        expect((yield* kept.findGrant("f8"))?.id).toBe("f8")
      })
    )

    on(
      "evicts grants of the network that has the most, and keeps those of others",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        yield* kept.openGrant(grant("old", 1_000, "honest"), MANY)
        yield* kept.openGrant(grant("older", 900, "honest"), MANY)
        for (let at = 1; at <= 30; at += 1) yield* kept.openGrant(grant(`f${at}`, 10_000 + at, "flood"), MANY)
        yield* kept.sweep(0, { all: 10, perGroup: 20 })
        expect([yield* kept.findGrant("old"), yield* kept.findGrant("older")]).not.toContain(null)
        expect([yield* kept.findGrant("f22"), (yield* kept.findGrant("f23"))?.id]).toEqual([null, "f23"])
        yield* kept.sweep(0, { all: 10, perGroup: 3 })
        expect([
          yield* kept.findGrant("f27"),
          (yield* kept.findGrant("f28"))?.id,
          (yield* kept.findGrant("older"))?.id
        ]).toEqual([null, "f28", "older"])
      })
    )

    on(
      "keeps one key for each use and period, the first that was created",
      Effect.gen(function* () {
        const kept = yield* OAuthStore
        const key = (period: number, material: string) => ({
          id: `t${period}`,
          use: "signing" as const,
          period,
          material
        })
        yield* kept.addKey(key(7, "first"))
        yield* kept.addKey(key(7, "second"))
        yield* kept.addKey(key(8, "next"))
        yield* kept.addKey({ id: "s7", use: "sealing", period: 7, material: "seal" })
        yield* kept.dropKeys("signing", 8)
        expect((yield* kept.keys).map(({ id, material }) => [id, material])).toEqual([
          ["s7", "seal"],
          ["t8", "next"]
        ])
      })
    )
  })
}
