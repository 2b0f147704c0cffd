import * as Context from "effect/Context"
import { AUDIT_MEGABYTES, AUDIT_REQUESTS, AUDIT_RETRIES } from "./AuditBudget.ts"

/** Everything that bounds one audit. Times in milliseconds, sizes in bytes. */
export interface FetchLimits {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly stallMs: number
  readonly exchangeMs: number
  /** From the first request on; requests after that come back as a `deadline` fault. */
  readonly gatherMs: number
  readonly redirects: number
  readonly pageBytes: number
  readonly documentBytes: number
  readonly yamlBytes: number
  /** Requests of one audit, redirects and retries included. */
  readonly requests: number
  /** Of one audit: of the bodies that its parts keep, and of all that it receives, TLS included. */
  readonly auditBytes: number
  /** What may come with one answer besides its body: interim answers, head, chunk sizes and extensions, trailers, TLS. */
  readonly overheadBytes: number
  /** Of one request. */
  readonly retries: number
  /** Of all requests of an audit together; they count towards `requests`. */
  readonly retriesPerAudit: number
  /** Concurrent requests to one host. */
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
  // Twice the largest page of the corpus, and as much of any page as fits the page thread's heap.
  pageBytes: 2 * MB,
  documentBytes: 20 * MB,
  yamlBytes: 5 * MB,
  requests: AUDIT_REQUESTS,
  auditBytes: AUDIT_MEGABYTES * MB,
  overheadBytes: MB,
  retries: 2,
  retriesPerAudit: AUDIT_RETRIES,
  perHost: 6,
  sitemapEntries: 50_000,
  sitemapFiles: 10
}

/** The defaults, but for what is given. */
export const limitsWith = (limits: Partial<FetchLimits>): FetchLimits => Object.assign({}, defaultLimits, limits)

/** The current limits; the defaults unless others are provided. */
export const FetchLimits = Context.Reference<FetchLimits>("docgauge/evidence/FetchLimits", {
  defaultValue: () => defaultLimits
})
