import type { FaultKind } from "../Exchange.ts"
import { HopFailure, seconds } from "./HopFailure.ts"

/** The kinds of fault that are a time run out. */
type TimeFault = Extract<FaultKind, "first_byte_timeout" | "stalled" | "exchange_timeout">

/** Keeps the time of one exchange: the whole of it, and the phase it is in. */
export interface ExchangeTimer {
  /** Aborts with a `HopFailure` when a time has run out. */
  readonly signal: AbortSignal
  /** Ends the phase before and starts one that may last so long. */
  readonly phase: (fault: TimeFault, milliseconds: number) => void
  /** Stops the clock of the phase and of the whole exchange: it waits for us, not for the site. */
  readonly suspend: () => void
  /** Starts both again, the exchange with all of its time. */
  readonly resume: (fault: TimeFault, milliseconds: number) => void
  readonly abort: (reason: Error) => void
  /** Stops keeping time. */
  readonly stop: () => void
}

const MESSAGES: Readonly<Record<TimeFault, (milliseconds: number) => string>> = {
  first_byte_timeout: (limit) => `no answer within ${seconds(limit)}`,
  stalled: (limit) => `nothing came for ${seconds(limit)} in the middle of the answer`,
  exchange_timeout: (limit) => `the answer was not complete within ${seconds(limit)}`
}

export const startExchangeTimer = (exchangeMs: number): ExchangeTimer => {
  const controller = new AbortController()
  const expireAfter = (fault: TimeFault, limit: number): NodeJS.Timeout =>
    setTimeout(() => controller.abort(new HopFailure(fault, MESSAGES[fault](limit))), limit)
  let whole = expireAfter("exchange_timeout", exchangeMs)
  let current: NodeJS.Timeout | undefined
  let stopped = false
  const phase: ExchangeTimer["phase"] = (fault, milliseconds) => {
    clearTimeout(current)
    if (!stopped) current = expireAfter(fault, milliseconds)
  }
  return {
    signal: controller.signal,
    phase,
    suspend: () => {
      clearTimeout(whole)
      clearTimeout(current)
    },
    resume: (fault, milliseconds) => {
      if (stopped) return
      clearTimeout(whole)
      whole = expireAfter("exchange_timeout", exchangeMs)
      phase(fault, milliseconds)
    },
    abort: (reason) => controller.abort(reason),
    stop: () => {
      stopped = true
      clearTimeout(whole)
      clearTimeout(current)
    }
  }
}
