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
