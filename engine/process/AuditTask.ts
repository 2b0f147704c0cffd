import * as Schema from "effect/Schema"
import type { FetchLimits } from "../evidence/FetchLimits.ts"
import type { GuardedHttpOptions } from "../evidence/http/GuardedHttp.ts"
import type { RubricReference } from "../rubric/RubricFile.ts"

/** One audit for an audit process. Plain data, sent as JSON. */
export interface AuditTask {
  readonly kind: "audit"
  readonly url: string
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  /** Whether a few URLs are also asked for as each of `NAMED_AGENTS`. */
  readonly asAgents: boolean
  /** Sites of its registrable domain that nothing is sent to, in the form of `siteFormOf`. */
  readonly blockedSites: ReadonlyArray<string>
  readonly network: GuardedHttpOptions
  readonly limits: FetchLimits
  readonly rubric: RubricReference
  /** An empty folder for this audit: the process writes `RESULT_FILE` and `ARCHIVE_FILE` there. */
  readonly folder: string
}

/** The files that would raise the score of an audited site, to be made from the archive of its audit. Plain data, sent as JSON. */
export interface FixTask {
  readonly kind: "fix"
  /** The score of the audit's report; `null`: not known. */
  readonly reportScore: number | null
  /** Whether making the last fixes of its domain was slow, so that these have half of the time. */
  readonly isSlow: boolean
  readonly rubric: RubricReference
  /** A folder with the archive as `ARCHIVE_FILE`: the process writes `PLAN_FILE`, `PLAN_JSON_FILE` and `ZIP_FILE` there. */
  readonly folder: string
}

/** Messages to be posted to receivers of webhooks, all at once. Plain data, sent as JSON. */
export interface PostTask {
  readonly kind: "post"
  /** At most `MOST_POSTS`. */
  readonly posts: ReadonlyArray<Post>
  readonly network: GuardedHttpOptions
}

export interface Post {
  readonly url: string
  /** Besides the usual ones, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

export const MOST_POSTS = 10

export type ProcessTask = AuditTask | FixTask | PostTask

/** The result, a `RunResult` as JSON. Missing if the audit has no report. */
export const RESULT_FILE = "result.json"

/** A gzipped WARC with every exchange. */
export const ARCHIVE_FILE = "archive.warc.gz"

/** Maximum size of a result, in bytes. Reports of real sites have 100 to 400 kB. */
export const LARGEST_RESULT = 16 * 1024 * 1024

/** A `PlanSummary` as JSON. */
export const PLAN_FILE = "plan.json"

/** The plan as `docgauge fix --format json` prints it. */
export const PLAN_JSON_FILE = "fix.json"

export const ZIP_FILE = "fixes.zip"

/** Maximum size of each of the three, in bytes. Plans of real sites have up to 60 kB, with both reports up to 1 MB; zips up to 1 MB. */
export const LARGEST_PLAN = 1024 * 1024
export const LARGEST_PLAN_JSON = 8 * 1024 * 1024
export const LARGEST_ZIP = 8 * 1024 * 1024

/** How many URLs an audit under way is shown with, and how much of each. */
export const SHOWN_URLS = 5
export const LONGEST_SHOWN_URL = 200

/** See `SendPermit`: milliseconds of the monotonic clock; `null`: without end. */
export type MaySendUntil = number | null

export type ParentMessage =
  | { readonly _tag: "Task"; readonly task: ProcessTask; readonly maySendUntil: MaySendUntil }
  | { readonly _tag: "Permitted"; readonly maySendUntil: MaySendUntil }
  /** The audit may hold as many bytes as its limits allow. */
  | { readonly _tag: "LargeGranted" }

/** The code of an audit whose URL leads to one of its task's `blockedSites`; never shown. */
export const BLOCKED_CODE = "blocked"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))

const Sentence = Schema.String.check(Schema.isMaxLength(1_000))

/** `residentBytes`: resident memory of the process. */
const Begun = Schema.TaggedStruct("Begun", { residentBytes: Count })
const Requested = Schema.TaggedStruct("Requested", { count: Count })
const Ids = Schema.Array(Schema.String.check(Schema.isMaxLength(40))).check(Schema.isMaxLength(1_000))
/** `criteria`: the ids of all that were measured. */
const Measured = Schema.TaggedStruct("Measured", { done: Count, total: Count, criteria: Ids })
/** What was requested last, the newest first. */
const Fetching = Schema.TaggedStruct("Fetching", {
  urls: Schema.Array(Schema.String.check(Schema.isMaxLength(LONGEST_SHOWN_URL))).check(Schema.isMaxLength(SHOWN_URLS))
})
const LargeWanted = Schema.TaggedStruct("LargeWanted", {})

const PostAnswer = Schema.Struct({
  /** `null` without a response. */
  status: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 999 }))),
  /** Why there is no response, as a clause; `null` if there is one. */
  problem: Schema.NullOr(Sentence),
  /** What `Retry-After` asks for, in milliseconds; `null` without one. */
  retryAfterMs: Schema.NullOr(Count)
})
/** What came of the posts of a task, in their order. */
const Posted = Schema.TaggedStruct("Posted", {
  answers: Schema.Array(PostAnswer).check(Schema.isMaxLength(MOST_POSTS))
})
export type PostAnswer = typeof PostAnswer.Type

/** The end of an audit: larger data is in files. */
const Ended = Schema.TaggedStruct("Ended", {
  /** `null` if there is a report in `RESULT_FILE`. */
  failure: Schema.NullOr(
    Schema.Struct({
      error: Schema.Struct({ code: Schema.NullOr(Schema.String), message: Sentence }),
      /** What the site's owner can do about it, in one sentence; `null` if nothing. */
      advice: Schema.NullOr(Sentence)
    })
  ),
  durationMs: Count,
  /** Bytes of response bodies. */
  bytes: Count,
  /** Resident memory of the process at the end. */
  residentBytes: Count
})

/** Messages from an audit process to its parent. */
export const ChildMessage = Schema.Union([Begun, Requested, Measured, Fetching, LargeWanted, Posted, Ended])
export type ChildMessage = typeof ChildMessage.Type

/** The progress of an audit, or what a task of posts came to. */
export type AuditStep =
  | typeof Begun.Type
  | typeof Requested.Type
  | typeof Measured.Type
  | typeof Fetching.Type
  | typeof Posted.Type

/** The result of an audit's process. */
export type AuditEnd = Omit<typeof Ended.Type, "_tag" | "residentBytes">

/** Why an audit has no report. */
export type AuditFailure = NonNullable<AuditEnd["failure"]>
