import * as Cause from "effect/Cause"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { setting } from "../config/Setting.ts"
import { Limits } from "../limit/Limits.ts"
import { ArchiveStore } from "../store/ArchiveStore.ts"
import type { NewRun, Run } from "../store/Run.ts"
import { RunStore, StoreUnavailable } from "../store/RunStore.ts"
import { SiteBlocks } from "../store/SiteBlocks.ts"
import { Transactions } from "../store/Transactions.ts"
import { type Admitted, makeAdmission, type QueueFull, type Submission } from "./Admission.ts"
import { Auditor } from "./Auditor.ts"
import { announceMetrics } from "./AuditMetrics.ts"
import { AuditQueue } from "./AuditQueue.ts"
import { Leases } from "./Leases.ts"
import { makeRunWorker } from "./RunWorker.ts"
import { makeWaiters } from "./Waiters.ts"

export interface SchedulerOptions {
  /** Audits at once in this process. */
  readonly concurrency: number
  /** How often the lease of a domain is renewed, in milliseconds. */
  readonly heartbeatMs: number
  /** How long audits that are under way may go on once this process is to end, in milliseconds. */
  readonly graceMs: number
}

/** How long a lease lasts without being renewed, in milliseconds: for `Leases.layerSql`. */
export const LEASE_MS = 15_000

const HEARTBEAT_MS = 3_000

/** Ending takes ten seconds at most; handing back needs some of them. */
const GRACE_MS = 6_000

const MOST_AT_ONCE = 64

/** Audits at once in one process, from the environment. */
export const concurrentAudits: Config.Config<number> = setting("DOCGAUGE_CONCURRENT_AUDITS", "4", (text) => {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= MOST_AT_ONCE ? Result.succeed(count) : Result.fail(`give a whole number from 1 to ${MOST_AT_ONCE}`)
})

type Needs = RunStore | ArchiveStore | SiteBlocks | Limits | Transactions | AuditQueue | Leases | Auditor

/**
 * Audits on request, durably: what was accepted is audited, by this process or another, whoever hangs up and whatever
 * dies. When the layer's scope closes nothing more is accepted, audits under way get a little time, and those that do
 * not end in it are handed back to the queue.
 */
export class Scheduler extends Context.Service<Scheduler, {
  /**
   * Asks for an audit. `askers` are those whose site quotas it counts against: first the client network, which the queue and
   * the limit of runs go by, then a registered client where there is one; none for an audit that is due by a schedule.
   * Joining and replaying are decided here and nowhere else. Durable when it returns.
   */
  readonly submit: (run: NewRun, askers: ReadonlyArray<string>) => Effect.Effect<Submission, StoreUnavailable | QueueFull>
  /**
   * Has a site audited although a limit or a report of the last minutes stands against it; one that is under way is
   * joined. Its requests are counted as far as the domain's budget goes, and it is accepted though the queue is full.
   */
  readonly insist: (run: NewRun) => Effect.Effect<Admitted, StoreUnavailable>
  /** Waits until the run is over; `null` where there is no such run. To stop waiting does not stop the run. */
  readonly awaitDone: (runId: string) => Effect.Effect<Run | null, StoreUnavailable>
}>()("docgauge/schedule/Scheduler") {
  static readonly layerOf = (options: SchedulerOptions): Layer.Layer<Scheduler, never, Needs> =>
    Layer.effect(Scheduler, Effect.gen(function*() {
      const runs = yield* RunStore
      const limits = yield* Limits
      const queue = yield* AuditQueue
      const transactions = yield* Transactions
      const waiters = makeWaiters(runs)
      const work = makeRunWorker({
        runs,
        limits,
        transactions,
        waiters,
        archives: yield* ArchiveStore,
        blocks: yield* SiteBlocks,
        leases: yield* Leases,
        auditor: yield* Auditor,
        heartbeatMs: options.heartbeatMs
      })
      yield* announceMetrics
      const admission = makeAdmission({ runs, limits, queue, transactions })
      const isOpen = yield* openCrew(options, queue, work)
      const whileOpen = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
        Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => isOpen() ? effect : Effect.fail(new StoreUnavailable({ cause: "this process is about to end" })))
      return {
        submit: (run, askers) => whileOpen(admission.submit(run, askers)),
        insist: (run) => whileOpen(admission.insist(run)),
        awaitDone: waiters.awaitOver
      }
    }))

  /** As the environment says. */
  static readonly layer: Layer.Layer<Scheduler, Config.ConfigError, Needs> = Layer.unwrap(
    Effect.map(concurrentAudits, (concurrency) => Scheduler.layerOf({ concurrency, heartbeatMs: HEARTBEAT_MS, graceMs: GRACE_MS }))
  )
}

type Work = ReturnType<typeof makeRunWorker>

/**
 * As many workers as there may be audits at once, each taking one run after the other until the scope closes: those that
 * wait for a run leave at once, those that audit within the time of grace. Tells whether they still take runs.
 */
const openCrew = Effect.fnUntraced(function*({ concurrency, graceMs, heartbeatMs }: SchedulerOptions, queue: AuditQueue["Service"], work: Work) {
  let isOpen = true
  const atWork = new Set<number>()
  const held = new Set<string>()
  // One worker at a time looks for a run. It goes on looking after the next one until there is room for what it found.
  const looking = Semaphore.makeUnsafe(1)
  const rooms = Semaphore.makeUnsafe(concurrency)

  const turn = (worker: number) =>
    Effect.uninterruptibleMask((restore) => Effect.gen(function*() {
      yield* restore(looking.take(1))
      let looks = true
      const lookNoMore = Effect.suspend(() => {
        const was = looks
        looks = false
        return was ? looking.release(1) : Effect.void
      })
      const busy = Effect.acquireRelease(Effect.sync(() => atWork.add(worker)), () => Effect.sync(() => { atWork.delete(worker) }))
      yield* Effect.gen(function*() {
        const claim = yield* restore(queue.claim(held))
        // A run that a process died over may have been the reason: nothing else is put at risk by trying it again.
        const isAlone = claim.run.attempts > 0
        if (!isAlone) yield* lookNoMore
        held.add(claim.run.id)
        const enter = Effect.andThen(rooms.takeScoped(isAlone ? concurrency : 1), busy)
        yield* Effect.ensuring(restore(work(claim, Effect.asVoid(enter))), Effect.sync(() => { held.delete(claim.run.id) }))
      }).pipe(Effect.ensuring(Effect.andThen(lookNoMore, queue.wake)))
    }))

  const fibers = yield* Effect.forEach(
    Array.from({ length: concurrency }, (_, worker) => worker),
    (worker) => {
      const turns = Effect.whileLoop({ while: () => isOpen, body: () => Effect.catchCause(turn(worker), afterFailure), step: () => {} })
      return Effect.map(Effect.forkScoped(turns), (fiber) => ({ worker, fiber }))
    }
  )
  yield* Effect.forkScoped(recovering(queue, held, heartbeatMs))
  // Runs before the scope interrupts the workers.
  yield* Effect.addFinalizer(() => {
    isOpen = false
    const leaving = fibers.filter(({ worker }) => !atWork.has(worker)).map(({ fiber }) => fiber)
    return Fiber.interruptAll(leaving).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(fibers.map(({ fiber }) => fiber)), graceMs)),
      Effect.andThen(Fiber.interruptAll(fibers.map(({ fiber }) => fiber)))
    )
  })
  return () => isOpen
})

/** Puts runs of processes that died back in the queue, soon after their leases have ended. */
const recovering = (queue: AuditQueue["Service"], held: ReadonlySet<string>, intervalMs: number): Effect.Effect<void> =>
  queue.recover(held).pipe(
    Effect.flatMap((count) => count === 0 ? Effect.void : Effect.andThen(Effect.logWarning(`${count} runs are back in the queue: their process died`), queue.wake)),
    Effect.ignore({ log: "Warn", message: "runs of dead processes could not be looked for" }),
    Effect.andThen(Effect.sleep(intervalMs)),
    Effect.forever
  )

/** A pause, so that a store that is gone is not asked without end. */
const BREATHER = "500 millis"

const afterFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.andThen(Effect.logWarning("a run goes back to the queue", cause), Effect.sleep(BREATHER))
