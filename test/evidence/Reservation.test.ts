import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Reservation } from "../../engine/evidence/AuditBudget.ts"

const reserve = (allowance: { readonly requests?: number; readonly bytes?: number }) =>
  new Reservation({ requests: 3, bytes: 100, ...allowance }, 60)

/** Asks by their numbers. */
const enter = (reservation: Reservation, count: number) =>
  Array.from({ length: count }, () => reservation.enter() ?? -1)

describe("Reservation", () => {
  it("numbers asks in the order in which they are made, and ends at its allowance", () => {
    const reservation = reserve({ requests: 2 })
    assert.deepStrictEqual([reservation.enter(), reservation.enter(), reservation.enter()], [0, 1, null])
  })

  it.effect("grants bodies until its bytes are spent", () =>
    Effect.gen(function* () {
      const reservation = reserve({ bytes: 100 })
      const [first = -1, second = -1, third = -1] = enter(reservation, 3)
      assert.isTrue(yield* reservation.keep(first, 60))
      assert.isTrue(yield* reservation.keep(second, 40))
      assert.isFalse(yield* reservation.keep(third, 1))
    })
  )

  it.effect("does not wait for earlier asks that cannot change the decision", () =>
    Effect.gen(function* () {
      const reservation = reserve({ bytes: 100 })
      const [, second = -1] = enter(reservation, 2)
      assert.isTrue(yield* reservation.keep(second, 40))
    })
  )

  it.effect("waits for an earlier ask that may still spend what is left, and then decides by what it spent", () =>
    Effect.gen(function* () {
      for (const [spent, granted] of [
        [59, true],
        [60, false]
      ] as const) {
        const reservation = reserve({ bytes: 100 })
        const [first = -1, second = -1] = enter(reservation, 2)
        const waiting = yield* Effect.forkChild(reservation.keep(second, 41), { startImmediately: true })
        assert.isUndefined(waiting.pollUnsafe())
        yield* reservation.keep(first, spent)
        assert.strictEqual(yield* Fiber.join(waiting), granted)
      }
    })
  )

  it.effect("decides the same in whatever order answers come in", () =>
    Effect.gen(function* () {
      const sizes = [50, 45, 10, 60, 5]
      const decide = Effect.fnUntraced(function* (order: ReadonlyArray<number>) {
        const reservation = reserve({ requests: sizes.length, bytes: 100 })
        enter(reservation, sizes.length)
        const decisions = yield* Effect.forEach(
          order,
          (index) => Effect.map(reservation.keep(index, sizes[index] ?? 0), (kept) => [index, kept] as const),
          { concurrency: "unbounded" }
        )
        return new Map(decisions.toSorted(([one], [other]) => one - other))
      })
      const inOrder = yield* decide([0, 1, 2, 3, 4])
      assert.deepStrictEqual([...inOrder.values()], [true, true, false, false, false])
      assert.deepStrictEqual(yield* decide([4, 3, 2, 1, 0]), inOrder)
      assert.deepStrictEqual(yield* decide([2, 0, 4, 1, 3]), inOrder)
    })
  )

  it.effect("knows early that an ask has no room for any body", () =>
    Effect.gen(function* () {
      const reservation = reserve({ bytes: 50 })
      const [first = -1, second = -1] = enter(reservation, 2)
      assert.isTrue(reservation.hasRoom(second))
      yield* reservation.keep(first, 51)
      assert.isFalse(reservation.hasRoom(second))
    })
  )
})
