import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../audit/Audit.ts"
import type { AuditFailed } from "../audit/AuditError.ts"
import type { AuditOutcome, AuditRequest } from "../audit/AuditRequest.ts"
import { Transport } from "../evidence/Transport.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import { type PublishedSite, publishedSite } from "./site/PublishedSite.ts"

/** A report, its evidence, and what was read in it. */
export interface AuditAndSite extends AuditOutcome {
  readonly site: PublishedSite
}

/** Audits a site, and keeps what was read in it. */
export const auditAndRead = Effect.fnUntraced(function* (
  audit: Omit<AuditRequest, "inspect">,
  send: Transport["Service"]["send"]
): Effect.fn.Return<AuditAndSite, AuditFailed, ParserPool> {
  const read: Array<PublishedSite> = []
  const inspect: AuditRequest["inspect"] = (site) => Effect.map(publishedSite(site), (one) => void read.push(one))
  const outcome = yield* Effect.provide(runAudit({ ...audit, inspect }), Layer.succeed(Transport, { send }))
  const [site] = read
  return site === undefined ? yield* Effect.die("an audit with a report has read the site") : { ...outcome, site }
})
