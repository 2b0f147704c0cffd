import * as Effect from "effect/Effect"

/** What a collector may spend, fixed before it asks for anything. */
export interface Allowance {
  /** Of requests that wait, those of the lowest rank are sent first; 0 where it is left out. */
  readonly rank?: number
  /** URLs it may request: each counts once, whatever it redirects to. */
  readonly requests: number
  /** Body bytes it may receive, over all its requests. */
  readonly bytes: number
}

/** The body bytes of one request; `null` until it is done. */
type Spent = number | null

/**
 * An allowance, spent in the order in which requests were made, whatever order the answers come in: what a request is
 * granted depends on what the requests before it spent, and on nothing after it. A request waits for those before it only
 * where they can still change the decision.
 */
export class Reservation {
  readonly allowance: Allowance
  /** The most bytes that one request can spend, for deciding before earlier requests are done. */
  readonly #bound: number
  readonly #spent: Array<Spent> = []
  #waiting: Array<() => void> = []

  constructor(allowance: Allowance, bound: number) {
    this.allowance = allowance
    this.#bound = bound
  }

  /** The number of the next request, or `null` where none is left. */
  enter(): number | null {
    return this.#spent.length >= this.allowance.requests ? null : this.#spent.push(null) - 1
  }

  /** Whether request `index` could still keep a body, by what is known so far. Once `false`, it stays `false`. */
  hasRoom(index: number): boolean {
    return this.#spentBefore(index, 0) <= this.allowance.bytes
  }

  /** Whether request `index` may keep a body of this size: waits until the requests before it have spent so much or so little that this is final. */
  keep(index: number, bytes: number): Effect.Effect<boolean> {
    this.#spent[index] = bytes
    this.#wake()
    const decision = (): boolean | null => {
      if (bytes + this.#spentBefore(index, this.#bound) <= this.allowance.bytes) return true
      return bytes + this.#spentBefore(index, 0) > this.allowance.bytes ? false : null
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

  /** Bytes of the requests before `index`, those that are not done at `unknown` each. */
  #spentBefore(index: number, unknown: number): number {
    return this.#spent.slice(0, index).reduce<number>((sum, bytes) => sum + (bytes ?? unknown), 0)
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const attempt of waiting) attempt()
  }
}
