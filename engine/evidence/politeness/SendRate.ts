/**
 * How many requests a second one host is sent. Without limit until the host limits the rate; then three quarters of what it took
 * in the last second, a quarter less each time that it is still too much, and slowly more with each answer (additive increase,
 * multiplicative decrease). All times are milliseconds since the epoch.
 */
export interface SendRate {
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

export const makeSendRate = (): SendRate => {
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
