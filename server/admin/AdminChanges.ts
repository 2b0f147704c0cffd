import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Limits } from "../../engine/limit/Limits.ts"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import { AdminLog } from "../../engine/store/operators/AdminLog.ts"
import { Submissions } from "../audits/Submissions.ts"
import { ResponseCache } from "../response/ResponseCache.ts"
import { Operator } from "./api/AdminErrors.ts"

/** The result of a change, and its log entry. Nothing is logged, and no cache is cleared, if `before` and `after` are the same. */
interface Changed<A> {
  readonly value: A
  /** Such as `run.hide`. */
  readonly action: string
  /** The changed object. */
  readonly subject: string
  /** Abridged; `null`: did not exist. */
  readonly before: string | null
  readonly after: string | null
}

/** How often a process polls for changes by other processes, which usually tell it at once. */
const CacheInvalidationInterval = Context.Reference<Duration.Input>("docgauge/server/CacheInvalidationInterval", {
  defaultValue: () => "1 second"
})

/** How old the last look may be before the caches cannot be trusted, in milliseconds: with `interval`, less than 5 seconds. */
const LONGEST_UNSEEN = 3_500

/**
 * Clears the caches of runs, recent reports, pages and limits after a change by an operator: at once in the process that made
 * the change; in other processes when they are told, and within a second if they are not. While the database cannot be asked, it
 * keeps them empty. It always clears everything, because changes are rare and a partial invalidation could miss something.
 */
export class CacheInvalidation extends Context.Service<
  CacheInvalidation,
  {
    readonly now: Effect.Effect<void>
  }
>()("docgauge/server/admin/CacheInvalidation") {
  static readonly layer: Layer.Layer<CacheInvalidation, never, AdminLog | Limits | Submissions | ResponseCache> =
    Layer.effect(
      CacheInvalidation,
      Effect.gen(function* () {
        const log = yield* AdminLog
        const submissions = yield* Submissions
        const limits = yield* Limits
        const responses = yield* ResponseCache
        const interval = yield* CacheInvalidationInterval

        const now = Effect.andThen(
          Effect.andThen(responses.invalidateAll, submissions.invalidateAll),
          Effect.sync(() => limits.forget())
        )

        let seen = yield* Effect.orElseSucceed(log.newest, () => 0)
        let lookedAt = yield* monotonicMillis
        const look = Effect.gen(function* () {
          const begunAt = yield* monotonicMillis
          const newest = yield* log.newest
          if (newest !== seen) yield* now
          seen = newest
          lookedAt = begunAt
        })
        yield* Effect.forkScoped(
          Effect.forever(
            Effect.andThen(
              Effect.raceFirst(log.told, Effect.sleep(interval)),
              Effect.ignoreCause(look, { log: "Debug" })
            )
          )
        )

        // Others may be able to change what this process cannot see. On its own, because a look may hang.
        const distrust = Effect.gen(function* () {
          if ((yield* monotonicMillis) - lookedAt >= LONGEST_UNSEEN) yield* now
        })
        yield* Effect.forkScoped(Effect.forever(Effect.delay(distrust, interval)))
        return { now }
      })
    )
}

/** Makes the changes of operators in a transaction with their log entry, one at a time over all processes. */
export class AdminChanges extends Context.Service<
  AdminChanges,
  {
    readonly make: <A, E, R>(
      change: Effect.Effect<Changed<A>, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, R | Operator>
  }
>()("docgauge/server/admin/AdminChanges") {
  static readonly layer: Layer.Layer<AdminChanges, never, AdminLog | Transactions | CacheInvalidation> = Layer.effect(
    AdminChanges,
    Effect.gen(function* () {
      const log = yield* AdminLog
      const transactions = yield* Transactions
      const invalidation = yield* CacheInvalidation
      return {
        make: (change) =>
          Effect.gen(function* () {
            const { name } = yield* Operator
            const logged = Effect.tap(change, ({ action, after, before, subject }) =>
              before === after
                ? Effect.void
                : log.write({ who: name, action, subject, before: brief(before), after: brief(after) })
            )
            const { action, after, before, subject, value } = yield* transactions.alone("admin", logged)
            if (before === after) return value
            yield* invalidation.now
            yield* Effect.annotateLogs(Effect.logInfo(`${action} by an operator`), { who: name, subject })
            return value
          }).pipe(Effect.uninterruptible)
      }
    })
  )
}

const LONGEST = 2_000

const brief = (text: string | null): string | null =>
  text !== null && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
