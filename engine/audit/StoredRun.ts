import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Archive } from "../evidence/archive/Replay.ts"
import { AuditReport, CriterionResult } from "./Report.ts"

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
