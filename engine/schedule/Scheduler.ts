import * as Cause from "effect/Cause"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { setting } from "../limit/Setting.ts"
import { Limits } from "../limit/Limits.ts"
import { ArchiveStore } from "../store/ArchiveStore.ts"
import type { NewRun, Run } from "../store/Run.ts"
import { RunStore, StoreUnavailable } from "../store/RunStore.ts"
import { SiteBlocks } from "../store/SiteBlocks.ts"
import { Transactions } from "../store/Transactions.ts"
import { type Admitted, makeAdmission, type Submission } from "./Admission.ts"
import { Auditor } from "./Auditor.ts"
import { announceMetrics } from "./AuditMetrics.ts"
import { AuditQueue, QueuePaused } from "./AuditQueue.ts"
import { Leases } from "./Leases.ts"
import { DomainBusy, makeRunWorker } from "./RunWorker.ts"
import { makeWaiters } from "./Waiters.ts"

export interface SchedulerOptions {
  /** Audits at once in this process. */
  readonly concurrency: number
  /** How often the lease of a domain is renewed, in milliseconds. */
  readonly heartbeatMs: number
  /** How long audits that are under way may go on once this process is to end, in milliseconds. */
  readonly graceMs: number
}

/** How long a lease stands without being renewed, in milliseconds: for `Leases.layerSql` and `AuditQueue.layerSql`. */
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
   * Asks for an audit. `askers` are those whose site quotas it counts against: a network, and a registered client where
   * there is one; none for an operator. Joining and replaying are decided here and nowhere else. Durable when it returns.
   */
  readonly submit: (run: NewRun, askers: ReadonlyArray<string>) => Effect.Effect<Submission, StoreUnavailable>
  /**
   * Has a site audited although a limit or a report of the last minutes stands against it; one that is under way is
   * joined. Its requests are counted as far as the domain's budget goes.
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
      const isOpen = yield* openCrew(options, (busy) => queue.take((runId) => busy(work(runId))))
      const whileOpen = <A>(effect: Effect.Effect<A, StoreUnavailable>) =>
        Effect.suspend(() => isOpen() ? effect : Effect.fail(new StoreUnavailable({ cause: "this process is about to end" })))
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

type Busy = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * As many workers as there may be audits at once, each doing one `turn` after the other until the scope closes: those
 * that only wait for work leave at once, the others within the time of grace. Tells whether the crew is still open.
 */
const openCrew = Effect.fnUntraced(function*<E>(
  { concurrency, graceMs }: SchedulerOptions,
  turn: (busy: Busy) => Effect.Effect<void, E>
) {
  let open = true
  const atWork = new Set<number>()
  const worker = (index: number) => {
    const busy: Busy = (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => atWork.add(index)),
        () => effect,
        () => Effect.sync(() => { atWork.delete(index) })
      )
    return Effect.whileLoop({ while: () => open, body: () => Effect.catchCause(turn(busy), afterFailure), step: () => {} })
  }
  const fibers = yield* Effect.forEach(
    Array.from({ length: concurrency }, (_, index) => index),
    (index) => Effect.map(Effect.forkScoped(worker(index)), (fiber) => ({ index, fiber }))
  )
  // Runs before the scope interrupts the workers.
  yield* Effect.addFinalizer(() => {
    open = false
    const leaving = fibers.filter(({ index }) => !atWork.has(index)).map(({ fiber }) => fiber)
    return Fiber.interruptAll(leaving).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(fibers.map(({ fiber }) => fiber)), graceMs)),
      Effect.andThen(Fiber.interruptAll(fibers.map(({ fiber }) => fiber)))
    )
  })
  return () => open
})

/** A pause, so that a store that is gone is not asked without end. */
const BREATHER = "500 millis"

const afterFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (error instanceof DomainBusy || error instanceof QueuePaused) return Effect.void
  return Effect.andThen(Effect.logWarning("a run goes back to the queue", cause), Effect.sleep(BREATHER))
}
