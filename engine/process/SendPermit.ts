import * as Effect from "effect/Effect"
import type { MaySendUntil } from "./AuditTask.ts"
import { monotonicMillis } from "./MonotonicClock.ts"

/**
 * Until when an audit process may send requests: as long as the claim of its run lasts, as far as its parent has told it.
 * A parent that is stopped, or too busy, can neither keep the claim nor end the audit, which must not go on beside another one.
 */
export interface SendPermit {
  readonly extend: (until: MaySendUntil) => void
  /** Waits while the permit has ended. */
  readonly maySend: Effect.Effect<void>
}

export const makeSendPermit = (first: MaySendUntil): SendPermit => {
  let until = first
  let extended = Promise.withResolvers<void>()
  const maySend: Effect.Effect<void> = Effect.flatMap(monotonicMillis, (now) =>
    until === null || now < until
      ? Effect.void
      : Effect.andThen(
          Effect.promise(() => extended.promise),
          maySend
        )
  )
  return {
    extend: (next) => {
      until = next
      extended.resolve()
      extended = Promise.withResolvers<void>()
    },
    maySend
  }
}
