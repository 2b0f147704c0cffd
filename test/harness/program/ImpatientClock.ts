import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Pauses before a request is sent again are shorter; timeouts are longer, and take their time: whether they pass must not depend on the machine. */
const LONGEST_PAUSE_MS = 2_500

/** The clock of the system, but a short pause is over at once, and the time is then as if it had passed. */
export const impatientClock = Effect.map(Clock.Clock, (real): Clock.Clock => {
  let aheadMs = 0
  const currentTimeMillisUnsafe = (): number => real.currentTimeMillisUnsafe() + aheadMs
  const currentTimeNanosUnsafe = (): bigint => real.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
  return {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) =>
      Effect.suspend(() => {
        const ms = Duration.toMillis(duration)
        if (ms > LONGEST_PAUSE_MS) return real.sleep(duration)
        const until = currentTimeMillisUnsafe() + ms
        return Effect.map(Effect.yieldNow, () => {
          aheadMs += Math.max(0, Math.ceil(until - currentTimeMillisUnsafe()))
        })
      })
  }
})
