import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Pool from "effect/Pool"
import { makeLargeBodies } from "../evidence/LargeBodies.ts"
import { type AuditProcess, AuditProcessDied, startAuditProcess } from "./AuditProcess.ts"
import type { AuditEnd, AuditStep, AuditTask } from "./AuditTask.ts"
import { IDLE_MS, LARGE_TURN_MS, LONGEST_START_MS, longestAudit, MOST_AUDITS, MOST_GROWTH } from "./ProcessLimits.ts"

export interface AuditProcessesOptions {
  /** The file that an audit process runs. */
  readonly entry: URL
  /** Processes at once, and so audits at once. */
  readonly most: number
}

/**
 * Audits in child processes, one audit at a time in each: nothing that a site serves is read on the thread that serves
 * HTTP, MCP or handles signals, and an audit can be ended at any moment, whatever it is doing. Processes are started when
 * needed, used again while they are small, and ended when idle.
 */
export class AuditProcesses extends Context.Service<AuditProcesses, {
  /**
   * Carries out one audit. One whose process dies is tried once more in a fresh process, within the same time; one that is
   * not over after `longestAudit` is ended. Interrupting it ends its process.
   */
  readonly audit: (task: AuditTask, step: (step: AuditStep) => void) => Effect.Effect<AuditEnd, AuditProcessDied>
}>()("docgauge/worker/AuditProcesses") {
  static readonly layer = ({ entry, most }: AuditProcessesOptions): Layer.Layer<AuditProcesses> =>
    Layer.effect(AuditProcesses, Effect.gen(function*() {
      const pool = yield* Pool.makeWithTTL({ acquire: startAuditProcess(entry), min: 0, max: most, timeToLive: IDLE_MS })
      // Of all audits of this process one after the other begins to hold more than `FREE_BYTES`.
      const large = makeLargeBodies()

      const auditIn = (process: AuditProcess, task: AuditTask, step: (step: AuditStep) => void) =>
        Effect.suspend(() => {
          const over = new AbortController()
          const admitLarge = async (): Promise<void> => {
            const endTurn = await large.turn(over.signal)
            const ended = AbortSignal.any([over.signal, AbortSignal.timeout(LARGE_TURN_MS)])
            if (ended.aborted) endTurn()
            else ended.addEventListener("abort", endTurn, { once: true })
          }
          return process.audit(task, { step, admitLarge }).pipe(
            Effect.onExit(({ _tag }) => {
              over.abort()
              return _tag === "Failure" || isSpent(process) ? Pool.invalidate(pool, process) : Effect.void
            })
          )
        })

      // A process that ended while it was idle is put away, and is no attempt of this audit; one that cannot even start is.
      const once = (task: AuditTask, step: (step: AuditStep) => void): Effect.Effect<AuditEnd, AuditProcessDied> =>
        Effect.scoped(Effect.flatMap(Pool.get(pool), (process): Effect.Effect<AuditEnd | null, AuditProcessDied> =>
          process.isRunning() || process.audits() === 0 ? auditIn(process, task, step) : Effect.as(Pool.invalidate(pool, process), null))).pipe(
          Effect.flatMap((end) => (end === null ? once(task, step) : Effect.succeed(end)))
        )

      return {
        audit: Effect.fn("AuditProcesses.audit")((task, step) =>
          Effect.suspend(() => {
            const begun = Deferred.makeUnsafe<void>()
            const begin = (event: AuditStep): void => {
              if (event._tag === "Begun") Deferred.doneUnsafe(begun, Effect.void)
              else step(event)
            }
            return once(task, begin).pipe(
              Effect.tapError(({ detail }) => Effect.logWarning(`an audit process ended before its audit: ${detail}`)),
              Effect.retry({ times: 1 }),
              Effect.raceFirst(overdue(begun, longestAudit(task.limits.gatherMs)))
            )
          }))
      }
    }))
}

/** Fails once an audit has taken too long. Its clock starts when its process does begin it: a busy machine takes a while to start one. */
const overdue = (begun: Deferred.Deferred<void>, longestMs: number): Effect.Effect<never, AuditProcessDied> =>
  Effect.timeoutOption(Deferred.await(begun), LONGEST_START_MS).pipe(
    Effect.andThen(Effect.sleep(longestMs)),
    Effect.andThen(Effect.fail(TIMED_OUT))
  )

const TIMED_OUT = new AuditProcessDied({ reason: "timed_out", detail: "the audit was not over in time" })

const isSpent = (process: AuditProcess): boolean =>
  process.audits() >= MOST_AUDITS || process.growth() > MOST_GROWTH
