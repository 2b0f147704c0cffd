import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { smallSite } from "./SmallSites.ts"

/** What clients were told of a run. */
export interface Told {
  readonly id: string
  readonly url: string
  /** Digest of the body of the run once it was over; `null` before that. */
  over: string | null
  /** Whether it ended with a report. */
  isDone: boolean
}

/** An answer of the service. */
interface CrowdAnswer {
  readonly status: number
  readonly text: string
  readonly limit: string
}

/** Who asks, and for what. */
export interface CrowdOptions {
  /** Where the service is now; it may be away. */
  readonly address: () => string
  /** Draws from 0 up to 1. */
  readonly random: () => number
  readonly clients: number
  /** How many sites there are to ask for. */
  readonly sites: number
  /** The most runs that are unfinished at a time: nothing more is submitted meanwhile; no limit if it is left out. */
  readonly mostWaiting?: number
  /** How many networks the clients are of, as a proxy tells the service; all of this machine where it is left out. */
  readonly networks?: number
  /** Limits that may refuse a submission, by their names in `RateLimit-Policy`; none where it is left out. */
  readonly refusedBy?: ReadonlySet<string>
}

/** The header by which a proxy names a client of a /24 network. */
export const clientOf = (network: number, host: number): Readonly<Record<string, string>> => ({
  "x-forwarded-for": `10.0.${network}.${host}`
})

/** The limit that refused, by its name in `RateLimit-Policy`; empty where there is none. */
export const limitOf = (headers: Headers): string =>
  /^"([a-z]+)"/.exec(headers.get("ratelimit-policy") ?? "")?.[1] ?? ""

/**
 * Clients that ask for audits and poll, whatever becomes of the service. They hold it to its word: what was accepted is
 * there, what is over stays as it was told, and whatever else is answered is a 503 that says when to come again.
 */
export class Crowd {
  /** By run id. */
  readonly told = new Map<string, Told>()
  /** Answers that break a promise. */
  readonly broken: Array<string> = []
  /** How often a 503 was answered. */
  unavailable = 0
  /** How often each limit refused a submission, by its name in `RateLimit-Policy`. */
  readonly refusals = new Map<string, number>()
  #going = true
  readonly #options: CrowdOptions
  readonly #clients: ReadonlyArray<Promise<void>>

  constructor(options: CrowdOptions) {
    this.#options = options
    this.#clients = Array.from({ length: options.clients }, (_, index) => this.#client(index % 2 === 0))
  }

  /** Nothing more is asked for; what was accepted can still be polled. */
  async leave(): Promise<void> {
    this.#going = false
    await Promise.all(this.#clients)
  }

  /** Polls until every accepted run is over. Rejects where some are not in time. */
  async awaitAll(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs
    while (this.waiting.length > 0) {
      if (performance.now() > deadline)
        throw new Error(
          `${this.waiting.length} runs are not over: ${this.waiting
            .slice(0, 5)
            .map(({ id }) => id)
            .join(" ")}`
        )
      await Promise.all(this.waiting.slice(0, 8).map((run) => this.#poll(run)))
      await pause(50)
    }
  }

  /** Polls every run that is over once more: it has to be what it was. */
  async lookAgain(): Promise<void> {
    for (const run of this.told.values()) await this.#poll(run)
  }

  get waiting(): ReadonlyArray<Told> {
    return [...this.told.values()].filter(({ over }) => over === null)
  }

  /** How many runs clients know the report of. */
  get done(): number {
    return [...this.told.values()].filter(({ isDone }) => isDone).length
  }

  async #client(submits: boolean): Promise<void> {
    while (this.#going) {
      if (submits) await this.#submit()
      else await this.#pollAny()
      await pause(10 + 60 * this.#options.random())
    }
  }

  async #submit(): Promise<void> {
    if (this.waiting.length >= (this.#options.mostWaiting ?? Number.POSITIVE_INFINITY)) return
    const url = smallSite(Math.floor(this.#options.random() * this.#options.sites))
    const answer = await this.#ask("/audit?async=true", {
      method: "POST",
      headers: { "content-type": "application/json", ...this.#sender() },
      body: JSON.stringify({ base_url: url })
    })
    if (answer === null) return
    if (answer.status === 429 && this.#options.refusedBy?.has(answer.limit) === true) {
      this.refusals.set(answer.limit, (this.refusals.get(answer.limit) ?? 0) + 1)
      return
    }
    if (answer.status !== 202) {
      this.broken.push(`POST ${url}: ${answer.status} ${answer.text}`)
      return
    }
    const { run_id: id }: { readonly run_id: string } = JSON.parse(answer.text)
    if (!this.told.has(id)) this.told.set(id, { id, url, over: null, isDone: false })
  }

  #sender(): Readonly<Record<string, string>> {
    const { networks, random } = this.#options
    return networks === undefined ? {} : clientOf(Math.floor(random() * networks), 1 + Math.floor(random() * 250))
  }

  async #pollAny(): Promise<void> {
    const all = this.#options.random() < 0.7 ? this.waiting : [...this.told.values()]
    const run = all[Math.floor(this.#options.random() * all.length)]
    if (run !== undefined) await this.#poll(run)
  }

  async #poll(run: Told): Promise<void> {
    const answer = await this.#ask(`/api/public/audit/${run.id}`)
    if (answer === null) return
    if (answer.status !== 200) {
      this.broken.push(`GET ${run.id}: ${answer.status} ${answer.text}`)
      return
    }
    const { status }: { readonly status: string } = JSON.parse(answer.text)
    const over = status === "done" || status === "error" ? createHash("sha256").update(answer.text).digest("hex") : null
    if (run.over !== null && run.over !== over)
      this.broken.push(`GET ${run.id}: was over, and is ${status} now, or other than it was`)
    run.over ??= over
    run.isDone = status === "done"
  }

  /** The answer; `null` where there was none, a proper 503, or a 408: a process that was stopped for a while took the request for a slow one. */
  async #ask(path: string, init: RequestInit = {}): Promise<CrowdAnswer | null> {
    try {
      const response = await fetch(`${this.#options.address()}${path}`, {
        ...init,
        signal: AbortSignal.timeout(15_000)
      })
      const text = await response.text()
      if (response.status === 408) return null
      if (response.status !== 503) return { status: response.status, text, limit: limitOf(response.headers) }
      this.unavailable += 1
      if (!/^[1-9]\d*$/.test(response.headers.get("retry-after") ?? ""))
        this.broken.push(`503 without Retry-After: ${text}`)
      return null
    } catch {
      return null
    }
  }
}
