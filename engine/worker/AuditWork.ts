import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { type AuditOutcome, type AuditRequest, runAudit } from "../audit/Audit.ts"
import type { AuditFailed } from "../audit/AuditError.ts"
import { runInfoOf } from "../audit/RunRecord.ts"
import { bytesOf, failureOf, resultOf } from "./AuditResult.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { BodyAdmission, bodyAdmission } from "../evidence/BodyAdmission.ts"
import type { ArchiveError, Recorded } from "../evidence/Archive.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { guardedHttp } from "../evidence/GuardedHttp.ts"
import { politely } from "../evidence/Politeness.ts"
import { MOST_ARCHIVE_BYTES } from "../evidence/ArchiveCuts.ts"
import { writeArchive } from "../evidence/Recording.ts"
import { type HopRequest, Transport } from "../evidence/Transport.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { Parsing } from "../site/Parsing.ts"
import { ARCHIVE_FILE, type AuditFailure, type AuditTask, type ChildMessage, LARGEST_RESULT, RESULT_FILE } from "./AuditTask.ts"
import { FREE_BYTES } from "./ProcessLimits.ts"

/** How an audit process talks to its parent. */
export interface Parent {
  readonly tell: (message: ChildMessage) => void
  /** Asks whether the audit may hold more than `FREE_BYTES`; resolves when it may. */
  readonly admitLarge: () => Promise<void>
}

/** Carries out one audit, writes what it leaves behind into the task's folder, and tells the parent how it ended. */
export const carryOut = Effect.fn("AuditWork.carryOut")(function*(
  task: AuditTask,
  rubric: LoadedRubric<BoundCriterion>,
  parent: Parent
): Effect.fn.Return<void, never, Parsing> {
  const startedAt = yield* Clock.currentTimeMillis
  const { date, folder, limits, network, sampleSize, url } = task
  const request: AuditRequest = {
    url,
    date,
    sampleSize,
    canonicalOrigin: null,
    rubric,
    listen: (event) => { if (event._tag === "Measured") parent.tell({ _tag: "Measured", done: event.done, total: event.total }) }
  }
  const transport = counted(parent).pipe(
    Layer.provide(politely()),
    Layer.provide(guardedHttp(network)),
    Layer.provide([Layer.succeed(FetchLimits, limits), Layer.succeed(BodyAdmission, bodyAdmission(FREE_BYTES, parent.admitLarge))])
  )
  const outcome = yield* runAudit(request).pipe(
    Effect.provide(transport),
    Effect.provideService(FetchLimits, limits),
    Effect.map((audited): AuditOutcome | AuditFailed => audited),
    Effect.catch((failed) => Effect.succeed(failed))
  )
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  yield* keepArchive(join(folder, ARCHIVE_FILE), request, task, outcome.journal)
  const failure = "report" in outcome ? yield* keepResult(join(folder, RESULT_FILE), outcome, durationMs) : failureOf(outcome)
  parent.tell({ _tag: "Ended", failure, durationMs, bytes: bytesOf(outcome.journal), residentBytes: process.memoryUsage.rss() })
})

const keepResult = Effect.fnUntraced(function*(path: string, outcome: AuditOutcome, durationMs: number): Effect.fn.Return<AuditFailure | null> {
  const encoded = JSON.stringify(yield* resultOf(outcome, durationMs))
  if (Buffer.byteLength(encoded) > LARGEST_RESULT) return TOO_LARGE
  yield* Effect.promise(() => writeFile(path, encoded))
  return null
})

const TOO_LARGE: AuditFailure = { error: { code: "internal", message: "The report of this site is larger than this service keeps." }, advice: null }

/** An archive that cannot be written must not cost the report. */
const keepArchive = (path: string, request: AuditRequest, { limits, network }: AuditTask, journal: ReadonlyArray<Recorded>): Effect.Effect<void> =>
  writeArchive(path, runInfoOf(request, limits, network.userAgents), journal, MOST_ARCHIVE_BYTES).pipe(
    Effect.catch(({ message }: ArchiveError) => Effect.sync(() => { process.stderr.write(`${message}\n`) }))
  )

/** The transport below, each attempt told to the parent. */
const counted = ({ tell }: Parent): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(Transport, Transport.use(({ send }) => Effect.succeed({
    send: (request: HopRequest) => Effect.tap(send(request), ({ meta }) => Effect.sync(() => tell({ _tag: "Requested", count: meta.attempts })))
  })))
