import { request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"

/** An answer of `/healthz`, or the want of one. */
export interface HealthAnswer {
  /** `null` where there was no answer in time. */
  readonly status: number | null
  readonly milliseconds: number
}

/** An answer later than this is none, in milliseconds. */
const PATIENCE_MS = 10_000

/** A process that does nothing else and answers as late as this, in milliseconds, shows that the machine stalled. */
const STALL_MS = 1_000

/**
 * Answers that say that a service is not well. A 503 is none on a machine that stalled, by the `control`, a process that does nothing else:
 * the service's read of the database may have taken too long for that reason.
 */
export const unhealthy = (answers: ReadonlyArray<HealthAnswer>, control: HealthProbe): ReadonlyArray<HealthAnswer> =>
  answers.filter(({ status }) => status !== 200 && (status !== 503 || control.longestMs < STALL_MS))

const asked = (url: string): Promise<HealthAnswer> =>
  new Promise((resolve) => {
    const begun = performance.now()
    const answered = (status: number | null): void => resolve({ status, milliseconds: performance.now() - begun })
    const ask = request(`${url}/healthz`, { timeout: PATIENCE_MS, agent: false }, (response) => {
      response.resume()
      response.on("end", () => answered(response.statusCode ?? null))
      response.on("error", () => answered(null))
    })
    ask.on("timeout", () => ask.destroy())
    ask.on("error", () => answered(null))
    ask.end()
  })

/** Asks `/healthz` again and again, over a connection of its own each time, until it is stopped. */
export class HealthProbe {
  readonly answers: Array<HealthAnswer> = []
  #going = true
  readonly #asking: Promise<void>

  constructor(url: string, everyMs = 100) {
    this.#asking = this.#ask(url, everyMs)
  }

  /** The longest answer so far, in milliseconds: how late this machine lets anything happen. */
  get longestMs(): number {
    return Math.max(0, ...this.answers.map(({ milliseconds }) => milliseconds))
  }

  async #ask(url: string, everyMs: number): Promise<void> {
    while (this.#going) {
      this.answers.push(await asked(url))
      await pause(everyMs)
    }
  }

  async stop(): Promise<ReadonlyArray<HealthAnswer>> {
    this.#going = false
    await this.#asking
    return this.answers
  }
}
