import type { Allowance } from "./Reservation.ts"

/** Requests of one audit, redirects and retries included, but for those of budgets that are `extra`. */
export const AUDIT_REQUESTS = 200

/** Requests and redirects that budgets which are `extra` may add, those of external plugins aside. */
export const EXTRA_REQUESTS = 20

/**
 * Requests of one audit that reach the network, of which `counted` count towards its budget. Repeats after a rate-limited answer
 * take what is left of it; they are never sent on top.
 */
export const mostSent = (counted: number): number => counted + EXTRA_REQUESTS

/** Bytes of one audit, in megabytes: of bodies that are kept, and of all that is received. */
export const AUDIT_MEGABYTES = 100

/** Requests of one audit that are set aside for retries. */
export const AUDIT_RETRIES = 10

/** Pages in the sample unless an audit says otherwise: as many as `AUDIT_REQUESTS` covers. */
export const USUAL_SAMPLE = 20

/** What each further page adds: itself, its redirect and its Markdown version. */
export const REQUESTS_PER_PAGE = 3

/** Requests of an audit with a sample of this size. */
export const requestsFor = (sampleSize: number): number =>
  AUDIT_REQUESTS + REQUESTS_PER_PAGE * Math.max(0, sampleSize - USUAL_SAMPLE)

/** What one part of an audit may fetch. */
export interface Budget {
  /** URLs, each counted once. */
  readonly requests: number
  /** Redirects, over all requests. */
  readonly redirects: number
  /** Body bytes over all requests, in megabytes of 1,048,576 bytes. */
  readonly megabytes: number
  /** Comes on top of the audit's budget, and is sent last. */
  readonly extra?: boolean
}

/** The budget of what fetches nothing itself. */
export const NO_REQUESTS: Budget = { requests: 0, redirects: 0, megabytes: 0 }

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
  limits: { readonly requests: number; readonly retriesPerAudit: number; readonly auditBytes: number },
  sampleSize: number
): AuditBudget => {
  const allowances = new Map<string, Allowance>()
  let requests = Math.max(0, limits.requests - limits.retriesPerAudit)
  let bytes = limits.auditBytes
  const grant = ({ budget, collector, rank }: Spender): void => {
    if (allowances.has(collector)) return
    const wanted = typeof budget === "function" ? budget(sampleSize) : budget
    if (wanted.extra === true) {
      allowances.set(collector, {
        requests: wanted.requests,
        redirects: wanted.redirects,
        bytes: wanted.megabytes * MB,
        rank
      })
      return
    }
    const own = Math.min(wanted.requests, requests)
    const redirects = Math.min(wanted.redirects, requests - own)
    const granted = { requests: own, redirects, bytes: Math.min(wanted.megabytes * MB, bytes), rank }
    allowances.set(collector, granted)
    requests -= own + redirects
    bytes -= granted.bytes
  }
  return {
    reserve: (spenders) => spenders.toSorted((one, other) => one.rank - other.rank).forEach(grant),
    allowanceOf: (collector) => allowances.get(collector) ?? { requests: 0, redirects: 0, bytes: 0, rank: RANK.own }
  }
}
