import * as Effect from "effect/Effect"

/** What a collector may spend, fixed before the audit starts. */
export interface Allowance {
  /** When its requests are sent, where several wait for their turn: the lowest first; 0 where it is left out. */
  readonly rank?: number
  /** Addresses it may ask for (each counted once). */
  readonly asks: number
  /** Redirects it may follow, over all its asks. */
  readonly hops: number
  /** Bytes of body it may receive, over all its asks. */
  readonly bytes: number
}

/** What one ask has spent so far. */
interface Entry {
  hops: number
  bytes: number
  done: boolean
}

/** Bounds on what a single ask can still spend, for deciding before earlier asks are done. */
export interface Worst {
  readonly hops: number
  readonly bytes: number
}

/**
 * An allowance, spent in the order in which asks were made, whatever order answers come in: what is granted to an ask
 * depends on what the asks before it spent, and on nothing after it. Where that is still open and matters, the ask
 * waits for those before it; where it cannot matter, nobody waits.
 */
export class Reservation {
  readonly allowance: Allowance
  readonly #worst: Worst
  readonly #entries: Array<Entry> = []
  #waiting: Array<() => void> = []

  constructor(allowance: Allowance, worst: Worst) {
    this.allowance = allowance
    this.#worst = worst
  }

  /** The number of the next ask, or `null` where none is left. */
  enter(): number | null {
    if (this.#entries.length >= this.allowance.asks) return null
    return this.#entries.push({ hops: 0, bytes: 0, done: false }) - 1
  }

  /** May ask `index` follow one more redirect? Counted when granted. */
  hop(index: number): Effect.Effect<boolean> {
    return Effect.map(
      this.#decide(index, this.allowance.hops, (entry) => entry.hops, this.#worst.hops, 1),
      (granted) => {
        const entry = this.#entries[index]
        if (granted && entry !== undefined) entry.hops += 1
        return granted
      }
    )
  }

  /** Could ask `index` still keep a body, by what is known so far? Once it could not, it never can again. */
  hasRoom(index: number): boolean {
    return this.#entries.slice(0, index).reduce((sum, entry) => sum + entry.bytes, 0) <= this.allowance.bytes
  }

  /** May ask `index` keep a body of so many bytes? Ends the ask. */
  keep(index: number, bytes: number): Effect.Effect<boolean> {
    const entry = this.#entries[index]
    if (entry !== undefined) {
      entry.bytes = bytes
      entry.done = true
      this.#wake()
    }
    return this.#decide(index, this.allowance.bytes, (one) => one.bytes, this.#worst.bytes, 0)
  }

  /** Waits until asks before `index` have spent so much or so little that the answer cannot change any more. */
  #decide(index: number, total: number, spentBy: (entry: Entry) => number, worst: number, more: number): Effect.Effect<boolean> {
    const verdict = (): boolean | null => {
      let least = more + spentBy(this.#entries[index] ?? { hops: 0, bytes: 0, done: true })
      let most = least
      for (const entry of this.#entries.slice(0, index)) {
        least += spentBy(entry)
        most += entry.done ? spentBy(entry) : worst
      }
      if (most <= total) return true
      return least > total ? false : null
    }
    return Effect.callback<boolean>((resume) => {
      const attempt = () => {
        const decided = verdict()
        if (decided === null) this.#waiting.push(attempt)
        else resume(Effect.succeed(decided))
      }
      attempt()
    })
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const attempt of waiting) attempt()
  }
}
