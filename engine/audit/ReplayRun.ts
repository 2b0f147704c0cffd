import * as Effect from "effect/Effect"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { originOf } from "../evidence/Address.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { type Archive, replay } from "../evidence/archive/Replay.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import { runAudit } from "./Audit.ts"
import type { AuditOutcome } from "./AuditRequest.ts"
import { cutEvidence } from "./Measure.ts"
import type { AuditReport } from "./Report.ts"
import { runRecordOf } from "./RunRecord.ts"

/** An audit done again from its archive. */
export interface ReplayedRun {
  readonly report: AuditReport
  /** How many URLs that the archive lacks a criterion now leans on, by criterion; those that lean on none are left out. */
  readonly lacking: ReadonlyMap<string, number>
  /** The criteria that lean on an answer of which the archive, to keep to its size limit, holds only the beginning; sorted. */
  readonly cut: ReadonlyArray<string>
}

/**
 * Audits again from an archive, with the plugins of this program, as the run was done then. Fails, with the reason in
 * one plain clause, where the archive is not one of docgauge's or there can be no report.
 */
export const replayRun = (
  archive: Archive,
  rubric: LoadedRubric<BoundCriterion>
): Effect.Effect<ReplayedRun, string, ParserPool> => {
  if (archive.run === null) return Effect.fail("its archive does not say what was audited, and how")
  const { limits, ...run } = runRecordOf(archive.run)
  return runAudit({ ...run, rubric }).pipe(
    Effect.provide(replay(archive)),
    Effect.provideService(FetchLimits, limits),
    Effect.mapBoth({
      onFailure: ({ message }) => `its archive gives no report: ${message.replace(/\.$/u, "")}`,
      onSuccess: (outcome) => ({
        report: outcome.report,
        lacking: lackingIn(outcome, originOf(run.url)),
        cut: [...cutEvidence(outcome.journal).keys()].sort()
      })
    })
  )
}

/** Older audits read no robots.txt of further hosts, which only says what must not be asked there: no criterion leans on it. */
const lackingIn = ({ journal }: AuditOutcome, audited: string): ReadonlyMap<string, number> => {
  const lacking = new Map<string, number>()
  for (const { askedBy, hop, request } of journal) {
    if (hop._tag !== "HopFault" || hop.kind !== "not_recorded") continue
    const { origin, pathname } = new URL(request.asked.url)
    if (pathname === "/robots.txt" && origin !== audited) continue
    for (const criterion of askedBy) lacking.set(criterion, (lacking.get(criterion) ?? 0) + 1)
  }
  return lacking
}
