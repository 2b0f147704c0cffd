import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { RunError } from "../store/Run.ts"

/*
 * What this process counts of its audits. An audit that is handed back has not ended, and counts where it ends; what it
 * asked of its site was asked, and counts here.
 */

const audits = Metric.counter("docgauge_audits_total", {
  description: "Audits that ended, by result: done, or the code of the error (unreachable where it has none).",
  incremental: true
})

const endedAs = (result: string) => Metric.withAttributes(audits, { result })

/** Every result there is, so that each is told from the start. */
const RESULTS = { done: endedAs("done"), unreachable: endedAs("unreachable"), audit_failed: endedAs("audit_failed"), internal: endedAs("internal") }

const seconds = Metric.histogram("docgauge_audit_duration_seconds", {
  description: "How long audits took, report or not.",
  boundaries: [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180]
})

const exchanges = Metric.counter("docgauge_audit_exchanges_total", { description: "Requests sent to audited sites.", incremental: true })

const bytes = Metric.counter("docgauge_audit_bytes_total", { description: "Bytes of body received from audited sites.", incremental: true })

/** Audits that this process has under way. */
const running = Metric.gauge("docgauge_audits_running", { description: "Audits under way in this process." })

/** Shows all series at nought, before anything has been counted. */
export const announceMetrics: Effect.Effect<void> = Effect.all(
  [...Object.values(RESULTS).map((result) => Metric.update(result, 0)), Metric.update(exchanges, 0), Metric.update(bytes, 0), Metric.update(running, 0)],
  { discard: true }
)

/** What was gathered of a site, and for how long, whatever came of it. */
export const countGathered = (gathered: { readonly durationMs: number; readonly bytes: number }): Effect.Effect<void> =>
  Effect.andThen(Metric.update(seconds, gathered.durationMs / 1_000), Metric.update(bytes, gathered.bytes))

/** Counts an audit that came to a report. */
export const countDone: Effect.Effect<void> = Metric.update(RESULTS.done, 1)

/** Counts an audit that came to none. */
export const countFailed = ({ code }: RunError): Effect.Effect<void> =>
  Metric.update(code === "audit_failed" || code === "internal" ? RESULTS[code] : RESULTS.unreachable, 1)

/** Counts requests to an audited site, as they are sent. */
export const countExchanges = (count: number): void => exchanges.updateUnsafe(count, CONTEXT)

const CONTEXT = Context.empty()

/** Counts an audit as under way for as long as it is. */
export const countRunning = <A, E, R>(audit: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(Metric.modify(running, 1), () => audit, () => Metric.modify(running, -1))
