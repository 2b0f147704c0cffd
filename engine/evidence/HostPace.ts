import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { makeRankedTurns } from "./RankedTurns.ts"
import type { Hop } from "./Transport.ts"

/**
 * How fast one host is asked: so many requests at once. It starts at the most there may be, is halved when the host
 * pushes back or slows down, and grows again with each good answer (additive increase, multiplicative decrease).
 */
export interface HostPace {
  /** Sends in turn, the lowest rank first, and takes note of what the answer says about the host. */
  readonly inTurn: (rank: number, send: Effect.Effect<Hop>) => Effect.Effect<Hop>
  /** Lets nothing be sent for so long. */
  readonly pause: (milliseconds: number) => Effect.Effect<void>
}

/** A first byte this late says that the host is slow, where its best was four times better. */
const SLOW_MS = 2_000
const SLOW_FACTOR = 4

const PUSHING_BACK = new Set([429, 503])
const OVERLOADED = new Set(["reset", "connect_timeout", "first_byte_timeout", "stalled", "exchange_timeout"])

/** Nothing was sent, so it says nothing about the host. */
const UNSENT = new Set(["budget", "unresponsive"])

export const makePace = (most: number): HostPace => {
  const turns = makeRankedTurns(most)
  let width = most
  // Requests that were under way together push back together: that is one reason to slow down, not many.
  let round = 0
  let bestMs = Number.POSITIVE_INFINITY
  let pausedUntil = 0

  const widen = (to: number): Effect.Effect<void> => {
    const before = Math.floor(width)
    width = Math.min(most, Math.max(1, to))
    return Math.floor(width) === before ? Effect.void : turns.resize(Math.floor(width))
  }

  const isStrained = (hop: Hop): boolean => {
    if (hop._tag === "HopFault") return OVERLOADED.has(hop.kind)
    const firstByteMs = hop.meta.firstByteMs ?? 0
    bestMs = Math.min(bestMs, firstByteMs)
    return PUSHING_BACK.has(hop.status) || (firstByteMs > SLOW_MS && firstByteMs > SLOW_FACTOR * bestMs)
  }

  const takeNote = (hop: Hop, sentInRound: number): Effect.Effect<void> => {
    if (hop._tag === "HopFault" && UNSENT.has(hop.kind)) return Effect.void
    if (!isStrained(hop)) return widen(width + 1 / width)
    if (sentInRound !== round) return Effect.void
    round += 1
    return widen(width / 2)
  }

  const waitOutPause = Effect.gen(function*() {
    const pause = pausedUntil - (yield* Clock.currentTimeMillis)
    if (pause > 0) yield* Effect.sleep(pause)
  })

  return {
    inTurn: (rank, send) =>
      turns.inTurn(rank, Effect.gen(function*() {
        yield* waitOutPause
        const sentInRound = round
        const hop = yield* send
        yield* takeNote(hop, sentInRound)
        return hop
      })),
    pause: (milliseconds) =>
      Effect.map(Clock.currentTimeMillis, (now) => { pausedUntil = Math.max(pausedUntil, now + milliseconds) })
  }
}
