import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { makePrioritySemaphore } from "./PrioritySemaphore.ts"
import { rateLimitAnswer } from "./RateLimitAnswer.ts"
import { makeSendRate } from "./SendRate.ts"
import type { Hop } from "../Transport.ts"

/**
 * How fast requests are sent to one host: the number of concurrent requests, and of requests per second (`SendRate`). The
 * concurrency starts at its maximum, is halved when the host pushes back or slows down, and grows again with each good answer
 * (additive increase, multiplicative decrease).
 */
export interface HostPace {
  /**
   * Sends in turn, the lowest rank first, and takes note of what the answer says about the host. `instead` is asked while the
   * request waits: what it gives is the outcome, and nothing is sent.
   */
  readonly inTurn: (rank: number, instead: () => Hop | null, send: Effect.Effect<Hop>) => Effect.Effect<Hop>
  /** Lets nothing be sent for so long. */
  readonly pause: (milliseconds: number) => Effect.Effect<void>
  /** As `SendRate.strikes`. */
  readonly strikes: () => number
}

/** A first byte this late says that the host is slow, where its best was four times better. */
const SLOW_MS = 2_000
const SLOW_FACTOR = 4

const PUSHING_BACK = new Set([429, 503])
const OVERLOADED = new Set(["reset", "connect_timeout", "first_byte_timeout", "stalled", "exchange_timeout"])

/** Nothing was sent, so it says nothing about the host. */
const UNSENT = new Set(["unresponsive"])

export const makePace = (most: number): HostPace => {
  const turns = makePrioritySemaphore(most)
  let width = most
  // Requests that were under way together push back together: that is one reason to slow down, not many.
  let round = 0
  let bestMs = Number.POSITIVE_INFINITY
  const rate = makeSendRate()

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

  /** Several may wait here at once; each looks again when it wakes, as another may have taken its slot or paused the host. */
  const takeSlot = Effect.fnUntraced(function* (instead: () => Hop | null): Effect.fn.Return<Hop | null> {
    for (;;) {
      const other = instead()
      if (other !== null) return other
      const now = yield* Clock.currentTimeMillis
      const wait = rate.nextAt() - now
      if (wait <= 0) {
        rate.sent(now)
        return null
      }
      yield* Effect.sleep(wait)
    }
  })

  const takeNoteOfRate = Effect.fnUntraced(function* (hop: Hop, sentAt: number) {
    const now = yield* Clock.currentTimeMillis
    if (rateLimitAnswer(hop, now) !== null) rate.limited(sentAt, now)
    else if (hop._tag === "HopAnswer") rate.accepted(sentAt)
  })

  return {
    inTurn: (rank, instead, send) =>
      turns.inTurn(
        rank,
        Effect.gen(function* () {
          const other = yield* takeSlot(instead)
          if (other !== null) return other
          const sentInRound = round
          const sentAt = yield* Clock.currentTimeMillis
          const hop = yield* send
          yield* takeNoteOfRate(hop, sentAt)
          yield* takeNote(hop, sentInRound)
          return hop
        })
      ),
    pause: (milliseconds) => Effect.map(Clock.currentTimeMillis, (now) => rate.pauseUntil(now + milliseconds)),
    strikes: rate.strikes
  }
}
