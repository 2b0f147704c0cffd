import * as Context from "effect/Context"

/**
 * Decides when an audit may hold many bytes of bodies: of several audits on a machine, one at a time. A waiting audit keeps its
 * connections, and its exchanges' timers are paused.
 */
export interface BodyAdmission {
  /** `null`: the audit may hold `bytes` of a body that is being read, besides all that it keeps. Otherwise resolves when it may. */
  readonly admit: (bytes: number) => Promise<void> | null
  /** The audit keeps a body of `bytes` until it is over. */
  readonly keep: (bytes: number) => void
}

/** The rule in force: an audit that is alone on its machine never waits. */
export const BodyAdmission = Context.Reference<BodyAdmission>("docgauge/evidence/BodyAdmission", {
  defaultValue: () => ({ admit: () => null, keep: () => undefined })
})

/** An audit holds up to `freeBytes`, and more only once `ask` has resolved. */
export const bodyAdmission = (freeBytes: number, ask: () => Promise<void>): BodyAdmission => {
  let held = 0
  let isAdmitted = false
  let asked: Promise<void> | null = null
  const askOnce = async (): Promise<void> => {
    await ask()
    isAdmitted = true
  }
  return {
    admit: (bytes) => (isAdmitted || held + bytes <= freeBytes ? null : (asked ??= askOnce())),
    keep: (bytes) => {
      held += bytes
    }
  }
}

/** Bytes of a body that are read without asking. */
export const LARGE_BYTES = 1024 * 1024

/**
 * Lets one large body of an audit be read at a time, so that a site that sends nothing else cannot fill the memory: the
 * others wait in their connections.
 */
export interface LargeBodyLock {
  /** Resolves when it is the caller's turn, with what ends it; rejects with the signal's reason where that aborts first. */
  readonly turn: (signal: AbortSignal) => Promise<() => void>
}

export const makeLargeBodyLock = (): LargeBodyLock => {
  const waiting = new Set<() => void>()
  let isTaken = false

  const end = (): void => {
    const [next] = waiting
    isTaken = next !== undefined
    if (next === undefined) return
    waiting.delete(next)
    next()
  }

  const turn: LargeBodyLock["turn"] = (signal) =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        waiting.delete(start)
        reject(signal.reason)
      }
      const start = (): void => {
        signal.removeEventListener("abort", abort)
        resolve(end)
      }
      if (signal.aborted) return abort()
      if (!isTaken) {
        isTaken = true
        return resolve(end)
      }
      waiting.add(start)
      signal.addEventListener("abort", abort, { once: true })
    })

  return { turn }
}
