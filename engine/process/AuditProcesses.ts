import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Pool from "effect/Pool"
import * as Scope from "effect/Scope"
import { RESERVED_REQUESTS } from "../evidence/AuditBudget.ts"
import { makeLargeBodyLock } from "../evidence/http/BodyAdmission.ts"
import { type AuditListeners, type AuditProcess, AuditProcessDied, startAuditProcess } from "./AuditProcess.ts"
import type {
  AuditEnd,
  AuditStep,
  AuditTask,
  FixTask,
  MaySendUntil,
  PostAnswer,
  PostTask,
  ProcessTask
} from "./AuditTask.ts"
import {
  IDLE_MS,
  LARGE_TURN_MS,
  LAST_AUDITS,
  LONGEST_POSTS_MS,
  LONGEST_START_MS,
  longestAudit,
  longestFix,
  MOST_AUDITS,
  MOST_GROWTH
} from "./ProcessLimits.ts"

interface AuditProcessesOptions {
  /** The main module of an audit process. */
  readonly entry: URL
  /** Maximum number of processes, and so of concurrent audits. */
  readonly most: number
  /** How much a process gives way to others, 0 to 19. */
  readonly niceness: number
}

/**
 * A pool of child processes, each with one audit at a time: no site's content is parsed on the thread that serves HTTP and MCP
 * or handles signals, and an audit can be killed at any moment. Processes are started when needed, reused while they are small,
 * and ended when idle.
 */
export class AuditProcesses extends Context.Service<
  AuditProcesses,
  {
    /**
     * Runs one audit. If its process dies, it is retried once in a process that has done no audit, within the same time limit, unless the
     * system killed it during the audit; after `longestAudit` it is ended. An interruption ends its process. While `maySendUntil` has
     * passed, it sends no requests. An attempt that is not finished counts as at least `RESERVED_REQUESTS`.
     */
    readonly audit: (
      task: AuditTask,
      step: (step: AuditStep) => void,
      maySendUntil?: () => MaySendUntil
    ) => Effect.Effect<AuditEnd, AuditProcessDied>
    /** Makes the fixes of a site from an archive, in the same way; after `longestFix` the process is killed. */
    readonly fix: (task: FixTask) => Effect.Effect<AuditEnd, AuditProcessDied>
    /** Posts messages, in the same way; after `LONGEST_POSTS_MS` the process is killed. A retry may post some of them twice. */
    readonly post: (task: PostTask) => Effect.Effect<ReadonlyArray<PostAnswer>, AuditProcessDied>
  }
>()("docgauge/worker/AuditProcesses") {
  static readonly layer = ({ entry, most, niceness }: AuditProcessesOptions): Layer.Layer<AuditProcesses> =>
    Layer.effect(
      AuditProcesses,
      Effect.gen(function* () {
        const successor = yield* makeSuccessor(startAuditProcess(entry, niceness))
        const pool = yield* Pool.makeWithTTL({ acquire: successor.take, min: 0, max: most, timeToLive: IDLE_MS })
        // Lets one audit of this service process at a time hold more than `FREE_BYTES`.
        const large = makeLargeBodyLock()

        const auditIn = (process: AuditProcess, task: ProcessTask, { maySendUntil, step }: Listeners) =>
          Effect.suspend(() => {
            const over = new AbortController()
            const admitLarge = async (): Promise<void> => {
              const endTurn = await large.turn(over.signal)
              const ended = AbortSignal.any([over.signal, AbortSignal.timeout(LARGE_TURN_MS)])
              if (ended.aborted) endTurn()
              else ended.addEventListener("abort", endTurn, { once: true })
            }
            const audit = process.audit(task, { step, maySendUntil, admitLarge })
            return (process.audits() >= LAST_AUDITS ? Effect.andThen(successor.prepare, audit) : audit).pipe(
              Effect.onExit(() => Effect.sync(() => over.abort()))
            )
          })

        // A process that may not take the task is discarded, which does not count as an attempt; one that cannot start does.
        const once = (
          task: ProcessTask,
          listeners: Listeners,
          mayTake: (process: AuditProcess) => boolean
        ): Effect.Effect<AuditEnd, AuditProcessDied> => {
          let discarded: AuditProcess | null = null
          const audit = Effect.flatMap(Pool.get(pool), (process): Effect.Effect<AuditEnd | null, AuditProcessDied> => {
            if (mayTake(process))
              return Effect.onExit(auditIn(process, task, listeners), () =>
                Effect.sync(() => {
                  if (isSpent(process)) discarded = process
                })
              )
            discarded = process
            return Effect.succeed(null)
          })
          return Effect.scoped(audit).pipe(
            // Only after it was returned: if a process in use is invalidated, the pool starts another at once.
            Effect.onExit(() =>
              Effect.suspend(() => (discarded === null ? Effect.void : Pool.invalidate(pool, discarded)))
            ),
            Effect.flatMap((end) => (end === null ? once(task, listeners, mayTake) : Effect.succeed(end)))
          )
        }

        const within = (
          longestMs: number,
          task: ProcessTask,
          { maySendUntil, step }: Listeners
        ): Effect.Effect<AuditEnd, AuditProcessDied> =>
          Effect.suspend(() => {
            const begun = Deferred.makeUnsafe<void>()
            const attempt = (mayTake: (process: AuditProcess) => boolean) =>
              Effect.suspend(() => {
                let untold = 0
                const listen = (event: AuditStep): void => {
                  if (event._tag === "Begun") {
                    untold = RESERVED_REQUESTS
                    Deferred.doneUnsafe(begun, Effect.void)
                  } else {
                    if (event._tag === "Requested") untold -= event.count
                    step(event)
                  }
                }
                return once(task, { step: listen, maySendUntil }, mayTake).pipe(
                  Effect.tapError(({ detail }) =>
                    Effect.logWarning(`an audit process ended before its ${task.kind}: ${detail}`)
                  ),
                  // What it sent last was never told, so it counts as a whole audit.
                  Effect.onExit((exit) =>
                    Effect.sync(() => {
                      if (Exit.isFailure(exit) && untold > 0) step({ _tag: "Requested", count: untold })
                    })
                  )
                )
              })
            return attempt((process) => !isSpent(process)).pipe(
              // What other audits left in a process must not end the second attempt. Where memory is short, that would make it worse.
              Effect.catchIf(
                ({ reason }) => reason !== "killed" || !Deferred.isDoneUnsafe(begun),
                () => attempt(isFresh)
              ),
              Effect.raceFirst(overdue(begun, longestMs))
            )
          })

        return {
          audit: Effect.fn("AuditProcesses.audit")((task, step, maySendUntil = withoutEnd) =>
            within(longestAudit(task), task, { step, maySendUntil })
          ),
          fix: Effect.fn("AuditProcesses.fix")((task) =>
            within(longestFix(task), task, { step: () => undefined, maySendUntil: withoutEnd })
          ),
          post: Effect.fn("AuditProcesses.post")((task) =>
            Effect.suspend(() => {
              let answers: ReadonlyArray<PostAnswer> = []
              const step = (event: AuditStep): void => {
                if (event._tag === "Posted") answers = event.answers
              }
              return Effect.map(within(LONGEST_POSTS_MS, task, { step, maySendUntil: withoutEnd }), () => answers)
            })
          )
        }
      })
    )
}

type Listeners = Pick<AuditListeners, "step" | "maySendUntil">

const withoutEnd = (): MaySendUntil => null

/**
 * Fails when an audit takes too long. The time counts from when the process begins the audit, because starting a process takes a
 * while on a busy machine.
 */
const overdue = (begun: Deferred.Deferred<void>, longestMs: number): Effect.Effect<never, AuditProcessDied> =>
  Effect.timeoutOption(Deferred.await(begun), LONGEST_START_MS).pipe(
    Effect.andThen(Effect.sleep(longestMs)),
    Effect.andThen(Effect.fail(TIMED_OUT))
  )

const TIMED_OUT = new AuditProcessDied({ reason: "timed_out", detail: "the audit exceeded its time limit" })

/** Whether it has done no audit. */
const isFresh = (process: AuditProcess): boolean => process.audits() === 0

/** Whether it must not take another audit. A process that could not start gets its first audit, which then fails. */
const isSpent = (process: AuditProcess): boolean =>
  process.audits() > 0 && (!process.isRunning() || process.audits() >= MOST_AUDITS || process.growth() > MOST_GROWTH)

/** An idle process that waits for its first audit. */
interface Waiting {
  readonly process: AuditProcess
  readonly scope: Scope.Closeable
}

/** Starts at most one process in advance, to replace a process that is about to be discarded. */
interface Successor {
  /** Starts one unless one is waiting already. It ends if it is not taken within `IDLE_MS`. */
  readonly prepare: Effect.Effect<void>
  /** The waiting process, or a new one; it ends with the scope. */
  readonly take: Effect.Effect<AuditProcess, never, Scope.Scope>
}

export const makeSuccessor = Effect.fnUntraced(function* (
  start: Effect.Effect<AuditProcess, never, Scope.Scope>
): Effect.fn.Return<Successor, never, Scope.Scope> {
  const parent = yield* Scope.Scope
  let waiting: Waiting | null = null

  const drop = (one: Waiting): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (waiting !== one) return Effect.void
      waiting = null
      return Scope.close(one.scope, Exit.void)
    })

  const prepare = Effect.gen(function* () {
    if (waiting !== null) return
    const scope = yield* Scope.fork(parent)
    const one = { process: yield* Scope.provide(start, scope), scope }
    waiting = one
    yield* Effect.forkIn(Effect.andThen(Effect.sleep(IDLE_MS), drop(one)), parent)
  }).pipe(Effect.uninterruptible)

  const take = Effect.suspend((): Effect.Effect<AuditProcess, never, Scope.Scope> => {
    const taken = waiting
    waiting = null
    if (taken === null) return start
    // A process that ended while it waited must not count as an attempt of an audit.
    if (!taken.process.isRunning()) return Effect.andThen(Scope.close(taken.scope, Exit.void), start)
    return Effect.as(
      Effect.addFinalizer((exit) => Scope.close(taken.scope, exit)),
      taken.process
    )
  }).pipe(Effect.uninterruptible)

  return { prepare, take }
})
