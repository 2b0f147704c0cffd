import * as Schema from "effect/Schema"
import type { FetchLimits } from "../evidence/FetchLimits.ts"
import type { GuardedHttpOptions } from "../evidence/http/GuardedHttp.ts"
import type { RunError } from "../store/runs/Run.ts"

/** The rubric of an audit, in a form that another process can load. */
export interface RubricReference {
  /** Its path: external plugins are resolved relative to it. */
  readonly file: string
  /** The loaded bytes in base64, so that a later edit of the file has no effect; `null`: the package's own rubric. */
  readonly content: string | null
  /** The expected digest of the rubric. */
  readonly digest: string
  /** Whether it may name external plugins. */
  readonly allowPlugins: boolean
}

/** One audit for an audit process. Plain data, sent as JSON. */
export interface AuditTask {
  readonly url: string
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  readonly network: GuardedHttpOptions
  readonly limits: FetchLimits
  readonly rubric: RubricReference
  /** An empty folder for this audit: the process writes `RESULT_FILE` and `ARCHIVE_FILE` there. */
  readonly folder: string
}

/** The result, a `RunResult` as JSON. Missing if the audit has no report. */
export const RESULT_FILE = "result.json"

/** A gzipped WARC with every exchange. */
export const ARCHIVE_FILE = "archive.warc.gz"

/** Maximum size of a result, in bytes. Reports of real sites have 100 to 400 kB. */
export const LARGEST_RESULT = 16 * 1024 * 1024

/** Messages from the parent to an audit process. */
export type ParentMessage =
  | { readonly _tag: "Audit"; readonly task: AuditTask }
  /** The audit may hold as many bytes as its limits allow. */
  | { readonly _tag: "LargeGranted" }

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))

const Sentence = Schema.String.check(Schema.isMaxLength(1_000))

/** `residentBytes`: resident memory of the process. */
const Begun = Schema.TaggedStruct("Begun", { residentBytes: Count })
const Requested = Schema.TaggedStruct("Requested", { count: Count })
const Measured = Schema.TaggedStruct("Measured", { done: Count, total: Count })
const LargeWanted = Schema.TaggedStruct("LargeWanted", {})

/** The end of an audit: larger data is in files. */
const Ended = Schema.TaggedStruct("Ended", {
  /** `null` if there is a report in `RESULT_FILE`. */
  failure: Schema.NullOr(Schema.Struct({
    error: Schema.Struct({ code: Schema.NullOr(Schema.String), message: Sentence }),
    advice: Schema.NullOr(Sentence)
  })),
  durationMs: Count,
  /** Bytes of response bodies. */
  bytes: Count,
  /** Resident memory of the process at the end. */
  residentBytes: Count
})

/** Messages from an audit process to its parent. */
export const ChildMessage = Schema.Union([Begun, Requested, Measured, LargeWanted, Ended])
export type ChildMessage = typeof ChildMessage.Type

/** The progress of an audit. */
export type AuditStep = typeof Begun.Type | typeof Requested.Type | typeof Measured.Type

/** Why an audit has no report. */
export interface AuditFailure {
  readonly error: RunError
  /** What the site's owner can do about it, in one sentence; `null` if nothing. */
  readonly advice: string | null
}

/** The result of an audit's process. */
export interface AuditEnd {
  /** `null` if there is a report. */
  readonly failure: AuditFailure | null
  readonly durationMs: number
  readonly bytes: number
}
