import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { QueueFull } from "../../engine/schedule/Admission.ts"
import { BLOCKED } from "../../engine/schedule/Auditor.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { type Firing, ScheduleStore } from "../../engine/store/operators/ScheduleStore.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import { queueFullMessage, refusalMessage } from "../audits/RefusalMessages.ts"
import { Targets } from "../audits/Targets.ts"

/** How often a process checks for due audits. */
export const ScheduleInterval = Context.Reference<Duration.Input>("docgauge/server/ScheduleInterval", {
  defaultValue: () => "20 seconds"
})

/** Due audits that one process submits at the same time: each takes a connection of the database. */
const CONCURRENCY = 4

const isQueueFull = (value: unknown): value is QueueFull => value instanceof QueueFull

/**
 * Submits due audits. Every process does so, and each audit is submitted once, because accepting the run and moving the
 * schedule are one transaction. Scheduled audits queue like others and use the budget of their domain.
 */
export const scheduledAudits: Layer.Layer<
  never,
  never,
  ScheduleStore | Scheduler | SiteBlocks | Targets | Transactions
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const schedules = yield* ScheduleStore
    const scheduler = yield* Scheduler
    const blocks = yield* SiteBlocks
    const targets = yield* Targets
    const transactions = yield* Transactions
    const interval = yield* ScheduleInterval

    const submitted = Effect.fnUntraced(function* (url: string): Effect.fn.Return<Firing, StoreUnavailable> {
      const target = yield* Effect.result(targets.readForOperator(url))
      if (target._tag === "Failure") return { _tag: "Done", run: null, problem: target.failure.error }
      const { run } = target.success
      if ((yield* blocks.covering(run.site)) !== null) return { _tag: "Done", run: null, problem: BLOCKED.message }
      const submission = yield* Effect.catchIf(scheduler.submit(run, []), isQueueFull, Effect.succeed)
      if (isQueueFull(submission))
        return { _tag: "Later", afterMs: submission.retryAfter * 1_000, problem: queueFullMessage(submission) }
      return submission._tag === "Refusal"
        ? { _tag: "Later", afterMs: submission.retryAfter * 1_000, problem: refusalMessage(submission) }
        : { _tag: "Done", run: submission.run.id, problem: null }
    })

    /** Submits the most overdue audit; false if none is due. */
    const fire = Effect.gen(function* () {
      const schedule = yield* schedules.lockDue
      if (schedule === null) return false
      const { id, url } = schedule
      const firing = yield* submitted(url)
      yield* schedules.settle(id, firing)
      yield* Effect.annotateLogs(Effect.logInfo("a scheduled audit was due"), {
        url,
        ...(firing.problem === null ? {} : { problem: firing.problem })
      })
      return true
    })

    const fireAll = Effect.repeat(Effect.uninterruptible(transactions.atomic(fire)), { while: (fired) => fired })
    const round = Effect.all(
      Array.from({ length: CONCURRENCY }, () => fireAll),
      { concurrency: "unbounded", discard: true }
    )
    yield* round.pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not submit scheduled audits" }),
      Effect.delay(interval),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
