import * as Effect from "effect/Effect"
import { monotonicMillis } from "../process/MonotonicClock.ts"
import { noteAbility } from "./AuditMetrics.ts"
import type { CannotAudit } from "./Auditor.ts"

/** Keeps a process that cannot audit from claiming runs, one after the other. */
export interface ClaimPause {
  /** Begins a pause, or prolongs it. */
  readonly begin: (failure: CannotAudit) => Effect.Effect<void>
  readonly isOn: Effect.Effect<boolean>
  readonly awaitOver: Effect.Effect<void>
}

/** `pauseMs`: how long it leaves runs to others, in milliseconds. */
export const makeClaimPause = (pauseMs: number): ClaimPause => {
  let until = Number.NEGATIVE_INFINITY
  const left = Effect.map(monotonicMillis, (now) => Math.max(0, until - now))
  return {
    begin: Effect.fnUntraced(function* ({ message }) {
      until = (yield* monotonicMillis) + pauseMs
      yield* noteAbility(false)
      yield* Effect.logError(
        `this process takes no audits for ${pauseMs / 1_000} seconds, and leaves them to others: ${message}`
      )
    }),
    isOn: Effect.map(left, (millis) => millis > 0),
    awaitOver: Effect.flatMap(left, (millis) => (millis > 0 ? Effect.sleep(millis) : Effect.void))
  }
}
