import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Hop } from "../Transport.ts"
import { rateLimitAnswer } from "./RateLimits.ts"

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

/** A bounded number at once; of those that wait, the lowest rank goes first, and among equals the one that came first. */
interface PrioritySemaphore {
  readonly inTurn: <A>(rank: number, work: Effect.Effect<A>) => Effect.Effect<A>
  /** Sets the number of permits; running work is not interrupted. */
  readonly resize: (width: number) => Effect.Effect<void>
}

interface Waiter {
  readonly rank: number
  readonly enter: () => void
}

export const makePrioritySemaphore = (most: number): PrioritySemaphore => {
  const waiting: Array<Waiter> = []
  let width = most
  let taken = 0

  const letIn = (): void => {
    while (taken < width) {
      const first = waiting.shift()
      if (first === undefined) return
      taken += 1
      first.enter()
    }
  }
  // Later, not at once: of many that are given up together, none is to be let in.
  const leave = Effect.withFiber<void>(({ currentDispatcher }) => {
    taken -= 1
    currentDispatcher.scheduleTask(letIn, 0)
    return Effect.void
  })
  const enter = (rank: number): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const waiter: Waiter = { rank, enter: () => resume(Effect.void) }
      const behind = waiting.findIndex((other) => other.rank > rank)
      waiting.splice(behind === -1 ? waiting.length : behind, 0, waiter)
      letIn()
      // Interrupted: it is in line still, or was let in and has not noticed yet.
      return Effect.suspend(() => {
        const at = waiting.indexOf(waiter)
        if (at === -1) return leave
        waiting.splice(at, 1)
        return Effect.void
      })
    })

  return {
    inTurn: (rank, work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(enter(rank)), () => Effect.ensuring(restore(work), leave))
      ),
    resize: (to) =>
      Effect.sync(() => {
        width = to
        letIn()
      })
  }
}

/**
 * How many requests a second one host is sent. Without limit until the host limits the rate; then three quarters of what it took
 * in the last second, a quarter less each time that it is still too much, and slowly more with each answer (additive increase,
 * multiplicative decrease). All times are milliseconds since the epoch.
 */
interface SendRate {
  /** When the next request may be sent. */
  readonly nextAt: () => number
  readonly sent: (now: number) => void
  /** An answer to a request sent at `sentAt` that was not rate limited. */
  readonly accepted: (sentAt: number) => void
  /**
   * A rate-limited answer to a request sent at `sentAt`. Answers to requests sent before the last decrease tell of the same
   * excess, so they decrease nothing.
   */
  readonly limited: (sentAt: number, now: number) => void
  /** Nothing is sent before. */
  readonly pauseUntil: (time: number) => void
  /** Decreases in a row with no accepted request in between. */
  readonly strikes: () => number
}

const DECREASE = 0.75

/** Requests a second that the rate grows by in a second in which all are accepted. */
const INCREASE = 0.1

/** The lowest rate, in requests a second: 100 seconds of it are enough for half of an audit. */
const LOWEST = 1

const makeSendRate = (): SendRate => {
  let perSecond = Number.POSITIVE_INFINITY
  let slotAt = 0
  let pausedUntil = 0
  let decreasedAt = Number.NEGATIVE_INFINITY
  let strikes = 0
  let lastSecond: ReadonlyArray<number> = []

  const within = (since: number): ReadonlyArray<number> => lastSecond.filter((at) => at > since)

  return {
    nextAt: () => Math.max(pausedUntil, slotAt),
    sent: (now) => {
      slotAt = now + Math.ceil(1_000 / perSecond)
    },
    accepted: (sentAt) => {
      lastSecond = [...within(sentAt - 1_000), sentAt]
      perSecond += INCREASE / perSecond
      if (sentAt > decreasedAt) strikes = 0
    },
    limited: (sentAt, now) => {
      if (sentAt <= decreasedAt) return
      // Only at first: just after a pause, the last second tells of the pause, not of what the host takes.
      const taken = Number.isFinite(perSecond) ? perSecond : within(sentAt - 1_000).length
      perSecond = Math.max(LOWEST, DECREASE * taken)
      decreasedAt = now
      strikes += 1
    },
    pauseUntil: (time) => {
      pausedUntil = Math.max(pausedUntil, time)
    },
    strikes: () => strikes
  }
}
