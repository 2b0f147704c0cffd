import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { FaultKind } from "../Exchange.ts"
import { type Hop, hopFault } from "../Transport.ts"

/** How long one host is asked that lets requests run out of time. */
export interface Patience {
  /** Sends, and counts what comes of it. Once the host is given up on, what is under way and what follows is an `unresponsive` fault. */
  readonly ask: (send: Effect.Effect<Hop>) => Effect.Effect<Hop>
}

/** Requests of an audit that ran out of time, in a row or not, after which their host is given up on. */
const MOST_OUT_OF_TIME = 5

const OUT_OF_TIME: ReadonlySet<FaultKind> = new Set<FaultKind>(["first_byte_timeout", "stalled", "exchange_timeout"])

/**
 * Gives a host up after `MOST_OUT_OF_TIME` requests that ran out of time. Answers in between do not count: with one now and then, a
 * site could keep its audit, and all that wait for it, as long as gathering lasts.
 */
export const makePatience = (): Patience => {
  const givenUp = Latch.makeUnsafe(false)
  let outOfTime = 0

  const note = (hop: Hop): Effect.Effect<void> =>
    Effect.sync(() => {
      if (hop._tag === "HopAnswer" || !OUT_OF_TIME.has(hop.kind)) return
      outOfTime += 1
      if (outOfTime >= MOST_OUT_OF_TIME) givenUp.openUnsafe()
    })

  return {
    ask: (send) =>
      Effect.suspend(() =>
        outOfTime >= MOST_OUT_OF_TIME
          ? unresponsive(0)
          : Effect.tap(Effect.raceFirst(Effect.andThen(givenUp.await, unresponsive(1)), send), note)
      )
  }
}

/** `attempts`: whether it was sent. */
const unresponsive = (attempts: 0 | 1): Effect.Effect<Hop> =>
  Effect.map(Clock.currentTimeMillis, (sentAt) =>
    hopFault("unresponsive", `given up: ${MOST_OUT_OF_TIME} requests timed out`, {
      peer: null,
      sentAt,
      firstByteMs: null,
      attempts
    })
  )
