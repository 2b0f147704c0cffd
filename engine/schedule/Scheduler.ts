import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { setting } from "../config/Setting.ts"
import { Limits } from "../limit/Limits.ts"
import { ArchiveStore } from "../store/archives/ArchiveStore.ts"
import type { NewRun, Run } from "../store/runs/Run.ts"
import { RunStore } from "../store/runs/RunStore.ts"
import { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import { SiteBlocks } from "../store/operators/SiteBlocks.ts"
import { Transactions } from "../store/database/SqlDatabase.ts"
import { type Admitted, makeAdmission, type QueueFull, type Submission } from "./Admission.ts"
import { Auditor } from "./Auditor.ts"
import { announceMetrics, noteAbility } from "./AuditMetrics.ts"
import { AuditQueue, WorkerRubric } from "./AuditQueue.ts"
import { type ClaimPause, makeClaimPause } from "./ClaimKeeper.ts"
import { monotonicMillis } from "../process/MonotonicClock.ts"
import { makeRunWorker } from "./RunWorker.ts"
import { makeRunCompletion } from "./RunCompletion.ts"

export interface SchedulerOptions {
  /** Maximum number of concurrent audits in this process; 0 if it only accepts runs, which other processes audit. */
  readonly concurrency: number
  /** How often the claim of a run is kept, in milliseconds. */
  readonly heartbeatMs: number
  /** How often runs of dead processes are looked for, in milliseconds. */
  readonly recoverMs: number
  /** How long audits may continue while this process shuts down, in milliseconds. */
  readonly graceMs: number
  /** How long a process that cannot audit leaves runs to others, in milliseconds. */
  readonly pauseMs: number
  /**
   * How long the database must have answered before runs whose claims are over count as those of dead processes, in milliseconds: claims
   * end during an outage, and the processes that audited write their results as soon as it is over.
   */
  readonly settledMs: number
}

/** For `SchedulerOptions`, in milliseconds. */
export const HEARTBEAT_MS = 3_000
const RECOVER_MS = 3_000
export const PAUSE_MS = 10_000
export const SETTLED_MS = 10_000

const [SHORTEST_GRACE, LONGEST_GRACE] = [1, 600]

/** `DOCGAUGE_GRACE_SECONDS`: how long running audits may continue at shutdown. What has not ended then is handed back. */
export const graceSeconds: Config.Config<number> = setting("DOCGAUGE_GRACE_SECONDS", "6", (text) => {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return seconds >= SHORTEST_GRACE && seconds <= LONGEST_GRACE
    ? Result.succeed(seconds)
    : Result.fail(`give a whole number of seconds, ${SHORTEST_GRACE} to ${LONGEST_GRACE}`)
})

const MOST_AT_ONCE = 64

/** `DOCGAUGE_CONCURRENT_AUDITS`: maximum number of concurrent audits in one process. */
export const concurrentAudits: Config.Config<number> = setting("DOCGAUGE_CONCURRENT_AUDITS", "4", (text) => {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= MOST_AT_ONCE
    ? Result.succeed(count)
    : Result.fail(`give a whole number from 1 to ${MOST_AT_ONCE}`)
})

type Needs = RunStore | ArchiveStore | SiteBlocks | Limits | Transactions | AuditQueue | Auditor

/**
 * Audits on request, durably: an accepted run is audited by this process or another, even if the client disconnects or a process
 * dies. When the layer's scope closes, it accepts no more runs, gives the running audits `graceMs` milliseconds, and hands the
 * others back to the queue.
 */
export class Scheduler extends Context.Service<
  Scheduler,
  {
    /**
     * Requests an audit. `quotaHolders` are the holders of the site quotas that it counts against: first the client network, which
     * also determines the place in the queue and the limit of runs, then a registered client if there is one; empty for a scheduled
     * audit. `isVerified`: the site's owner agreed to the quota of verified sites. Only this method decides whether to join a run or to return a cached report. Durable when it returns.
     */
    readonly submit: (
      run: NewRun,
      quotaHolders: ReadonlyArray<string>,
      isVerified?: boolean
    ) => Effect.Effect<Submission, StoreUnavailable | QueueFull>
    /**
     * Audits a site regardless of limits, a full queue or a recent report; joins an unfinished run. Its requests are taken from
     * the domain's budget until that is empty.
     */
    readonly insist: (run: NewRun) => Effect.Effect<Admitted, StoreUnavailable>
    /** Waits until the run is over; `null` if it does not exist. Interrupting the caller does not stop the run. */
    readonly awaitDone: (runId: string) => Effect.Effect<Run | null, StoreUnavailable>
  }
>()("docgauge/schedule/Scheduler") {
  static readonly layerOf = (options: SchedulerOptions): Layer.Layer<Scheduler, never, Needs> =>
    Layer.effect(
      Scheduler,
      Effect.gen(function* () {
        const runs = yield* RunStore
        const limits = yield* Limits
        const queue = yield* AuditQueue
        const transactions = yield* Transactions
        const rubric = yield* WorkerRubric
        const completion = makeRunCompletion(runs)
        const pause = makeClaimPause(options.pauseMs)
        const work = makeRunWorker({
          runs,
          limits,
          transactions,
          completion,
          archives: yield* ArchiveStore,
          blocks: yield* SiteBlocks,
          queue,
          auditor: yield* Auditor,
          rubric,
          pause,
          heartbeatMs: options.heartbeatMs
        })
        yield* announceMetrics
        const admission = makeAdmission({ runs, limits, queue, transactions })
        const isOpen = yield* openCrew(options, { queue, pause, rubric, ping: runs.ping, work })
        const whileOpen = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
          Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> =>
            isOpen() ? effect : Effect.fail(new StoreUnavailable({ cause: "this process is shutting down" }))
          )
        return {
          submit: (run, quotaHolders, isVerified) => whileOpen(admission.submit(run, quotaHolders, isVerified)),
          insist: (run) => whileOpen(admission.insist(run)),
          awaitDone: completion.awaitOver
        }
      })
    )

  /** From the environment. `audits`: whether this process runs audits, or leaves that to others. */
  static readonly layer = (audits: boolean): Layer.Layer<Scheduler, Config.ConfigError, Needs> =>
    Layer.unwrap(
      Effect.map(Config.all({ concurrentAudits, graceSeconds }), ({ concurrentAudits, graceSeconds }) =>
        Scheduler.layerOf({
          concurrency: audits ? concurrentAudits : 0,
          heartbeatMs: HEARTBEAT_MS,
          recoverMs: RECOVER_MS,
          graceMs: graceSeconds * 1_000,
          pauseMs: PAUSE_MS,
          settledMs: SETTLED_MS
        })
      )
    )
}

interface CrewServices {
  readonly queue: AuditQueue["Service"]
  readonly pause: ClaimPause
  readonly rubric: string | null
  readonly ping: RunStore["Service"]["ping"]
  readonly work: ReturnType<typeof makeRunWorker>
}

/**
 * One worker per concurrent audit, each taking one run after the other until the scope closes: idle workers end at once, the
 * others within the grace period. Returns whether they still take runs.
 */
const openCrew = Effect.fnUntraced(function* (
  { concurrency, graceMs, heartbeatMs, recoverMs, settledMs }: SchedulerOptions,
  { pause, ping, queue, rubric, work }: CrewServices
) {
  let isOpen = true
  const atWork = new Set<number>()
  // One worker at a time claims a run. It holds its turn until there is room for the run it claimed.
  const looking = Semaphore.makeUnsafe(1)
  const rooms = Semaphore.makeUnsafe(concurrency)

  const turn = (worker: number) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(looking.take(1))
        let looks = true
        const lookNoMore = Effect.suspend(() => {
          const was = looks
          looks = false
          return was ? looking.release(1) : Effect.void
        })
        const busy = Effect.acquireRelease(
          Effect.sync(() => atWork.add(worker)),
          () =>
            Effect.sync(() => {
              atWork.delete(worker)
            })
        )
        yield* Effect.gen(function* () {
          yield* restore(pause.awaitOver)
          const claim = yield* queue.claim(rubric)
          // It may have begun while this waited for a run.
          if (yield* pause.isOn) return yield* queue.giveBack(claim)
          // A run whose process died twice may be the cause, so it is retried without other audits in the process. Of a process that died
          // once, all runs come back, and audited alone, each would keep a whole process from the others.
          const isAlone = claim.run.attempts > 1
          if (!isAlone) yield* lookNoMore
          const enter = Effect.andThen(rooms.takeScoped(isAlone ? concurrency : 1), busy)
          // Not within what can be interrupted, which may be before it begins.
          yield* Effect.ensuring(
            restore(work(claim, Effect.asVoid(enter))),
            Effect.ignore(queue.giveBack(claim), { log: "Warn", message: "run not given back" })
          )
          yield* noteAbility(true)
          // The pause that began with it has logged the reason.
        }).pipe(
          Effect.catchTag("CannotAudit", () => Effect.void),
          Effect.ensuring(Effect.andThen(lookNoMore, queue.wake))
        )
      })
    )

  const fibers = yield* Effect.forEach(
    Array.from({ length: concurrency }, (_, worker) => worker),
    (worker) => {
      const turns = Effect.whileLoop({
        while: () => isOpen,
        body: () => Effect.catchCause(turn(worker), afterFailure),
        step: () => {}
      })
      return Effect.map(Effect.forkScoped(turns), (fiber) => ({ worker, fiber }))
    }
  )
  const announcer =
    concurrency > 0 && rubric !== null ? [yield* Effect.forkScoped(announcing(queue, rubric, heartbeatMs))] : []
  if (concurrency > 0) yield* Effect.forkScoped(recovering(queue, ping, { recoverMs, settledMs }))
  // Runs before the scope interrupts the workers.
  yield* Effect.addFinalizer(() => {
    isOpen = false
    const leaving = fibers.filter(({ worker }) => !atWork.has(worker)).map(({ fiber }) => fiber)
    return Fiber.interruptAll([...leaving, ...announcer]).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(fibers.map(({ fiber }) => fiber)), graceMs)),
      Effect.andThen(Fiber.interruptAll(fibers.map(({ fiber }) => fiber)))
    )
  })
  return () => isOpen
})

/** Tells other processes that this one judges by the rubric, so that they leave its runs to it, until it takes no more runs. */
const announcing = (queue: AuditQueue["Service"], rubric: string, intervalMs: number): Effect.Effect<void> =>
  queue
    .announce(rubric)
    .pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not announce the rubric of this process" }),
      Effect.andThen(Effect.sleep(intervalMs)),
      Effect.forever
    )

/** Puts the runs of dead processes back in the queue, soon after their claims are over. */
const recovering = Effect.fnUntraced(function* (
  queue: AuditQueue["Service"],
  ping: RunStore["Service"]["ping"],
  { recoverMs, settledMs }: Pick<SchedulerOptions, "recoverMs" | "settledMs">
) {
  // A process may start at the end of an outage, which is why it could not start before.
  let failedAt = yield* monotonicMillis
  const recover = Effect.gen(function* () {
    const count = yield* queue.recover
    if (count === 0) return
    yield* Effect.logWarning(
      `${count === 1 ? "1 run is" : `${count} runs are`} back in the queue: the process that audited ${count === 1 ? "it" : "them"} died`
    )
    yield* queue.wake
  })
  const look = Effect.gen(function* () {
    const now = yield* monotonicMillis
    yield* Effect.tapError(now - failedAt < settledMs ? ping : recover, () =>
      Effect.map(monotonicMillis, (later) => {
        failedAt = later
      })
    )
  })
  return yield* look.pipe(
    Effect.ignoreCause({ log: "Warn", message: "could not look for runs of dead processes" }),
    Effect.andThen(Effect.sleep(recoverMs)),
    Effect.forever
  )
})

/** Delay before the next claim after a failure, so that an unavailable store is not polled in a busy loop. */
const FAILURE_DELAY = "500 millis"

const afterFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.andThen(Effect.logWarning("the run goes back to the queue", cause), Effect.sleep(FAILURE_DELAY))
