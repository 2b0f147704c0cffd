import * as Effect from "effect/Effect"

/** What a collector may spend, fixed before it asks for anything. */
export interface Allowance {
  /** Of requests that wait, those of the lowest rank are sent first; 0 where it is left out. */
  readonly rank?: number
  /** URLs it may request (each counted once). */
  readonly requests: number
  /** Redirects it may follow, over all its requests. */
  readonly redirects: number
  /** Body bytes it may receive, over all its requests. */
  readonly bytes: number
}

/** What one request has spent so far. */
interface Entry {
  redirects: number
  bytes: number
  done: boolean
}

/** The most that a single request can spend, for deciding before earlier requests are done. */
export interface Bound {
  readonly redirects: number
  readonly bytes: number
}

/**
 * An allowance, spent in the order in which requests were made, whatever order the answers come in: what a request is
 * granted depends on what the requests before it spent, and on nothing after it. A request waits for those before it only
 * where they can still change the decision.
 */
export class Reservation {
  readonly allowance: Allowance
  readonly #bound: Bound
  readonly #entries: Array<Entry> = []
  #waiting: Array<() => void> = []

  constructor(allowance: Allowance, bound: Bound) {
    this.allowance = allowance
    this.#bound = bound
  }

  /** The number of the next request, or `null` where none is left. */
  enter(): number | null {
    if (this.#entries.length >= this.allowance.requests) return null
    return this.#entries.push({ redirects: 0, bytes: 0, done: false }) - 1
  }

  /** Whether request `index` may follow one more redirect. Counted when granted. */
  redirect(index: number): Effect.Effect<boolean> {
    return Effect.map(
      this.#decide(index, this.allowance.redirects, (entry) => entry.redirects, this.#bound.redirects, 1),
      (granted) => {
        const entry = this.#entries[index]
        if (granted && entry !== undefined) entry.redirects += 1
        return granted
      }
    )
  }

  /** Whether request `index` could still keep a body, by what is known so far. Once `false`, it stays `false`. */
  hasRoom(index: number): boolean {
    return this.#entries.slice(0, index).reduce((sum, entry) => sum + entry.bytes, 0) <= this.allowance.bytes
  }

  /** Whether request `index` may keep a body of this size. Ends the request. */
  keep(index: number, bytes: number): Effect.Effect<boolean> {
    const entry = this.#entries[index]
    if (entry !== undefined) {
      entry.bytes = bytes
      entry.done = true
      this.#wake()
    }
    return this.#decide(index, this.allowance.bytes, (one) => one.bytes, this.#bound.bytes, 0)
  }

  /** Waits until the requests before `index` have spent so much or so little that the decision is final. */
  #decide(
    index: number,
    total: number,
    spentBy: (entry: Entry) => number,
    bound: number,
    more: number
  ): Effect.Effect<boolean> {
    const decision = (): boolean | null => {
      let least = more + spentBy(this.#entries[index] ?? { redirects: 0, bytes: 0, done: true })
      let most = least
      for (const entry of this.#entries.slice(0, index)) {
        least += spentBy(entry)
        most += entry.done ? spentBy(entry) : bound
      }
      if (most <= total) return true
      return least > total ? false : null
    }
    return Effect.callback<boolean>((resume) => {
      const attempt = () => {
        const decided = decision()
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
