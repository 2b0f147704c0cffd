/** Bounds how many run at a time; the others wait in line. */
export class Turns {
  #free: number
  readonly #waiting: Array<() => void> = []

  constructor(most: number) {
    this.#free = most
  }

  async take<A>(work: () => Promise<A>): Promise<A> {
    if (this.#free > 0) this.#free -= 1
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
