import * as Effect from "effect/Effect"

/** Retrievals of one audit: URLs that its parts ask for, each with its redirects and retries. Those of external plugins come on top. */
export const AUDIT_RETRIEVALS = 270

/** Requests that an audit reserves of its domain's budget. It settles what it sent. */
export const RESERVED_REQUESTS = AUDIT_RETRIEVALS

/** Of the retrievals, the share that no part is given: one document more does not cut every report. */
export const SLACK = 0.15

/**
 * Requests of one audit, with all redirects and retries, and robots.txt of each host of the site that it comes to. These are few: of a
 * site on five hosts four, of the 130 that the retrievals leave.
 */
export const AUDIT_REQUESTS = 400

/** Requests, with redirects and retries, that an audit with this number of retrievals may send: in proportion. */
export const mostSent = (retrievals: number): number => Math.ceil((retrievals * AUDIT_REQUESTS) / AUDIT_RETRIEVALS)

/**
 * Requests that an audit sends as agents of others, with all redirects and retries, on top of its own (`--as-agents`). They are
 * counted apart, so that they leave nothing out of the audit.
 */
export const REQUESTS_AS_AGENTS = 60

/** Bytes of one audit, in megabytes: of bodies that are kept, and of all that is received. */
export const AUDIT_MEGABYTES = 100

/** Retries of one audit, but for those of requests that a site's rate limit refused. */
export const AUDIT_RETRIES = 10

/** Pages in the sample unless an audit says otherwise: as many as `AUDIT_RETRIEVALS` covers. */
export const USUAL_SAMPLE = 20

/** What each further page adds: itself, and two addresses of its Markdown version. */
export const RETRIEVALS_PER_PAGE = 3

/** Retrievals of an audit with a sample of this size. */
export const retrievalsFor = (sampleSize: number): number =>
  AUDIT_RETRIEVALS + RETRIEVALS_PER_PAGE * Math.max(0, sampleSize - USUAL_SAMPLE)

/** What one part of an audit may fetch. */
export interface Budget {
  /** Retrievals: URLs, each counted once, whatever it redirects to. */
  readonly requests: number
  /** Body bytes over all requests, in megabytes of 1,048,576 bytes. */
  readonly megabytes: number
  /** Of these, the ones that it makes only where other parts make as many fewer: they take nothing from the audit's budget. */
  readonly insteadOfOthers?: number
  /** Of an external plugin: comes on top of the audit's budget, and is sent last. */
  readonly extra?: boolean
}

/** The budget of what fetches nothing itself. */
export const NO_REQUESTS: Budget = { requests: 0, megabytes: 0 }

/**
 * Of requests that wait, those of the lowest rank are sent first, and a small budget is handed out in this order: what the
 * sample and so most else waits for, what several criteria share, what single criteria ask for themselves.
 */
export const RANK = { sample: 0, shared: 1, own: 2, extra: 3 } as const

/** A part of an audit that fetches: a derivation of the site, a criterion, the signals. */
export interface Spender {
  /** The name of its collector, as reports show it. */
  readonly collector: string
  /** By the size of the sample, where it depends on it. */
  readonly budget: Budget | ((sampleSize: number) => Budget)
  readonly rank: (typeof RANK)[keyof typeof RANK]
}

/** A criterion, by its id in the rubric. */
export const criterionSpender = (id: string, budget: Budget): Spender => ({
  collector: id,
  budget,
  rank: budget.extra === true ? RANK.extra : RANK.own
})

/** What the parts of one audit may spend. */
export interface AuditBudget {
  /** Sets budgets aside by rank, then in the order of the list, each once. What is left goes to the next call. */
  readonly reserve: (spenders: ReadonlyArray<Spender>) => void
  /** What was set aside for a collector; nothing where there was no call for it. */
  readonly allowanceOf: (collector: string) => Allowance
}

const MB = 1024 * 1024

/**
 * Reservations for one audit: fixed amounts, handed out in a fixed order until nothing is left, so that what a small budget
 * leaves out does not depend on timing.
 */
export const makeAuditBudget = (
  limits: { readonly requests: number; readonly auditBytes: number },
  sampleSize: number
): AuditBudget => {
  const allowances = new Map<string, Allowance>()
  let { auditBytes: bytes, requests } = limits
  const grant = ({ budget, collector, rank }: Spender): void => {
    if (allowances.has(collector)) return
    const wanted = typeof budget === "function" ? budget(sampleSize) : budget
    if (wanted.extra === true) {
      allowances.set(collector, { requests: wanted.requests, bytes: wanted.megabytes * MB, rank })
      return
    }
    const granted = {
      requests: Math.min(wanted.requests, requests),
      bytes: Math.min(wanted.megabytes * MB, bytes),
      rank
    }
    allowances.set(collector, granted)
    requests -= Math.max(0, granted.requests - (wanted.insteadOfOthers ?? 0))
    bytes -= granted.bytes
  }
  return {
    reserve: (spenders) => spenders.toSorted((one, other) => one.rank - other.rank).forEach(grant),
    allowanceOf: (collector) => allowances.get(collector) ?? { requests: 0, bytes: 0, rank: RANK.own }
  }
}

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
