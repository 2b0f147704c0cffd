import * as Effect from "effect/Effect"
import type { BoundCriterion } from "../criterion/Registry.ts"
import type { JournalEntry, JournalListener } from "../evidence/Journal.ts"
import type { Transport } from "../evidence/Transport.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { Parsing } from "../site/Parsing.ts"
import { forbidsAudit } from "../site/Robots.ts"
import type { AuditFailed } from "./AuditError.ts"
import { auditPreparing } from "./PreparedAudit.ts"
import type { AuditReport } from "./Report.ts"
import { auditSite } from "./SiteAudit.ts"

/** What an audit is asked to do; the same request on the same evidence gives the same report. */
export interface AuditRequest {
  /** As `parseTarget` gives it, and as the report repeats it. */
  readonly url: string
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  /** The production origin to be read as the audited one; `null`: none. */
  readonly canonicalOrigin: string | null
  readonly rubric: LoadedRubric<BoundCriterion>
  readonly listen?: (event: AuditEvent) => void
}

/** Told while an audit runs; for progress only. */
export type AuditEvent =
  | Parameters<JournalListener>[0]
  | { readonly _tag: "Measured"; readonly criterion: string; readonly done: number; readonly total: number }

/** A report, and the evidence that it stands on. */
export interface AuditOutcome {
  readonly report: AuditReport
  /** Every request, in a defined order. */
  readonly journal: ReadonlyArray<KeptExchange>
}

/** A request of an audit, and the ids of the criteria that lean on it, sorted; none where only the audit itself does. */
export interface KeptExchange extends JournalEntry {
  readonly askedBy: ReadonlyArray<string>
}

/**
 * Audits a site: reads robots.txt, goes to the base, lets all plugins measure at once, judges by the rubric. Fails only
 * where there can be no report.
 */
export const runAudit = ({ rubric, ...request }: AuditRequest): Effect.Effect<AuditOutcome, AuditFailed, Transport | Parsing> =>
  auditPreparing(request, {
    forbidsAudit: Effect.succeed(forbidsAudit),
    auditSite: Effect.succeed(auditSite),
    rubric: Effect.succeed(rubric)
  })
