import { readFileSync } from "node:fs"
import { request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"

/** An answer of `/healthz`, or the want of one. */
export interface HealthAnswer {
  /** `null` where there was no answer in time. */
  readonly status: number | null
  readonly milliseconds: number
  /** Processor time of the serving thread meanwhile, in milliseconds: what it did before it came to answer. Load of the machine adds nothing to it. */
  readonly cpuMs: number
}

/** The processor time that a thread has used, in milliseconds. */
export type ThreadClock = () => number

/** Of the first thread of a process, which serves HTTP: the first field of `schedstat` is its time in nanoseconds. */
export const mainThreadOf =
  (pid: number | undefined): ThreadClock =>
  () =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6

/** The longest that the serving thread may be busy with something else before it answers, in milliseconds of processor time. */
const HEALTH_CPU_MS = 1_500

/** Answers that waited for something that the serving thread should not have done. */
export const delayed = (answers: ReadonlyArray<HealthAnswer>): ReadonlyArray<HealthAnswer> =>
  answers.filter(({ cpuMs }) => cpuMs > HEALTH_CPU_MS)

/** An answer later than this is none, in milliseconds. */
const PATIENCE_MS = 10_000

/**
 * A busy machine may let the service's read of its database wait, which is a 503 until that read has ended: at ten times as many threads as
 * cores, one answer in fifty. More than this share are an attack's.
 */
const BUSY_SHARE = 0.05

/** Answers that say that a service is not well. */
export const unhealthy = (answers: ReadonlyArray<HealthAnswer>): ReadonlyArray<HealthAnswer> => {
  const others = answers.filter(({ status }) => status !== 200)
  const busy = others.filter(({ status }) => status === 503)
  return busy.length <= BUSY_SHARE * answers.length ? others.filter(({ status }) => status !== 503) : others
}

const asked = (url: string, clock: ThreadClock): Promise<HealthAnswer> =>
  new Promise((resolve) => {
    const [begun, usedBefore] = [performance.now(), clock()]
    const answered = (status: number | null): void =>
      resolve({ status, milliseconds: performance.now() - begun, cpuMs: clock() - usedBefore })
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

  /** `clock`: of the serving thread; none where nothing depends on it. */
  constructor(
    url: string,
    { clock = () => 0, everyMs = 100 }: { readonly clock?: ThreadClock; readonly everyMs?: number } = {}
  ) {
    this.#asking = this.#ask(url, clock, everyMs)
  }

  /** The longest answer so far, in milliseconds: how late this machine lets anything happen. */
  get longestMs(): number {
    return Math.max(0, ...this.answers.map(({ milliseconds }) => milliseconds))
  }

  async #ask(url: string, clock: ThreadClock, everyMs: number): Promise<void> {
    while (this.#going) {
      this.answers.push(await asked(url, clock))
      await pause(everyMs)
    }
  }

  async stop(): Promise<ReadonlyArray<HealthAnswer>> {
    this.#going = false
    await this.#asking
    return this.answers
  }
}
