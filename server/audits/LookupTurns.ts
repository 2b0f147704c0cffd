import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { limitsWith } from "../../engine/evidence/FetchLimits.ts"
import type { LimitRefusal } from "../../engine/limit/LimitDecision.ts"

/** Concurrent look-ups and exchanges per client network; others wait. */
const AT_ONCE = 2

/** Time limit for waiting and look-up together, in seconds. */
const LONGEST_SECONDS = 5

/** Time limit for waiting: a look-up that starts later would hardly end in time. */
const LONGEST_WAIT_SECONDS = 4

/** Exchanges at once for all networks together: they are read on the thread that serves requests. */
const PLACES = 4

/** Exchanges under way or waiting for a place; more are refused at once. */
const MOST_WANTED = 64

/** A fetch that takes longer gives its places up as soon as another waits, so that a few slow hosts cannot keep all of them. */
const OWN_TIME = "1500 millis"
const LOOK_EVERY = "100 millis"

/** Bounds of one exchange that the serving process makes for a client. What it receives in all is bounded by the rate limits. */
export const EXCHANGE_LIMITS = limitsWith({
  connectMs: 3_000,
  firstByteMs: 4_000,
  stallMs: 2_000,
  exchangeMs: 5_000,
  perHost: 2,
  overheadBytes: 128 * 1_024,
  auditBytes: Number.POSITIVE_INFINITY
})

export class LookupTimedOut extends Schema.TaggedError<LookupTimedOut>()("LookupTimedOut", {}) {}

/** The look-up did not start in time, or ended early, because of others: of the same network, or for fetches of any. */
export class LookupsBusy extends Schema.TaggedError<LookupsBusy>()("LookupsBusy", {}) {}

/** The client network of a request, for look-ups deep within its handling. */
export const AskingNetwork = Context.Reference<string>("docgauge/server/AskingNetwork", {
  defaultValue: () => "unknown"
})

interface Line {
  readonly turns: Semaphore.Semaphore
  /** How many are running or waiting. */
  length: number
}

type Taken<A, E, R> = Effect.Effect<A, E | LookupTimedOut | LookupsBusy, R>

/**
 * Limits what anonymous clients make this process look up and fetch: 2 at a time per client network, 5 s in total. A client that
 * submits hosts whose name servers never answer delays only its own network.
 */
export class LookupTurns extends Context.Service<
  LookupTurns,
  {
    readonly take: <A, E, R>(network: string, lookup: Effect.Effect<A, E, R>) => Taken<A, E, R>
    /** Fetches with this many concurrent exchanges; there are 4 at a time for all networks together. */
    readonly fetch: <A, E, R>(network: string, exchanges: 1 | 2, fetching: Effect.Effect<A, E, R>) => Taken<A, E, R>
  }
>()("docgauge/server/LookupTurns") {
  static readonly layer: Layer.Layer<LookupTurns> = Layer.sync(LookupTurns, () => {
    const lines = new Map<string, Line>()
    const places = Semaphore.makeUnsafe(PLACES)
    /** Exchanges that have a place or wait for one. */
    let wanted = 0

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

    /** `work` has begun when it calls `begin`. */
    const inTurn = <A, E, R>(
      network: string,
      permits: number,
      work: (begin: Effect.Effect<void>) => Effect.Effect<A, E, R>
    ): Taken<A, E, R> =>
      Effect.suspend(() => {
        let begun = false
        const line = join(network)
        const working = line.turns.withPermits(permits)(
          work(
            Effect.sync(() => {
              begun = true
            })
          )
        )
        const givenUp = Effect.andThen(
          Effect.sleep(`${LONGEST_WAIT_SECONDS} seconds`),
          Effect.suspend(() => (begun ? Effect.never : Effect.fail(new LookupsBusy())))
        )
        return Effect.raceFirst(working, givenUp).pipe(
          Effect.timeoutOrElse({
            duration: `${LONGEST_SECONDS} seconds`,
            orElse: () => Effect.fail(new LookupTimedOut())
          }),
          Effect.ensuring(Effect.sync(() => leave(network, line)))
        )
      })

    /** Fails once its time is over and another fetch waits. */
    const overdue = Effect.sleep(OWN_TIME).pipe(
      Effect.andThen(Effect.repeat(Effect.sleep(LOOK_EVERY), { until: () => wanted > PLACES })),
      Effect.andThen(Effect.fail(new LookupsBusy()))
    )

    const inPlace = <A, E, R>(
      exchanges: number,
      fetching: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | LookupsBusy, R> =>
      Effect.suspend(() => {
        if (wanted + exchanges > MOST_WANTED) return Effect.fail(new LookupsBusy())
        wanted += exchanges
        return places
          .withPermits(exchanges)(Effect.raceFirst(fetching, overdue))
          .pipe(
            Effect.ensuring(
              Effect.sync(() => {
                wanted -= exchanges
              })
            )
          )
      })

    return {
      take: (network, lookup) => inTurn(network, 1, (begin) => Effect.andThen(begin, lookup)),
      fetch: (network, exchanges, fetching) =>
        inTurn(network, exchanges, (begin) => inPlace(exchanges, Effect.andThen(begin, fetching)))
    }
  })
}

/** The error for a client whose network has too many look-ups running. */
export const tooManyLookups: LimitRefusal = {
  _tag: "Refusal",
  code: "rate_limited",
  standing: {
    policy: "lookup",
    limit: AT_ONCE,
    windowSeconds: LONGEST_SECONDS,
    remaining: 0,
    resetSeconds: LONGEST_SECONDS
  },
  retryAfter: LONGEST_SECONDS,
  runId: null
}
