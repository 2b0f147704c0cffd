import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { GuardedHttpOptions } from "../evidence/GuardedHttp.ts"
import type { ArchiveContent } from "../store/ArchiveStore.ts"
import type { Run, RunError, RunProgress, RunResult } from "../store/Run.ts"
import type { AuditProcessDied } from "../worker/AuditProcess.ts"
import { AuditProcesses } from "../worker/AuditProcesses.ts"
import { readResult } from "../worker/AuditResult.ts"
import { ARCHIVE_FILE, type AuditStep, LARGEST_RESULT, RESULT_FILE, type RubricReference } from "../worker/AuditTask.ts"
import { longestAudit } from "../worker/ProcessLimits.ts"

/** What an audit leaves behind. */
export interface Audited {
  readonly result: RunResult
  /** Its WARC: where it is a file, that is there until the scope ends. */
  readonly archive: Effect.Effect<ArchiveContent>
}

/** An audit that came to no report: why, and the evidence for that. */
export class NotAudited extends Data.TaggedError("NotAudited")<{
  readonly error: RunError
  /** What the owner of the site can do about it, in one plain sentence; `null` where that is nothing. */
  readonly advice: string | null
  readonly durationMs: number
  /** Bytes of body that the site sent; 0 where that is not known. */
  readonly bytes: number
  /** Its WARC, as above; `null` where there is none. */
  readonly archive: Effect.Effect<ArchiveContent> | null
}> {}

/** Told while an audit runs. */
export interface AuditObserver {
  readonly measured: (progress: RunProgress) => void
  /** So many requests more were sent to the site. */
  readonly requested: (count: number) => void
}

/** How this service audits. */
export interface AuditorOptions extends GuardedHttpOptions {
  readonly rubric: RubricReference
  readonly sampleSize: number
}

/** Carries out one audit, start to end, under the rubric in force now. */
export class Auditor extends Context.Service<Auditor, {
  readonly audit: (run: Run, observer: AuditObserver) => Effect.Effect<Audited, NotAudited, Scope.Scope>
}>()("docgauge/schedule/Auditor") {
  /** Over the guarded network, in audit processes. */
  static readonly layer = (options: AuditorOptions): Layer.Layer<Auditor, never, AuditProcesses> =>
    Layer.effect(Auditor, Effect.map(makeAudit(options), (audit) => ({ audit: ({ url }, observer) => audit(url, observer) })))
}

/** Audits one address in an audit process; what it leaves behind can be read while the scope is open. */
export const makeAudit = Effect.fnUntraced(function*({ rubric, sampleSize, ...network }: AuditorOptions) {
  const processes = yield* AuditProcesses
  const limits = yield* FetchLimits

  return Effect.fn("Auditor.audit")(function*(url: string, observer: AuditObserver): Effect.fn.Return<Audited, NotAudited, Scope.Scope> {
    const startedAt = yield* Clock.currentTimeMillis
    const folder = yield* temporaryFolder
    const task = {
      url,
      date: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(startedAt)),
      sampleSize,
      // Whether http: may be audited was decided when the run was accepted.
      network: { ...network, allowHttp: network.allowHttp || url.startsWith("http:") },
      limits,
      rubric,
      folder
    }
    const { bytes, durationMs, failure } = yield* processes.audit(task, teller(observer)).pipe(
      Effect.catch((died) => Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.fail(new NotAudited({ error: errorOfDeath(died, limits.gatherMs), advice: null, durationMs: now - startedAt, bytes: 0, archive: null }))))
    )
    const archive = Effect.succeed({ path: join(folder, ARCHIVE_FILE) })
    if (failure !== null) return yield* new NotAudited({ ...failure, durationMs, bytes, archive })
    return { result: yield* resultIn(join(folder, RESULT_FILE)), archive }
  })
})

/** A folder of one audit, gone with its scope. */
const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "docgauge-audit-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const teller = ({ measured, requested }: AuditObserver) => (step: AuditStep): void => {
  if (step._tag === "Measured") measured({ done: step.done, total: step.total })
  if (step._tag === "Requested") requested(step.count)
}

/** What an audit process wrote. It is ours, and yet it read a hostile site: its size and its shape are checked. */
const resultIn = (path: string): Effect.Effect<RunResult> =>
  Effect.promise(async () => {
    const { size } = await stat(path)
    if (size > LARGEST_RESULT) throw new Error(`the result of an audit has ${size} bytes`)
    return readResult(await readFile(path, "utf8"))
  })

/** Why an audit was ended, safe to show. */
const errorOfDeath = ({ reason }: AuditProcessDied, gatherMs: number): RunError => {
  switch (reason) {
    case "timed_out":
      return { code: "audit_failed", message: `The audit was stopped: it was not done after ${Math.round(longestAudit(gatherMs) / 1_000)} seconds.` }
    case "out_of_memory":
      return { code: "audit_failed", message: "The audit was stopped: reading this site takes more memory than an audit may use." }
    case "crashed":
      return { code: "internal", message: "The audit was stopped twice by an error of this service." }
  }
}
