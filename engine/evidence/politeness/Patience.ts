import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { FaultKind } from "../Exchange.ts"
import { seconds } from "../http/HopFailure.ts"
import type { Hop, HopFault } from "../Transport.ts"

/** How long one host is asked that lets every request run out of time. */
export interface Patience {
  /** Sends, and counts what comes of it. Once the host is given up on, what is under way and what follows is an `unresponsive` fault. */
  readonly ask: (send: Effect.Effect<Hop>) => Effect.Effect<Hop>
}

/** Requests in a row that ran out of time, after which the host is on trial. */
const MOST_IN_A_ROW = 5

/** How long an answer may take while the host is on trial, in milliseconds. */
const TRIAL_MS = 10_000

const OUT_OF_TIME: ReadonlySet<FaultKind> = new Set<FaultKind>(["first_byte_timeout", "stalled", "exchange_timeout"])

/**
 * Gives a host up after `MOST_IN_A_ROW` requests that ran out of time with no answer in between, and one more that was
 * sent after those and did not end in time either. Requests that were sent together run out of time together, so they
 * alone do not tell a site that is stuck from one with a few slow pages; the one that is sent later does.
 */
export const makePatience = (): Patience => {
  const givenUp = Deferred.makeUnsafe<Hop>()
  let inARow = 0

  const note = (hop: Hop, onTrial: boolean): Effect.Effect<unknown> => {
    if (hop._tag === "HopAnswer") inARow = 0
    if (hop._tag === "HopAnswer" || !OUT_OF_TIME.has(hop.kind)) return Effect.void
    inARow += 1
    return onTrial ? Effect.flatMap(gaveUp, (fault) => Deferred.succeed(givenUp, fault)) : Effect.void
  }

  return {
    ask: (send) =>
      Effect.suspend(() => {
        const onTrial = inARow >= MOST_IN_A_ROW
        const bounded = onTrial ? onTrialOnly(send) : send
        return Effect.raceFirst(Deferred.await(givenUp), Effect.tap(bounded, (hop) => note(hop, onTrial)))
      })
  }
}

const faultAt = (sentAt: number, attempts: number, kind: FaultKind, message: string): HopFault =>
  ({ _tag: "HopFault", kind, message, meta: { peer: null, sentAt, firstByteMs: null, attempts } })

const gaveUp: Effect.Effect<HopFault> = Effect.map(Clock.currentTimeMillis, (now) =>
  faultAt(now, 0, "unresponsive", `given up: more than ${MOST_IN_A_ROW} requests in a row timed out`))

const onTrialOnly = (send: Effect.Effect<Hop>): Effect.Effect<Hop> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.timeoutOrElse(send, {
      duration: TRIAL_MS,
      orElse: () => Effect.succeed(faultAt(now, 1, "exchange_timeout", `the answer was not complete within ${seconds(TRIAL_MS)}`))
    }))
