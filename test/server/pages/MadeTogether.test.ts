import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, it } from "vitest"
import { makeTogether } from "../../../server/pages/kit/MadeTogether.ts"

const now = { startImmediately: true }

it("makes once for all who wait, also where the first of them leaves", () => Effect.runPromise(Effect.gen(function*() {
  const together = makeTogether<number, never>()
  const gate = yield* Deferred.make<void>()
  let made = 0
  const make = Effect.andThen(Deferred.await(gate), Effect.sync(() => { made += 1; return made }))
  const first = yield* Effect.forkChild(together("a", make), now)
  const others = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(together("a", make), now))
  const elsewhere = yield* Effect.forkChild(together("b", Effect.succeed(7)), now)
  yield* Fiber.interrupt(first)
  yield* Deferred.succeed(gate, undefined)
  expect(yield* Effect.forEach(others, Fiber.join)).toEqual([1, 1, 1])
  expect(yield* Fiber.join(elsewhere)).toBe(7)
  expect(yield* together("a", make)).toBe(2)
})))

it("tells all who wait of a failure, and tries again for the next", () => Effect.runPromise(Effect.gen(function*() {
  const together = makeTogether<string, string>()
  const gate = yield* Deferred.make<void>()
  const fail = Effect.andThen(Deferred.await(gate), Effect.fail("gone"))
  const waiting = yield* Effect.forEach([1, 2], () => Effect.forkChild(Effect.flip(together("a", fail)), now))
  yield* Deferred.succeed(gate, undefined)
  expect(yield* Effect.forEach(waiting, Fiber.join)).toEqual(["gone", "gone"])
  expect(yield* together("a", Effect.succeed("there"))).toBe("there")
})))
