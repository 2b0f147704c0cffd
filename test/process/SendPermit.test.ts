import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeSendPermit } from "../../engine/process/AuditProcessLoop.ts"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"

describe("the permit to send requests", () => {
  it.effect("lets requests pass until it ends, and holds them up until it is extended", () =>
    Effect.gen(function* () {
      const now = yield* monotonicMillis
      const { extend, maySend } = makeSendPermit(now + 12_000)
      yield* maySend
      yield* TestClock.adjust("12 seconds")
      const held = yield* Effect.forkChild(maySend, { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      extend(now + 60_000)
      yield* Effect.yieldNow
      assert.isUndefined(held.pollUnsafe(), "an extension that is over, too, lets nothing pass")
      extend(now + 90_000)
      yield* Fiber.join(held)
      yield* maySend
    })
  )

  it.effect("without an end lets all requests pass", () =>
    Effect.gen(function* () {
      const { maySend } = makeSendPermit(null)
      yield* TestClock.adjust("1 day")
      yield* maySend
    })
  )
})
