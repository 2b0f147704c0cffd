import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { QueueFull } from "../../engine/schedule/Admission.ts"
import { BLOCKED } from "../../engine/schedule/Result.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { type AuditSchedule, type Firing, ScheduleStore } from "../../engine/store/ScheduleStore.ts"
import { SiteBlocks } from "../../engine/store/SiteBlocks.ts"
import { Transactions } from "../../engine/store/Transactions.ts"
import { tooManyRequests } from "../http/Refusals.ts"
import { queueFullMessage } from "../http/Unavailability.ts"
import { Targets } from "../http/Targets.ts"

/** How often a process looks for audits that are due. */
export const ScheduleInterval = Context.Reference<Duration.Input>("docgauge/server/ScheduleInterval", { defaultValue: () => "20 seconds" })

/** Schedules that are looked at in one go. */
const MOST = 100

const isQueueFull = (value: unknown): value is QueueFull => value instanceof QueueFull

/**
 * Asks for the audits that are due, in every process; each once over all of them, since the run is accepted and the next
 * time noted in one transaction. They wait their turn like others, and draw on the budget of their domain.
 */
export const scheduledAudits: Layer.Layer<never, never, ScheduleStore | Scheduler | SiteBlocks | Targets | Transactions> = Layer.effectDiscard(
  Effect.gen(function*() {
    const schedules = yield* ScheduleStore
    const scheduler = yield* Scheduler
    const blocks = yield* SiteBlocks
    const targets = yield* Targets
    const transactions = yield* Transactions
    const interval = yield* ScheduleInterval

    const submitted = Effect.fnUntraced(function*(url: string): Effect.fn.Return<Firing, StoreUnavailable> {
      const target = yield* Effect.result(targets.readForOperator(url))
      if (target._tag === "Failure") return { _tag: "Done", run: null, problem: target.failure.error }
      const { run } = target.success
      if ((yield* blocks.covering(run.site)) !== null) return { _tag: "Done", run: null, problem: BLOCKED.message }
      const submission = yield* Effect.catchIf(scheduler.submit(run, []), isQueueFull, Effect.succeed)
      if (isQueueFull(submission)) return { _tag: "Later", afterMs: submission.retryAfter * 1_000, problem: queueFullMessage(submission) }
      return submission._tag === "Refusal"
        ? { _tag: "Later", afterMs: submission.retryAfter * 1_000, problem: tooManyRequests(submission).error }
        : { _tag: "Done", run: submission.run.id, problem: null }
    })

    const fire = Effect.fnUntraced(function*({ id, url }: AuditSchedule) {
      // Another process may have been first.
      if (!(yield* schedules.isDue(id))) return
      const firing = yield* submitted(url)
      yield* schedules.settle(id, firing)
      yield* Effect.annotateLogs(Effect.logInfo("a scheduled audit was due"), { url, ...(firing.problem === null ? {} : { problem: firing.problem }) })
    })

    const round = Effect.gen(function*() {
      for (const schedule of yield* schedules.due(MOST)) {
        yield* transactions.alone("schedules", fire(schedule)).pipe(Effect.uninterruptible)
      }
    })
    yield* round.pipe(
      Effect.ignore({ log: "Warn", message: "scheduled audits could not be asked for" }),
      Effect.delay(interval),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
