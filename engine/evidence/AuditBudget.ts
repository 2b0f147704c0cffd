import type { Allowance } from "./Reservation.ts"

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
