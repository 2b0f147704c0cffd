import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { AuditFailed } from "../../engine/audit/AuditError.ts"
import { type Audited, Auditor, type AuditObserver } from "../../engine/schedule/Auditor.ts"
import type { Run } from "../../engine/store/Run.ts"
import { auditBytes, auditDuration, auditExchanges, auditsEnded } from "./Metrics.ts"

const ended = (result: string) => Metric.withAttributes(auditsEnded, { result })
const RESULTS = { done: ended("done"), failed: ended("failed"), broken: ended("broken") }

/** Counts audits, how long they take, and what they send and receive. */
export const meteredAuditor: Layer.Layer<Auditor, never, Auditor> = Layer.effect(
  Auditor,
  Effect.map(Auditor, ({ audit }) => ({
    audit: Effect.fnUntraced(function*(run: Run, observer: AuditObserver): Effect.fn.Return<Audited, AuditFailed> {
      const startedAt = yield* Clock.currentTimeMillis
      const context = yield* Effect.context()
      const counting: AuditObserver = {
        measured: observer.measured,
        requested: (count) => {
          auditExchanges.updateUnsafe(count, context)
          observer.requested(count)
        }
      }
      return yield* Effect.onExit(audit(run, counting), (exit) => note(exit, startedAt))
    })
  }))
)

/** An audit that was interrupted goes on elsewhere: it has not ended. */
const note = Effect.fnUntraced(function*(exit: Exit.Exit<Audited, AuditFailed>, startedAt: number) {
  if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return
  yield* Metric.update(auditDuration, ((yield* Clock.currentTimeMillis) - startedAt) / 1_000)
  if (Exit.isSuccess(exit)) yield* Metric.update(auditBytes, exit.value.result.bytes)
  yield* Metric.update(RESULTS[Exit.isSuccess(exit) ? "done" : Cause.hasDies(exit.cause) ? "broken" : "failed"], 1)
})
