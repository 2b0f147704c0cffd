import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

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
