import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { KeptPages } from "../../../server/pages/kit/KeptPages.ts"
import { LastingContent } from "../../../server/pages/kit/LastingContent.ts"

const run = <A>(effect: Effect.Effect<A, never, KeptPages>): Promise<A> => Effect.runPromise(Effect.provide(effect, KeptPages.layer))

const page = (bytes: number): LastingContent => new LastingContent("x".repeat(bytes), { type: "text/plain" })

const MEGABYTE = 1_024 * 1_024

describe("kept pages", () => {
  it("are made once", () => run(Effect.gen(function*() {
    const kept = yield* KeptPages
    let made = 0
    const make = Effect.sync(() => { made += 1; return page(10) })
    const first = yield* kept.through("a", make)
    expect([yield* kept.through("a", make), made]).toEqual([first, 1])
  })))

  it("make room for new ones, those that were asked for longest ago first", () => run(Effect.gen(function*() {
    const kept = yield* KeptPages
    for (const key of ["a", "b", "c"]) yield* kept.through(key, Effect.sync(() => page(6 * MEGABYTE)))
    kept.peek("a")
    yield* kept.through("d", Effect.sync(() => page(6 * MEGABYTE)))
    expect(["a", "b", "c", "d"].filter((key) => kept.peek(key) !== undefined)).toEqual(["a", "c", "d"])
  })))

  it("hold what is larger than all room for the last time only", () => run(Effect.gen(function*() {
    const kept = yield* KeptPages
    yield* kept.through("large", Effect.sync(() => page(40 * MEGABYTE)))
    expect(kept.peek("large")).toBeDefined()
    yield* kept.through("small", Effect.sync(() => page(10)))
    expect([kept.peek("large"), kept.peek("small") === undefined]).toEqual([undefined, false])
  })))

  it("hand on what does not last", () => run(Effect.gen(function*() {
    const kept = yield* KeptPages
    expect([yield* kept.through("a", Effect.succeed("not yet")), kept.peek("a")]).toEqual(["not yet", undefined])
  })))

  it("forget what is dropped, and what was being made meanwhile", () => run(Effect.gen(function*() {
    const kept = yield* KeptPages
    yield* kept.through("run:1", Effect.sync(() => page(10)))
    yield* kept.through("site:1", Effect.sync(() => page(10)))
    const gate = yield* Deferred.make<void>()
    const slow = yield* Effect.forkChild(kept.through("run:2", Effect.as(Deferred.await(gate), page(10))), { startImmediately: true })
    kept.drop("run:")
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(slow)
    expect(["run:1", "site:1", "run:2"].filter((key) => kept.peek(key) !== undefined)).toEqual(["site:1"])
  })))
})
