import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { CachedResponse, ResponseCache } from "../../../server/response/ResponseCache.ts"

const run = <A>(effect: Effect.Effect<A, never, ResponseCache>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, ResponseCache.layer))

const page = (bytes: number): CachedResponse => new CachedResponse("x".repeat(bytes), { type: "text/plain" })

const MEGABYTE = 1_024 * 1_024

const now = { startImmediately: true }

/** The keys that are cached, of those. */
const cachedOf = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const cache = yield* ResponseCache
  return yield* Effect.filter(keys, (key) =>
    Effect.map(cache.peek(key, CachedResponse), (response) => response !== null)
  )
})

const put = Effect.fnUntraced(function* (key: string, bytes: number) {
  const cache = yield* ResponseCache
  yield* cache.get(
    key,
    CachedResponse,
    Effect.sync(() => page(bytes))
  )
})

describe("the response cache", () => {
  it("makes a response once", () =>
    run(
      Effect.gen(function* () {
        const cache = yield* ResponseCache
        let made = 0
        const make = Effect.sync(() => {
          made += 1
          return page(10)
        })
        const first = yield* cache.get("a", CachedResponse, make)
        expect([yield* cache.get("a", CachedResponse, make), made]).toEqual([first, 1])
      })
    ))

  it("evicts the least recently used responses", () =>
    run(
      Effect.gen(function* () {
        for (const key of ["a", "b", "c"]) yield* put(key, 10 * MEGABYTE)
        yield* cachedOf(["a"])
        yield* put("d", 10 * MEGABYTE)
        expect(yield* cachedOf(["a", "b", "c", "d"])).toEqual(["a", "c", "d"])
      })
    ))

  it("holds a response that is larger than its limit only until the next one", () =>
    run(
      Effect.gen(function* () {
        yield* put("large", 40 * MEGABYTE)
        expect(yield* cachedOf(["large"])).toEqual(["large"])
        yield* put("small", 10)
        expect(yield* cachedOf(["large", "small"])).toEqual(["small"])
      })
    ))

  it("returns other values without caching them", () =>
    run(
      Effect.gen(function* () {
        const cache = yield* ResponseCache
        expect([yield* cache.get("a", CachedResponse, Effect.succeed("not yet")), yield* cachedOf(["a"])]).toEqual([
          "not yet",
          []
        ])
      })
    ))

  it("does not cache under long keys", () =>
    run(
      Effect.gen(function* () {
        yield* put("k".repeat(513), 10)
        expect(yield* cachedOf(["k".repeat(513)])).toEqual([])
      })
    ))

  it("drops everything, including values in the making", () =>
    run(
      Effect.gen(function* () {
        const cache = yield* ResponseCache
        yield* put("run:1", 10)
        const gate = yield* Deferred.make<void>()
        const slow = yield* Effect.forkChild(
          cache.get("run:2", CachedResponse, Effect.as(Deferred.await(gate), page(10))),
          now
        )
        yield* cache.invalidateAll
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(slow)
        expect(yield* cachedOf(["run:1", "run:2"])).toEqual([])
      })
    ))

  it("makes a response once for concurrent calls, even if the first is interrupted", () =>
    run(
      Effect.gen(function* () {
        const cache = yield* ResponseCache
        const gate = yield* Deferred.make<void>()
        let made = 0
        const get = cache.get(
          "a",
          CachedResponse,
          Effect.andThen(
            Deferred.await(gate),
            Effect.sync(() => {
              made += 1
              return page(10)
            })
          )
        )
        const first = yield* Effect.forkChild(get, now)
        const others = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(get, now))
        yield* Fiber.interrupt(first)
        yield* Deferred.succeed(gate, undefined)
        expect(new Set(yield* Effect.forEach(others, Fiber.join)).size).toBe(1)
        expect(made).toBe(1)
      })
    ))

  it("fails every concurrent call, and tries again for the next", () =>
    run(
      Effect.gen(function* () {
        const cache = yield* ResponseCache
        const gate = yield* Deferred.make<void>()
        const fail = Effect.andThen(Deferred.await(gate), Effect.fail("gone"))
        const waiting = yield* Effect.forEach([1, 2], () =>
          Effect.forkChild(
            Effect.match(cache.get("a", CachedResponse, fail), {
              onFailure: (error) => error,
              onSuccess: () => "made"
            }),
            now
          )
        )
        yield* Deferred.succeed(gate, undefined)
        expect(yield* Effect.forEach(waiting, Fiber.join)).toEqual(["gone", "gone"])
        yield* put("a", 10)
        expect(yield* cachedOf(["a"])).toEqual(["a"])
      })
    ))
})
