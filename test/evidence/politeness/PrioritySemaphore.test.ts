import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { makePrioritySemaphore } from "../../../engine/evidence/politeness/HostPace.ts"

/** All that is due has happened, however slow the machine: a pause in milliseconds may end before it. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
})

/** Work that notes its name as it begins, and lasts until it is told to end. */
const recorder = () => {
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const work = (name: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      begun.push(name)
      const end = Deferred.makeUnsafe<void>()
      ends.set(name, end)
      return Deferred.await(end)
    })
  const end = (name: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const found = ends.get(name)
      return found === undefined
        ? Effect.die(`${name} has not begun`)
        : Effect.asVoid(Deferred.succeed(found, undefined))
    }).pipe(Effect.andThen(settled))
  return { begun, work, end }
}

const fork = <A>(effect: Effect.Effect<A>) => Effect.forkChild(effect, { startImmediately: true })

describe("turns by rank", () => {
  test("the lowest rank goes first, among equals who came first", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const turns = makePrioritySemaphore(1)
        const { begun, end, work } = recorder()
        for (const [name, rank] of [
          ["first", 5],
          ["late", 2],
          ["leaf", 9],
          ["soon", 1],
          ["later", 2]
        ] as const) {
          yield* fork(turns.inTurn(rank, work(name)))
        }
        for (const name of ["first", "soon", "late", "later"]) yield* end(name)
        expect(begun).toEqual(["first", "soon", "late", "later", "leaf"])
      })
    ))

  test("no more at once than there may be, and more once there may be", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const turns = makePrioritySemaphore(2)
        const { begun, work } = recorder()
        for (const name of ["a", "b", "c", "d"]) yield* fork(turns.inTurn(0, work(name)))
        expect(begun).toEqual(["a", "b"])
        yield* turns.resize(3)
        yield* settled
        expect(begun).toEqual(["a", "b", "c"])
      })
    ))

  test("fewer at once once there may be fewer: those under way are left to end", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const turns = makePrioritySemaphore(2)
        const { begun, end, work } = recorder()
        for (const name of ["a", "b", "c"]) yield* fork(turns.inTurn(0, work(name)))
        yield* turns.resize(1)
        yield* end("a")
        expect(begun).toEqual(["a", "b"])
        yield* end("b")
        expect(begun).toEqual(["a", "b", "c"])
      })
    ))

  test("who gives up, waiting or at work, leaves the turn to the next", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const turns = makePrioritySemaphore(1)
        const { begun, work } = recorder()
        const atWork = yield* fork(turns.inTurn(0, work("at work")))
        const waiting = yield* fork(turns.inTurn(0, work("waiting")))
        yield* fork(turns.inTurn(0, work("next")))
        yield* Fiber.interrupt(waiting)
        yield* Fiber.interrupt(atWork)
        yield* settled
        expect(begun).toEqual(["at work", "next"])
      })
    ))
})
