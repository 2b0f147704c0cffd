import * as Schema from "effect/Schema"
import type { FetchLimits } from "../evidence/FetchLimits.ts"
import type { GuardedHttpOptions } from "../evidence/GuardedHttp.ts"
import type { RunError } from "../store/Run.ts"

/** The rubric that an audit is judged by, as another process can load it. */
export interface RubricReference {
  /** Its path: plugins from outside are resolved beside it. */
  readonly file: string
  /** The bytes that were loaded, in base64, so that a later edit of the file changes nothing; `null`: the package's own rubric. */
  readonly content: string | null
  /** What the loaded rubric's digest has to be. */
  readonly digest: string
  /** Whether it may name plugins from outside. */
  readonly allowPlugins: boolean
}

/** One audit, as an audit process is told to carry it out. Plain data: it crosses over as JSON. */
export interface AuditTask {
  readonly url: string
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  readonly network: GuardedHttpOptions
  readonly limits: FetchLimits
  readonly rubric: RubricReference
  /** An empty folder of this audit alone: the process writes `RESULT_FILE` and `ARCHIVE_FILE` there. */
  readonly folder: string
}

/** The finished result, as JSON of a `RunResult`. Not there where the audit came to no report. */
export const RESULT_FILE = "result.json"

/** The WARC of everything that was fetched, gzipped. */
export const ARCHIVE_FILE = "archive.warc.gz"

/** The largest result that is read back, in bytes. Reports of real sites have 100 to 400 kB. */
export const LARGEST_RESULT = 16 * 1024 * 1024

/** What the parent says to an audit process. */
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

/** How an audit ended: everything larger is in files. */
const Ended = Schema.TaggedStruct("Ended", {
  /** `null`: there is a report, in `RESULT_FILE`. */
  failure: Schema.NullOr(Schema.Struct({
    error: Schema.Struct({ code: Schema.NullOr(Schema.String), message: Sentence }),
    advice: Schema.NullOr(Sentence)
  })),
  durationMs: Count,
  /** Bytes of body that the site sent. */
  bytes: Count,
  /** Resident memory of the process at the end. */
  residentBytes: Count
})

/** What an audit process says. */
export const ChildMessage = Schema.Union([Begun, Requested, Measured, LargeWanted, Ended])
export type ChildMessage = typeof ChildMessage.Type

/** How far an audit is. */
export type AuditStep = typeof Begun.Type | typeof Requested.Type | typeof Measured.Type

/** Why an audit came to no report. */
export interface AuditFailure {
  readonly error: RunError
  /** What the owner of the site can do about it, in one plain sentence; `null` where that is nothing. */
  readonly advice: string | null
}

/** How an audit ended in its process. */
export interface AuditEnd {
  /** `null`: there is a report. */
  readonly failure: AuditFailure | null
  readonly durationMs: number
  readonly bytes: number
}
