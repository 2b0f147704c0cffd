import * as Context from "effect/Context"

/** Everything that bounds one audit. Times in milliseconds, sizes in bytes. */
export interface FetchLimits {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly stallMs: number
  readonly exchangeMs: number
  /** From the first request on; after it whatever is asked comes back as a `deadline` fault. */
  readonly gatherMs: number
  readonly redirects: number
  readonly pageBytes: number
  readonly documentBytes: number
  readonly yamlBytes: number
  /** Requests an audit, hops and retries included. */
  readonly requests: number
  readonly auditBytes: number
  /** Of one request. */
  readonly retries: number
  /** Of all requests of an audit together; they count among its requests. */
  readonly retriesPerAudit: number
  /** At once to one host. */
  readonly perHost: number
  readonly sitemapEntries: number
  readonly sitemapFiles: number
}

const MB = 1024 * 1024

export const defaultLimits: FetchLimits = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  stallMs: 10_000,
  exchangeMs: 30_000,
  gatherMs: 100_000,
  redirects: 5,
  pageBytes: 5 * MB,
  documentBytes: 20 * MB,
  yamlBytes: 5 * MB,
  requests: 200,
  auditBytes: 100 * MB,
  retries: 2,
  retriesPerAudit: 10,
  perHost: 6,
  sitemapEntries: 50_000,
  sitemapFiles: 10
}

/** The defaults, but for what is given. */
export const limitsWith = (limits: Partial<FetchLimits>): FetchLimits => Object.assign({}, defaultLimits, limits)

/** The limits in force; the defaults unless something else is provided. */
export const FetchLimits = Context.Reference<FetchLimits>("docgauge/evidence/FetchLimits", {
  defaultValue: () => defaultLimits
})
