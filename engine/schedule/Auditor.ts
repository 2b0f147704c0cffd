import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AuditRequest, runAudit } from "../audit/Audit.ts"
import type { AuditFailed } from "../audit/AuditError.ts"
import { runInfoOf } from "../audit/RunRecord.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { guardedHttp, type GuardedHttpOptions } from "../evidence/GuardedHttp.ts"
import type { Recorded } from "../evidence/Archive.ts"
import { politely } from "../evidence/Politeness.ts"
import { archiveBytes } from "../evidence/Recording.ts"
import { type HopRequest, Transport } from "../evidence/Transport.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { Parsing } from "../site/Parsing.ts"
import type { Run, RunProgress, RunResult } from "../store/Run.ts"
import { bytesOf, resultOf } from "./Result.ts"

/** What an audit leaves behind. */
export interface Audited {
  readonly result: RunResult
  /** Its WARC, made when it is asked for. */
  readonly archive: Effect.Effect<Uint8Array>
}

/** An audit that came to no report: why, and the evidence for that. */
export class NotAudited extends Data.TaggedError("NotAudited")<{
  readonly failure: AuditFailed
  readonly durationMs: number
  /** Bytes of body that the site sent. */
  readonly bytes: number
  /** Its WARC, made when it is asked for. */
  readonly archive: Effect.Effect<Uint8Array>
}> {}

/** Told while an audit runs. */
export interface AuditObserver {
  readonly measured: (progress: RunProgress) => void
  /** So many requests more were sent to the site. */
  readonly requested: (count: number) => void
}

/** How this service audits. */
export interface AuditorOptions extends GuardedHttpOptions {
  readonly rubric: LoadedRubric<BoundCriterion>
  readonly sampleSize: number
}

/** Carries out one audit, start to end, under the rubric in force now. */
export class Auditor extends Context.Service<Auditor, {
  readonly audit: (run: Run, observer: AuditObserver) => Effect.Effect<Audited, NotAudited>
}>()("docgauge/schedule/Auditor") {
  /** Over the guarded network, with connections of its own for each audit; the parsing workers are shared. */
  static readonly layer = (options: AuditorOptions): Layer.Layer<Auditor, never, Parsing> =>
    Layer.effect(Auditor, Effect.gen(function*() {
      const parsing = yield* Parsing
      const limits = yield* FetchLimits
      const { rubric, sampleSize, userAgents } = options

      const audit = Effect.fn("Auditor.audit")(function*({ url }: Run, observer: AuditObserver): Effect.fn.Return<Audited, NotAudited> {
        const startedAt = yield* Clock.currentTimeMillis
        const request: AuditRequest = {
          url,
          date: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(startedAt)),
          sampleSize,
          canonicalOrigin: null,
          rubric,
          listen: (event) => { if (event._tag === "Measured") observer.measured({ done: event.done, total: event.total }) }
        }
        // Whether http: may be audited was decided when the run was accepted.
        const network = guardedHttp({ ...options, allowHttp: options.allowHttp || url.startsWith("http:") })
        const transport = counted(observer).pipe(
          Layer.provide(politely()),
          Layer.provide(network),
          Layer.provide(Layer.succeed(FetchLimits, limits))
        )
        const tookMs = Effect.map(Clock.currentTimeMillis, (now) => now - startedAt)
        const archiveOf = (journal: ReadonlyArray<Recorded>) => archiveBytes(runInfoOf(request, limits, userAgents), journal)
        const outcome = yield* runAudit(request).pipe(
          Effect.provide(transport),
          Effect.provideService(Parsing, parsing),
          Effect.provideService(FetchLimits, limits),
          Effect.catch((failure) => Effect.flatMap(tookMs, (durationMs) =>
            Effect.fail(new NotAudited({ failure, durationMs, bytes: bytesOf(failure.journal), archive: archiveOf(failure.journal) }))))
        )
        return { result: yield* resultOf(outcome, yield* tookMs), archive: archiveOf(outcome.journal) }
      })
      return { audit }
    }))
}

/** The transport below, each attempt counted. */
const counted = ({ requested }: AuditObserver): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(Transport, Transport.use(({ send }) => Effect.succeed({
    send: (request: HopRequest) => Effect.tap(send(request), ({ meta }) => Effect.sync(() => requested(meta.attempts)))
  })))
