import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { Refusal } from "../../engine/limit/Verdict.ts"

/** Look-ups under way for one client network; more wait for their turn. */
const AT_ONCE = 2

/** For waiting and looking up together, in seconds. */
const LONGEST_SECONDS = 5

/** For waiting alone: a look-up that began later would hardly end in time. */
const LONGEST_WAIT_SECONDS = 4

/** The look-up had its turn, and did not end in time. */
export class LookupTimedOut extends Schema.TaggedError<LookupTimedOut>()("LookupTimedOut", {}) {}

/** The look-up did not have its turn in time: others of the same network hold all of them. */
export class LookupsBusy extends Schema.TaggedError<LookupsBusy>()("LookupsBusy", {}) {}

/** The client network that a request came from, for look-ups that are made deep within its handling. */
export const AskingNetwork = Context.Reference<string>("docgauge/server/AskingNetwork", { defaultValue: () => "unknown" })

interface Line {
  readonly turns: Semaphore.Semaphore
  /** How many have a turn or wait for one. */
  length: number
}

/**
 * Turns for name look-ups that anonymous clients cause: 2 at once for each client network, 5 s in all. A client who names
 * hosts whose name servers never answer keeps its own network waiting, and no other.
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

/** What a client is told whose network has too many look-ups under way. */
export const tooManyLookups: Refusal = {
  _tag: "Refusal",
  code: "rate_limited",
  standing: { policy: "lookup", limit: AT_ONCE, windowSeconds: LONGEST_SECONDS, remaining: 0, resetSeconds: LONGEST_SECONDS },
  retryAfter: LONGEST_SECONDS,
  runId: null
}
