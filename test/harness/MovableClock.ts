import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The clock of the system, which can be set forward and back; time that passes, and sleeping, are as they were. */
export const movableClock = Effect.map(Clock.Clock, (real) => {
  let aheadMs = 0
  const currentTimeMillisUnsafe = (): number => real.currentTimeMillisUnsafe() + aheadMs
  const currentTimeNanosUnsafe = (): bigint => real.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration)
  }
  return {
    clock,
    move: (ms: number) =>
      Effect.sync(() => {
        aheadMs += ms
      })
  }
})
