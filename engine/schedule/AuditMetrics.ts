import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { RunError, RunResult } from "../store/Run.ts"

const audits = Metric.counter("docgauge_audits_total", {
  description: "Audits that are over, by result: done, or the code of the error (unreachable where it has none)",
  incremental: true
})

const seconds = Metric.histogram("docgauge_audit_duration_seconds", {
  description: "How long audits took that came to a report",
  boundaries: [1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 180]
})

const exchanges = Metric.counter("docgauge_exchanges_total", { description: "Requests sent to audited sites", incremental: true })

const bytes = Metric.counter("docgauge_received_bytes_total", { description: "Bytes of body that audited sites sent", incremental: true })

/** Counts an audit that came to a report. */
export const countDone = (result: RunResult): Effect.Effect<void> =>
  Effect.all([
    Metric.update(Metric.withAttributes(audits, { result: "done" }), 1),
    Metric.update(seconds, result.durationMs / 1_000),
    Metric.update(bytes, result.bytes)
  ], { discard: true })

/** Counts an audit that came to none. */
export const countFailed = ({ code }: RunError): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(audits, { result: code ?? "unreachable" }), 1)

/** Counts requests to audited sites, whatever came of their audit. */
export const countExchanges = (count: number): Effect.Effect<void> => Metric.update(exchanges, count)
