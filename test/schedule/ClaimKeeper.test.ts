import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"
import { ClaimLost, whileClaimed } from "../../engine/schedule/ClaimKeeper.ts"
import type { Stored } from "../../engine/store/database/StoreUnavailable.ts"

const RUN = { domain: "example.com" }

/** What interrupts work that never ends. `left`: milliseconds of the claim. */
const interruptionOf = (left: number, keep: Stored<boolean>) =>
  Effect.flatMap(monotonicMillis, (now) =>
    Effect.flip(
      whileClaimed(
        { endsAt: now + left, run: RUN },
        { keep, validMs: left, heartbeatMs: 5 },
        () => Effect.never,
        () => Effect.void
      )
    )
  )

it.live("work is interrupted as soon as a heartbeat finds the claim taken, however long it would have lasted", () =>
  Effect.gen(function* () {
    expect(yield* interruptionOf(60_000, Effect.succeed(false))).toEqual(new ClaimLost({ ...RUN, how: "taken" }))
  })
)

it.live("work is interrupted when the claim ends, while a heartbeat has no answer", () =>
  Effect.gen(function* () {
    expect(yield* interruptionOf(30, Effect.never)).toEqual(new ClaimLost({ ...RUN, how: "expired" }))
  })
)
