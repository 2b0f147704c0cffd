import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import process from "node:process"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"
import type { Auditor } from "../../engine/schedule/Auditor.ts"
import { HEARTBEAT_MS, LEASE_MS, PAUSE_MS, SETTLED_MS } from "../../engine/schedule/Scheduler.ts"
import { postgresAt } from "../../engine/store/postgres/PostgresDatabase.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { audited, onDatabase } from "../schedule/TestService.ts"

/*
 * A worker whose audits only wait, and which tells its parent when they begin and end. Arguments: the URL of a PostgreSQL, the number of
 * concurrent audits, and how many times as long as usual an audit lasts.
 */

const [url = "", slots = "", slowness = ""] = process.argv.slice(2)

/** Told to the parent: an audit that begins or ends in this worker. */
export interface AuditEvent {
  readonly what: "begins" | "ends"
  readonly run: string
  /** By the monotonic clock, which is the same in all processes, in milliseconds. */
  readonly at: number
}

/** An audit asks whether it may still send as often as this, in milliseconds. */
const STEP_MS = 100

/** An audit usually lasts 1 to 3 seconds, by the id of its run. */
const usualSteps = ({ id }: Run): number => 10 + (Number.parseInt(id.slice(-8), 16) % 21)

const tell = (what: AuditEvent["what"], { id }: Run) =>
  Effect.map(monotonicMillis, (at) => {
    process.send?.({ what, run: id, at } satisfies AuditEvent)
  })

const audit: Auditor["Service"]["audit"] = (run, _observer, { maySendUntil = () => Number.POSITIVE_INFINITY } = {}) => {
  const step = Effect.gen(function* () {
    yield* Effect.sleep(STEP_MS)
    while (maySendUntil() <= (yield* monotonicMillis)) yield* Effect.sleep(STEP_MS)
  })
  return Effect.acquireUseRelease(
    tell("begins", run),
    () => Effect.as(Effect.repeat(step, { times: Math.round(Number(slowness) * usualSteps(run)) - 1 }), audited(run)),
    () => tell("ends", run)
  )
}

process.on("disconnect", () => process.exit())
const worker = onDatabase(postgresAt(url), {
  audit,
  schedule: { concurrency: Number(slots), heartbeatMs: HEARTBEAT_MS, pauseMs: PAUSE_MS, settledMs: SETTLED_MS },
  leaseMs: LEASE_MS
})
await Effect.runPromise(Layer.launch(worker))
