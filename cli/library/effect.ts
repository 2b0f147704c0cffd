/** `docgauge/effect`: what `docgauge` gives, as effects. It runs with the caller's own copy of Effect. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { requirePeer } from "../../engine/config/PeerPackage.ts"
import { audit as auditPromise, AuditError, type AuditOptions, renderReport as renderPromise } from "./Audit.ts"
import type { AuditReport, RenderFormat } from "./Report.ts"

export type { AuditOptions, AuditProgress } from "./Audit.ts"
export type {
  AuditReport,
  CriterionResult,
  CriterionStatus,
  EvidenceItem,
  Finding,
  Remedy,
  RenderFormat
} from "./Report.ts"

requirePeer({ user: "docgauge/effect", name: "effect", oldest: "4.1" }, import.meta.url)

/** Why there is no report: `reason` and message are those of `AuditError`. */
export class AuditFailed extends Data.TaggedError("AuditFailed")<{
  readonly reason: AuditError["code"]
  readonly message: string
}> {}

/** Audits a documentation site in this process. Interrupting the effect ends the audit. */
export const audit = (
  url: string | URL,
  options: Omit<AuditOptions, "signal"> = {}
): Effect.Effect<AuditReport, AuditFailed> => failing((signal) => auditPromise(url, { ...options, signal }))

/** Writes a report in another format. */
export const renderReport = (report: AuditReport, format: RenderFormat): Effect.Effect<string, AuditFailed> =>
  failing(() => renderPromise(report, format))

/** Anything but an `AuditError` is a fault of docgauge: a defect. */
const failing = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, AuditFailed> =>
  Effect.tryPromise({ try: run, catch: (error) => error }).pipe(
    Effect.catch((error) =>
      error instanceof AuditError
        ? Effect.fail(new AuditFailed({ reason: error.code, message: error.message }))
        : Effect.die(error)
    )
  )
