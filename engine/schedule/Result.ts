import * as Effect from "effect/Effect"
import type { AuditOutcome } from "../audit/Audit.ts"
import type { AuditFailed } from "../audit/AuditError.ts"
import { encodeReport } from "../audit/Report.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import { sha256 } from "../evidence/Sha256.ts"
import type { ExchangeDigest, RunError, RunResult } from "../store/Run.ts"

/** An audit's outcome as the store keeps it. */
export const resultOf = ({ journal, report }: AuditOutcome, durationMs: number): Effect.Effect<RunResult> =>
  Effect.map(Effect.promise(() => digestsOf(journal)), (exchanges) => ({
    encoded: encodeReport(report),
    totalScore: report.total_score,
    facts: [...report.criteria, ...report.experimental].map(({ id, measured }) => ({ criterion: id, ...measured })),
    exchanges,
    durationMs,
    requests: sum(journal, ({ hop }) => hop.meta.attempts),
    bytes: bytesOf(journal)
  }))

/** Bytes of body that a site sent, as they came. */
export const bytesOf = (journal: ReadonlyArray<JournalEntry>): number => sum(journal, ({ hop }) => (hop._tag === "HopAnswer" ? hop.wireBytes : 0))

const digestsOf = async (journal: ReadonlyArray<JournalEntry>): Promise<ReadonlyArray<ExchangeDigest>> => {
  const digests: Array<ExchangeDigest> = []
  for (const { hop, request: { asked: { method, url } } } of journal) {
    digests.push(
      hop._tag === "HopFault"
        ? { method, url, status: null, sha256: null, size: 0 }
        : { method, url, status: hop.status, sha256: await sha256(hop.body), size: hop.body.length }
    )
  }
  return digests
}

const sum = (journal: ReadonlyArray<JournalEntry>, of: (entry: JournalEntry) => number): number =>
  journal.reduce((total, entry) => total + of(entry), 0)

/** The longest reason that is kept. */
const LONGEST_REASON = 500

/** Why there is no report, safe to show: `audit_failed` where the site answered, no code where nothing did. */
export const errorOf = ({ message, reason }: AuditFailed): RunError => ({
  code: reason === "unreachable" ? null : "audit_failed",
  message: message.replaceAll(/\p{C}+/gu, " ").slice(0, LONGEST_REASON)
})

/** The audit broke off for a reason of our own, which only the log has. */
export const BROKE_OFF: RunError = { code: "internal", message: "The audit broke off because of an error of this service." }

/** Nothing was sent to the site, or nothing any more. */
export const BLOCKED: RunError = { code: "audit_failed", message: "An operator of this service has blocked this site." }

/** Every process that began the audit died over it. */
export const WORN_OUT: RunError = { code: "internal", message: "The audit was begun three times, and broken off each time." }
