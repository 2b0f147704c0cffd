import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds of the monotonic clock, which is never adjusted and is the same in all processes of a machine: for durations and deadlines, not for timestamps. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.Clock,
  (clock) => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
)
