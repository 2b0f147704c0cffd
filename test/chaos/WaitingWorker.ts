import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import process from "node:process"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"
import type { Auditor } from "../../engine/schedule/Auditor.ts"
import { HEARTBEAT_MS, PAUSE_MS, SETTLED_MS } from "../../engine/schedule/Scheduler.ts"
import { postgresAt } from "../../engine/store/Database.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { audited, onDatabase } from "../schedule/TestService.ts"

/*
 * A worker whose audits only wait, and which tells its parent what they do. Arguments: the URL of a PostgreSQL, the number of concurrent
 * audits, how many times as long as usual an audit lasts, and `requests` if it tells of each request, too.
 */

const [url = "", slots = "", slowness = "", tellsRequests = ""] = process.argv.slice(2)

/** An audit that begins, would send a request or ends in this worker. */
export interface AuditEvent {
  readonly what: "begins" | "requests" | "ends"
  readonly run: string
  /** By the monotonic clock, which is the same in all processes, in milliseconds. */
  readonly at: number
}

/** Told to the parent: that it takes runs, and what its audits do. */
export type Told = "ready" | AuditEvent

/** An audit sends a request as often as this, if it may, in milliseconds. */
const STEP_MS = 100

/** An audit usually lasts 1 to 3 seconds, by the id of its run. */
const usualSteps = ({ id }: Run): number => 10 + (Number.parseInt(id.slice(-8), 16) % 21)

const tell = (told: Told): void => {
  process.send?.(told)
}

const note = (what: AuditEvent["what"], { id }: Run) => Effect.map(monotonicMillis, (at) => tell({ what, run: id, at }))

const audit: Auditor["Service"]["audit"] = (run, _observer, { maySendUntil = () => Number.POSITIVE_INFINITY } = {}) => {
  const step = Effect.gen(function* () {
    yield* Effect.sleep(STEP_MS)
    while (maySendUntil() <= (yield* monotonicMillis)) yield* Effect.sleep(STEP_MS)
    if (tellsRequests !== "") yield* note("requests", run)
  })
  return Effect.acquireUseRelease(
    note("begins", run),
    () => Effect.as(Effect.repeat(step, { times: Math.round(Number(slowness) * usualSteps(run)) - 1 }), audited(run)),
    () => note("ends", run)
  )
}

process.on("disconnect", () => process.exit())
const worker = onDatabase(postgresAt(url), {
  audit,
  schedule: { concurrency: Number(slots), heartbeatMs: HEARTBEAT_MS, pauseMs: PAUSE_MS, settledMs: SETTLED_MS }
})
const ready = Layer.effectDiscard(Effect.sync(() => tell("ready")))
await Effect.runPromise(Layer.launch(Layer.provide(ready, worker)))
