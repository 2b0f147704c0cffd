import * as Context from "effect/Context"
import type { FaultKind } from "../Exchange.ts"
import { HopFailure, seconds, size } from "./HopFailure.ts"
import type { PooledConnection } from "./HttpConnections.ts"

/** Told of all bytes as they are received over TCP, also those of requests that fail. */
export const BytesReceived = Context.Reference<(bytes: number) => void>("docgauge/evidence/BytesReceived", {
  defaultValue: () => () => {}
})

/** Counts what all exchanges of one audit receive. */
export interface AuditMeter {
  readonly count: (bytes: number) => void
  /** Why nothing more may be received; `null` while it may. */
  readonly failure: () => HopFailure | null
}

export const makeAuditMeter = (mostBytes: number, onReceived: (bytes: number) => void): AuditMeter => {
  let received = 0
  return {
    count: (bytes) => {
      received += bytes
      onReceived(bytes)
    },
    failure: () =>
      received > mostBytes
        ? new HopFailure("too_many_bytes", `this audit has received ${size(mostBytes)}, the most it may`)
        : null
  }
}

/** Bounds what a server sends with one answer besides its body. */
interface ExchangeMeter {
  /** A piece of the body was parsed. */
  readonly body: (length: number) => void
  /** An interim answer (1xx) was parsed. */
  readonly interim: () => void
  /** Counts what was received until now, and nothing more. */
  readonly stop: () => void
}

/** Servers with early hints send one or two. */
const MOST_INTERIM = 16

/** How often we look besides each read, in milliseconds: messages of TLS itself cause no read. */
const LOOK_MS = 100

/** `end` is called with the reason once more than `overheadBytes` came besides the body, or more than the audit may receive. */
export const startExchangeMeter = (
  connection: PooledConnection,
  overheadBytes: number,
  audit: AuditMeter,
  end: (reason: HopFailure) => void
): ExchangeMeter => {
  const takenBefore = connection.taken()
  let counted = connection.received()
  let bodyBytes = 0
  let interim = 0

  const count = (): void => {
    const received = connection.received()
    audit.count(received - counted)
    counted = received
  }

  const endIf = (failure: HopFailure | null): void => {
    if (failure !== null) end(failure)
  }

  const look = (): void => {
    count()
    const isTooMuch = connection.taken() - takenBefore - bodyBytes > overheadBytes
    endIf(
      isTooMuch
        ? new HopFailure("malformed", `more than ${size(overheadBytes)} came with the answer besides its body`)
        : audit.failure()
    )
  }

  const timer = setInterval(look, LOOK_MS)
  connection.whenRead(look)
  return {
    body: (length) => {
      bodyBytes += length
      // All of an answer over HTTP/2 can come between two looks.
      count()
      endIf(audit.failure())
    },
    interim: () => {
      interim += 1
      if (interim > MOST_INTERIM)
        end(new HopFailure("malformed", `more than ${MOST_INTERIM} interim answers came before the answer`))
    },
    stop: () => {
      clearInterval(timer)
      connection.whenRead(() => undefined)
      count()
    }
  }
}

/** The kinds of fault that are a time run out. */
type TimeFault = Extract<FaultKind, "first_byte_timeout" | "stalled" | "exchange_timeout">

/** Keeps the time of one exchange: the whole of it, and the phase it is in. */
export interface ExchangeTimer {
  /** Aborts with a `HopFailure` when a time has run out. */
  readonly signal: AbortSignal
  /** Ends the phase before and starts one that may last so long. */
  readonly phase: (fault: TimeFault, milliseconds: number) => void
  /** Ends the phase, with no other: for a while, only the time of the whole runs. */
  readonly pause: () => void
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
  const expireAfter = (fault: TimeFault, limit: number): (() => void) =>
    startTimer(limit, () => controller.abort(new HopFailure(fault, MESSAGES[fault](limit))))
  let stopWhole = expireAfter("exchange_timeout", exchangeMs)
  let stopPhase = (): void => undefined
  let stopped = false
  const phase: ExchangeTimer["phase"] = (fault, milliseconds) => {
    stopPhase()
    if (!stopped) stopPhase = expireAfter(fault, milliseconds)
  }
  const suspend = (): void => {
    stopWhole()
    stopPhase()
  }
  return {
    signal: controller.signal,
    phase,
    pause: () => stopPhase(),
    suspend,
    resume: (fault, milliseconds) => {
      if (stopped) return
      stopWhole()
      stopWhole = expireAfter("exchange_timeout", exchangeMs)
      phase(fault, milliseconds)
    },
    abort: (reason) => controller.abort(reason),
    stop: () => {
      stopped = true
      suspend()
    }
  }
}

/**
 * Waits once more for as long as this thread was late, so that what came while it was busy is read first: it is not the site that was slow.
 * Returns how to stop it.
 */
const startTimer = (milliseconds: number, expire: () => void): (() => void) => {
  const due = performance.now() + milliseconds
  let timer = setTimeout(() => {
    timer = setTimeout(expire, Math.max(0, performance.now() - due))
  }, milliseconds)
  return () => clearTimeout(timer)
}
