import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { GuardedHttpOptions } from "../evidence/http/GuardedHttp.ts"
import type { AuditProcessDied } from "../process/AuditProcess.ts"
import { AuditProcesses } from "../process/AuditProcesses.ts"
import { readResult } from "../process/AuditResult.ts"
import {
  ARCHIVE_FILE,
  type AuditStep,
  type AuditTask,
  BLOCKED_CODE,
  LARGEST_RESULT,
  RESULT_FILE
} from "../process/AuditTask.ts"
import type { RubricReference } from "../rubric/RubricFile.ts"
import { longestAudit } from "../process/ProcessLimits.ts"
import {
  KILLED,
  NOT_STARTED,
  removeAbandonedFolders,
  temporaryFilesError,
  workFolder
} from "../process/TemporaryFiles.ts"
import type { ArchiveContent } from "../store/archives/ArchiveStore.ts"
import type { Run, RunError, RunProgress } from "../store/runs/Run.ts"
import type { RunResult } from "../store/runs/RunStore.ts"

export interface Audited {
  readonly result: RunResult
  /** Its WARC; a file is deleted when the scope closes. */
  readonly archive: Effect.Effect<ArchiveContent>
}

/** An audit without a report: the reason, and the evidence for it. */
export class NotAudited extends Data.TaggedError("NotAudited")<{
  readonly error: RunError
  /** What the site's owner can do about it, in one sentence; `null` if nothing. */
  readonly advice: string | null
  readonly durationMs: number
  /** Bytes of response bodies; 0 if unknown. */
  readonly bytes: number
  /** Its WARC, as above; `null` without one. */
  readonly archive: Effect.Effect<ArchiveContent> | null
}> {}

/** This service process cannot audit at present, most likely whatever the site. It may have sent requests. */
export class CannotAudit extends Data.TaggedError("CannotAudit")<{
  /** Why, and what its operator can do. */
  readonly message: string
}> {}

/** Callbacks of a running audit. */
export interface AuditObserver {
  readonly measured: (progress: RunProgress) => void
  /** `count` more requests were sent to the site. */
  readonly requested: (count: number) => void
  /** What was requested last, the newest first. */
  readonly fetching?: (urls: ReadonlyArray<string>) => void
}

/** Where and until when an audit may send requests. */
interface AuditBounds {
  /** Nothing is sent while this has passed, by the monotonic clock in milliseconds; without end if missing. */
  readonly maySendUntil?: () => number
  /** Sites of the registrable domain that nothing is sent to, in the form of `siteFormOf`; none if missing. */
  readonly blockedSites?: ReadonlyArray<string>
}

/** How this service audits. */
export interface AuditorOptions extends GuardedHttpOptions {
  readonly rubric: RubricReference
  readonly sampleSize: number
}

/** Runs one audit under the rubric in force. */
export class Auditor extends Context.Service<
  Auditor,
  {
    readonly audit: (
      run: Run,
      observer: AuditObserver,
      bounds?: AuditBounds
    ) => Effect.Effect<Audited, NotAudited | CannotAudit, Scope.Scope>
  }
>()("docgauge/schedule/Auditor") {
  /** Over the guarded network, in audit processes. */
  static readonly layer = (options: AuditorOptions): Layer.Layer<Auditor, never, AuditProcesses> =>
    Layer.effect(
      Auditor,
      Effect.map(makeAudit(options), (audit) => ({
        audit: ({ asAgents, url }, observer, bounds) => audit({ url, asAgents }, observer, bounds)
      }))
    )
}

/** Audits one URL in an audit process; its files can be read while the scope is open. */
export const makeAudit = Effect.fnUntraced(function* ({ rubric, sampleSize, ...network }: AuditorOptions) {
  const processes = yield* AuditProcesses
  const limits = yield* FetchLimits
  yield* removeAbandonedFolders

  return Effect.fn("Auditor.audit")(function* (
    { asAgents, url }: Pick<Run, "url" | "asAgents">,
    observer: AuditObserver,
    { blockedSites = [], maySendUntil = withoutEnd }: AuditBounds = {}
  ): Effect.fn.Return<Audited, NotAudited | CannotAudit, Scope.Scope> {
    const startedAt = yield* Clock.currentTimeMillis
    const folder = yield* Effect.mapError(
      workFolder,
      ({ cause }) => new CannotAudit({ message: temporaryFilesError(cause, "No audit can begin").message })
    )
    const task: AuditTask = {
      kind: "audit",
      url,
      date: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(startedAt)),
      sampleSize,
      asAgents,
      blockedSites,
      // Whether http: may be audited was decided when the run was accepted.
      network: { ...network, allowHttp: network.allowHttp || url.startsWith("http:") },
      limits,
      rubric,
      folder
    }
    const { bytes, durationMs, failure } = yield* processes
      .audit(task, teller(observer), () => finiteOrNull(maySendUntil()))
      .pipe(
        Effect.catch((died) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.fail(failureOf(died, longestAudit(task), now - startedAt))
          )
        )
      )
    const archive = Effect.succeed({ path: join(folder, ARCHIVE_FILE) })
    if (failure?.error.code === BLOCKED_CODE)
      return yield* new NotAudited({ error: BLOCKED, advice: null, durationMs, bytes, archive: null })
    if (failure !== null) return yield* new NotAudited({ ...failure, durationMs, bytes, archive })
    return { result: yield* resultIn(join(folder, RESULT_FILE)), archive }
  })
})

const withoutEnd = (): number => Number.POSITIVE_INFINITY

/** JSON has no infinity. */
const finiteOrNull = (millis: number): number | null => (Number.isFinite(millis) ? millis : null)

const teller =
  ({ fetching, measured, requested }: AuditObserver) =>
  (step: AuditStep): void => {
    if (step._tag === "Measured") measured({ done: step.done, total: step.total, criteria: step.criteria })
    if (step._tag === "Fetching") fetching?.(step.urls)
    if (step._tag === "Requested") requested(step.count)
  }

/** The file that an audit process wrote. The process may have been compromised by a hostile site, so size and shape are checked. */
const resultIn = (path: string): Effect.Effect<RunResult> =>
  Effect.promise(async () => {
    const { size } = await stat(path)
    if (size > LARGEST_RESULT) throw new Error(`the result of an audit has ${size} bytes`)
    return readResult(await readFile(path, "utf8"))
  })

/** Why an audit has no end, safe to show. */
const failureOf = ({ reason }: AuditProcessDied, longestMs: number, durationMs: number): NotAudited | CannotAudit => {
  const notAudited = (error: RunError) => new NotAudited({ error, advice: null, durationMs, bytes: 0, archive: null })
  switch (reason) {
    case "timed_out":
      return notAudited({
        code: "audit_failed",
        message: `The audit was stopped because it took longer than ${Math.round(longestMs / 1_000)} seconds.`
      })
    case "out_of_memory":
      return notAudited({
        code: "audit_failed",
        message: "The audit was stopped because this site needs more memory than an audit may use."
      })
    case "crashed":
      return notAudited({ code: "internal", message: "The audit failed twice because of an error in this service." })
    case "killed":
      return new CannotAudit({ message: `The audit was stopped because ${KILLED}` })
    case "not_started":
      return new CannotAudit({ message: `No audit can begin because ${NOT_STARTED}` })
  }
}

/** A bug of this service. Only the log has the reason. */
export const INTERNAL: RunError = { code: "internal", message: "The audit failed because of an error in this service." }

export const BLOCKED: RunError = { code: "audit_failed", message: "An operator of this service has blocked this site." }

/** Every process that began the audit died during it. */
export const TOO_MANY_ATTEMPTS: RunError = {
  code: "internal",
  message: "The audit failed: three attempts did not complete."
}
