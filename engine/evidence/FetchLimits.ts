import * as Context from "effect/Context"
import { AUDIT_MEGABYTES, AUDIT_RETRIEVALS, AUDIT_RETRIES } from "./AuditBudget.ts"

/** Everything that bounds one audit. Times in milliseconds, sizes in bytes. */
export interface FetchLimits {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly stallMs: number
  readonly exchangeMs: number
  /** From the first request on; requests after that come back as a `deadline` fault. */
  readonly gatherMs: number
  /** Of one retrieval, as RFC 9309 asks for robots.txt. */
  readonly redirects: number
  readonly pageBytes: number
  readonly documentBytes: number
  readonly yamlBytes: number
  /** Retrievals of one audit; with redirects and retries, it sends at most `mostSent` of them. */
  readonly requests: number
  /** Of one audit: of the bodies that its parts keep, and of all that it receives, TLS included. */
  readonly auditBytes: number
  /** What may come with one answer besides its body: interim answers, head, chunk sizes and extensions, trailers, TLS. */
  readonly overheadBytes: number
  /** Of one request. */
  readonly retries: number
  /** Of all requests of an audit together. */
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
  // As much of any page as fits the heap of the thread for large ones.
  pageBytes: 8 * MB,
  documentBytes: 20 * MB,
  yamlBytes: 5 * MB,
  requests: AUDIT_RETRIEVALS,
  auditBytes: AUDIT_MEGABYTES * MB,
  overheadBytes: MB,
  retries: 2,
  retriesPerAudit: AUDIT_RETRIES,
  perHost: 6,
  sitemapEntries: 50_000,
  sitemapFiles: 50
}

/** Time for one request beside those of an audit, at the pace of a polite client, in milliseconds. */
export const REQUEST_MILLISECONDS = 500

/** The defaults, but for what is given. */
export const limitsWith = (limits: Partial<FetchLimits>): FetchLimits => Object.assign({}, defaultLimits, limits)

/** The current limits; the defaults unless others are provided. */
export const FetchLimits = Context.Reference<FetchLimits>("docgauge/evidence/FetchLimits", {
  defaultValue: () => defaultLimits
})
