import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import type { RunError } from "../store/runs/Run.ts"

/*
 * Metrics of a service's audits in this process. An audit that is handed back has not ended, so it counts in the process where it ends; the
 * requests it has sent count here.
 */

const audits = Metric.counter("docgauge_audits_total", {
  description: "Audits that ended, by result: done, or the error's code (unreachable if it has none).",
  incremental: true
})

const endedAs = (result: string) => Metric.withAttributes(audits, { result })

/** All results, so that each has a series from the start. */
const RESULTS = {
  done: endedAs("done"),
  unreachable: endedAs("unreachable"),
  audit_failed: endedAs("audit_failed"),
  internal: endedAs("internal")
}

const seconds = Metric.histogram("docgauge_audit_duration_seconds", {
  attributes: { unit: "seconds" },
  description: "Duration of audits, with or without a report.",
  boundaries: [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180]
})

const exchanges = Metric.counter("docgauge_audit_exchanges_total", {
  description: "Requests sent to audited sites.",
  incremental: true
})

const bytes = Metric.counter("docgauge_audit_bytes_total", {
  attributes: { unit: "bytes" },
  description: "Bytes received from audited sites: bodies as sent, heads, interim answers, chunk framing and TLS.",
  incremental: true
})

const running = Metric.gauge("docgauge_audits_running", { description: "Audits running in this process." })

const unable = Metric.gauge("docgauge_cannot_audit", {
  description: "1 while this process takes no audits because of its memory, processes or temporary folder, else 0."
})

/** Registers all series at zero, before anything has been counted. */
export const announceMetrics: Effect.Effect<void> = Effect.all(
  [
    ...Object.values(RESULTS).map((result) => Metric.update(result, 0)),
    Metric.update(exchanges, 0),
    Metric.update(bytes, 0),
    Metric.update(running, 0),
    Metric.update(unable, 0)
  ],
  { discard: true }
)

/** What an audit gathered and how long that took, whatever its result. */
export const countGathered = (gathered: { readonly durationMs: number; readonly bytes: number }): Effect.Effect<void> =>
  Effect.andThen(Metric.update(seconds, gathered.durationMs / 1_000), Metric.update(bytes, gathered.bytes))

/** Counts an audit with a report. */
export const countDone: Effect.Effect<void> = Metric.update(RESULTS.done, 1)

export const countFailed = ({ code }: RunError): Effect.Effect<void> =>
  Metric.update(code === "audit_failed" || code === "internal" ? RESULTS[code] : RESULTS.unreachable, 1)

/** Whether this process could audit when it last tried. */
export const noteAbility = (canAudit: boolean): Effect.Effect<void> => Metric.update(unable, canAudit ? 0 : 1)

/** Counts requests to an audited site, as they are sent. */
export const exchangeCounter = Effect.contextWith((service: Context.Context<never>) =>
  Effect.succeed((count: number): void => exchanges.updateUnsafe(count, service))
)

/** Counts an audit as running until it ends. */
export const countRunning = <A, E, R>(audit: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Metric.modify(running, 1),
    () => audit,
    () => Metric.modify(running, -1)
  )

/*
 * All processes put what they do for a run into one trace, whose id is the run's id without hyphens: a run can be followed, and its
 * trace found, without anything stored.
 */

/** The parent of a run's spans. No process sends it: it is the same wherever it is made. */
const rootOf = (id: string): Tracer.ExternalSpan => {
  const traceId = id.replaceAll("-", "")
  // The end of a UUIDv7 is random.
  return Tracer.externalSpan({ traceId, spanId: traceId.slice(-16) })
}

/** Records that a run was accepted, linked to the request that asked for it. */
export const traceAccepted = (id: string): Effect.Effect<void> =>
  Effect.flatMap(Effect.option(Effect.currentSpan), (request) =>
    Effect.withSpan(Effect.void, "run.accepted", {
      parent: rootOf(id),
      attributes: { run: id },
      links: request._tag === "Some" ? [{ span: request.value, attributes: {} }] : []
    })
  )

/** Records what a worker does for a run. */
export const traceRun =
  (id: string, domain: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.withSpan(work, "run.work", { parent: rootOf(id), kind: "consumer", attributes: { run: id, domain } })
