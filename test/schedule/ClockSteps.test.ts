import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { movableClock } from "../harness/MovableClock.ts"
import { audited, awaitDone, everyStore, idOf, submit } from "./TestService.ts"

const HOUR_MS = 3_600_000

describe.each(everyStore)("after the clock was set back, in $name", ({ run }) => {
  it.live("a report from before answers no longer, so that a site can be audited again", () =>
    Effect.gen(function* () {
      const { clock, move } = yield* movableClock
      yield* move(5 * HOUR_MS)
      yield* run(
        { audit: (each) => Effect.succeed(audited(each)), settings: { targetWindowMs: 600_000 } },
        Effect.gen(function* () {
          const first = yield* submit("docs.example.com")
          yield* awaitDone(idOf(first))
          // Clocks of several processes differ by some seconds.
          yield* move(-10_000)
          assert.deepInclude(yield* submit("docs.example.com"), { _tag: "Replayed" })
          yield* move(-5 * HOUR_MS)
          const second = yield* submit("docs.example.com")
          assert.strictEqual(second._tag, "Accepted")
          yield* awaitDone(idOf(second))
          assert.strictEqual(idOf(yield* submit("docs.example.com")), idOf(second))
        })
      ).pipe(Effect.provideService(Clock.Clock, clock))
    })
  )
})
