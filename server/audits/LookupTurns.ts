import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { LimitRefusal } from "../../engine/limit/LimitDecision.ts"

/** Concurrent look-ups per client network; others wait. */
const AT_ONCE = 2

/** Time limit for waiting and look-up together, in seconds. */
const LONGEST_SECONDS = 5

/** Time limit for waiting: a look-up that starts later would hardly end in time. */
const LONGEST_WAIT_SECONDS = 4

/** The look-up started but did not end in time. */
export class LookupTimedOut extends Schema.TaggedError<LookupTimedOut>()("LookupTimedOut", {}) {}

/** The look-up did not start in time, because others of the same network were running. */
export class LookupsBusy extends Schema.TaggedError<LookupsBusy>()("LookupsBusy", {}) {}

/** The client network of a request, for look-ups deep within its handling. */
export const AskingNetwork = Context.Reference<string>("docgauge/server/AskingNetwork", { defaultValue: () => "unknown" })

interface Line {
  readonly turns: Semaphore.Semaphore
  /** How many are running or waiting. */
  length: number
}

/**
 * Limits the DNS look-ups that anonymous clients cause: 2 at a time per client network, 5 s in total. A client that submits
 * hosts whose name servers never answer delays only its own network.
 */
export class LookupTurns extends Context.Service<LookupTurns, {
  readonly take: <A, E, R>(network: string, lookup: Effect.Effect<A, E, R>) => Effect.Effect<A, E | LookupTimedOut | LookupsBusy, R>
}>()("docgauge/server/LookupTurns") {
  static readonly layer: Layer.Layer<LookupTurns> = Layer.sync(LookupTurns, () => {
    const lines = new Map<string, Line>()

    const join = (network: string): Line => {
      const line = lines.get(network) ?? { turns: Semaphore.makeUnsafe(AT_ONCE), length: 0 }
      line.length += 1
      lines.set(network, line)
      return line
    }

    const leave = (network: string, line: Line): void => {
      line.length -= 1
      if (line.length === 0) lines.delete(network)
    }

    return {
      take: (network, lookup) =>
        Effect.suspend(() => {
          let begun = false
          const line = join(network)
          const inTurn = line.turns.withPermit(Effect.suspend(() => {
            begun = true
            return lookup
          }))
          const givenUp = Effect.andThen(
            Effect.sleep(`${LONGEST_WAIT_SECONDS} seconds`),
            Effect.suspend(() => (begun ? Effect.never : Effect.fail(new LookupsBusy())))
          )
          return Effect.raceFirst(inTurn, givenUp).pipe(
            Effect.timeoutOrElse({ duration: `${LONGEST_SECONDS} seconds`, orElse: () => Effect.fail(new LookupTimedOut()) }),
            Effect.ensuring(Effect.sync(() => leave(network, line)))
          )
        })
    }
  })
}

/** The error for a client whose network has too many look-ups running. */
export const tooManyLookups: LimitRefusal = {
  _tag: "Refusal",
  code: "rate_limited",
  standing: { policy: "lookup", limit: AT_ONCE, windowSeconds: LONGEST_SECONDS, remaining: 0, resetSeconds: LONGEST_SECONDS },
  retryAfter: LONGEST_SECONDS,
  runId: null
}
