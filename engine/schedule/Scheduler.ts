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
import { Transactions } from "../store/database/Transactions.ts"
import { type Admitted, makeAdmission, type QueueFull, type Submission } from "./Admission.ts"
import { Auditor } from "./Auditor.ts"
import { announceMetrics, noteAbility } from "./AuditMetrics.ts"
import { AuditQueue, WorkerRubric } from "./AuditQueue.ts"
import { type ClaimPause, makeClaimPause } from "./ClaimPause.ts"
import { Leases } from "./Leases.ts"
import { monotonicMillis } from "../process/MonotonicClock.ts"
import { makeRunWorker } from "./RunWorker.ts"
import { makeRunCompletion } from "./RunCompletion.ts"

export interface SchedulerOptions {
  /** Maximum number of concurrent audits in this process; 0 if it only accepts runs, which other processes audit. */
  readonly concurrency: number
  /** How often the lease of a domain is renewed, in milliseconds. */
  readonly heartbeatMs: number
  /** How long audits may continue while this process shuts down, in milliseconds. */
  readonly graceMs: number
  /** How long a process that cannot audit leaves runs to others, in milliseconds. */
  readonly pauseMs: number
  /**
   * How long the database must have answered before runs without a lease count as those of dead processes, in milliseconds: leases
   * expire during an outage, and the processes that audited write their results as soon as it is over.
   */
  readonly settledMs: number
}

/** How long a lease lasts unless it is renewed, in milliseconds; for `Leases.layerSql`. */
export const LEASE_MS = 15_000

/** How often it is renewed, and how often runs of dead processes are looked for, in milliseconds. */
export const HEARTBEAT_MS = 3_000

/** For `SchedulerOptions`, in milliseconds. */
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

type Needs = RunStore | ArchiveStore | SiteBlocks | Limits | Transactions | AuditQueue | Leases | Auditor

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
     * also determines the turn in the queue and the limit of runs, then a registered client if there is one; empty for a scheduled
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
        const leases = yield* Leases
        const completion = makeRunCompletion(runs)
        const pause = makeClaimPause(options.pauseMs)
        const work = makeRunWorker({
          runs,
          limits,
          transactions,
          completion,
          archives: yield* ArchiveStore,
          blocks: yield* SiteBlocks,
          leases,
          auditor: yield* Auditor,
          rubric,
          pause,
          heartbeatMs: options.heartbeatMs
        })
        yield* announceMetrics
        const admission = makeAdmission({ runs, limits, queue, transactions })
        const isOpen = yield* openCrew(options, { queue, leases, pause, rubric, ping: runs.ping, work })
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
          graceMs: graceSeconds * 1_000,
          pauseMs: PAUSE_MS,
          settledMs: SETTLED_MS
        })
      )
    )
}

interface CrewServices {
  readonly queue: AuditQueue["Service"]
  readonly leases: Leases["Service"]
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
  { concurrency, graceMs, heartbeatMs, settledMs }: SchedulerOptions,
  { leases, pause, ping, queue, rubric, work }: CrewServices
) {
  let isOpen = true
  const atWork = new Set<number>()
  const held = new Set<string>()
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
          const claim = yield* restore(queue.claim(held, rubric))
          // It may have begun while this waited for a run.
          if (yield* pause.isOn) return yield* leases.free(claim.run.domain, claim.run.id)
          // A run whose process died twice may be the cause, so it is retried without other audits in the process. Of a process that died
          // once, all runs come back, and audited alone, each would keep a whole process from the others.
          const isAlone = claim.run.attempts > 1
          if (!isAlone) yield* lookNoMore
          held.add(claim.run.id)
          const enter = Effect.andThen(rooms.takeScoped(isAlone ? concurrency : 1), busy)
          yield* Effect.ensuring(
            restore(work(claim, Effect.asVoid(enter))),
            Effect.sync(() => {
              held.delete(claim.run.id)
            })
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
  if (concurrency > 0) yield* Effect.forkScoped(recovering(queue, ping, held, { heartbeatMs, settledMs }))
  // A worker that was interrupted while it claimed a run may have the lease of its domain already. Interrupting it waits for the statement
  // under way, so none takes a lease after this.
  const freeUnclaimed = Effect.suspend(() => (concurrency === 0 ? Effect.void : leases.freeOthers(held))).pipe(
    Effect.ignore({ log: "Warn", message: "leases not freed" }),
    Effect.forkDetach,
    Effect.flatMap(Fiber.await),
    Effect.timeoutOption(FREEING_TIMEOUT)
  )
  // Runs before the scope interrupts the workers.
  yield* Effect.addFinalizer(() => {
    isOpen = false
    const leaving = fibers.filter(({ worker }) => !atWork.has(worker)).map(({ fiber }) => fiber)
    return Fiber.interruptAll([...leaving, ...announcer]).pipe(
      Effect.andThen(freeUnclaimed),
      Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(fibers.map(({ fiber }) => fiber)), graceMs)),
      Effect.andThen(Fiber.interruptAll(fibers.map(({ fiber }) => fiber)))
    )
  })
  return () => isOpen
})

/** How long a process that stops waits for a database that does not answer. */
const FREEING_TIMEOUT = "2 seconds"

/** Tells other processes that this one judges by the rubric, so that they leave its runs to it, until it takes no more runs. */
const announcing = (queue: AuditQueue["Service"], rubric: string, intervalMs: number): Effect.Effect<void> =>
  queue
    .announce(rubric)
    .pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not announce the rubric of this process" }),
      Effect.andThen(Effect.sleep(intervalMs)),
      Effect.forever
    )

/** Puts the runs of dead processes back in the queue, soon after their leases have expired. */
const recovering = Effect.fnUntraced(function* (
  queue: AuditQueue["Service"],
  ping: RunStore["Service"]["ping"],
  held: ReadonlySet<string>,
  { heartbeatMs, settledMs }: Pick<SchedulerOptions, "heartbeatMs" | "settledMs">
) {
  // A process may start at the end of an outage, which is why it could not start before.
  let failedAt = yield* monotonicMillis
  const recover = Effect.gen(function* () {
    const count = yield* queue.recover(held)
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
    Effect.andThen(Effect.sleep(heartbeatMs)),
    Effect.forever
  )
})

/** Delay before the next claim after a failure, so that an unavailable store is not polled in a busy loop. */
const FAILURE_DELAY = "500 millis"

const afterFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.andThen(Effect.logWarning("the run goes back to the queue", cause), Effect.sleep(FAILURE_DELAY))
