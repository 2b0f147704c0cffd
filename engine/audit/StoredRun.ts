import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"
import { type Archive, replay } from "../evidence/archive/Replay.ts"
import { AuditReport, CriterionResult } from "./Report.ts"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { originOf } from "../evidence/Address.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import { runAudit } from "./Audit.ts"
import { type AuditOutcome, runRecordOf } from "./AuditRequest.ts"
import { cutEvidence } from "./Measure.ts"

const { audit_date, base_url, rubric, total_score, verdict } = AuditReport.fields
const { applicable, id, max, measured, score, status, title } = CriterionResult.fields

const StoredResult = Schema.Struct({ id, title, status, score, max, measured, applicable })

/** What of a report is needed to judge its run again. */
export const StoredReport = Schema.Struct({
  base_url,
  audit_date,
  total_score,
  verdict,
  rubric,
  reliability: Schema.optionalKey(Schema.Struct({ reliable: Schema.Boolean })),
  criteria: Schema.Array(StoredResult),
  experimental: Schema.Array(StoredResult)
})
export type StoredReport = typeof StoredReport.Type

/** A run that was kept: its report, its archive, or both. */
export interface StoredRun {
  /** Its name for the user: the path of a file, or the id of a run. */
  readonly name: string
  readonly report: StoredReport | null
  /** Opens the archive under the usual limits; fails with one clause. `null` without an archive. */
  readonly archive: Effect.Effect<Archive, string> | null
  /** `true`: of a site that was made up for tests, so that its score stands for no real site. */
  readonly synthetic?: boolean
  /** `true`: a file of facts has it. What its statuses were when they were recorded matters less than its facts. */
  readonly facts?: boolean
}

/** A file or record that cannot be read as a run. */
export interface UnreadableRun {
  readonly name: string
  /** What is wrong, in one plain clause. */
  readonly unreadable: string
}

/**
 * Where runs come from, one by one, in a defined order: files, a store. However many there are, no more than one need be
 * held at a time.
 */
export type RunSource = AsyncIterable<StoredRun | UnreadableRun>

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
