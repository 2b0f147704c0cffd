import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Limits } from "../../engine/limit/Limits.ts"
import { AdminLog } from "../../engine/store/operators/AdminLog.ts"
import { Submissions } from "../audits/Submissions.ts"
import { ResponseCache } from "../response/ResponseCache.ts"

/** How often a process polls for changes by other processes, which usually tell it at once. */
export const CacheInvalidationInterval = Context.Reference<Duration.Input>("docgauge/server/CacheInvalidationInterval", { defaultValue: () => "1 second" })

/**
 * Clears the caches of runs, recent reports, pages and limits after a change by an operator: at once in the process that made
 * the change; in other processes when they are told, and within a second if they are not. It always clears everything, because changes are rare and a partial
 * invalidation could miss something.
 */
export class CacheInvalidation extends Context.Service<CacheInvalidation, {
  readonly now: Effect.Effect<void>
}>()("docgauge/server/admin/CacheInvalidation") {
  static readonly layer: Layer.Layer<CacheInvalidation, never, AdminLog | Limits | Submissions | ResponseCache> = Layer.effect(
    CacheInvalidation,
    Effect.gen(function*() {
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
      const look = Effect.gen(function*() {
        const newest = yield* log.newest
        if (newest === seen) return
        yield* now
        seen = newest
      })
      // Retry while the store is unavailable: nothing can change meanwhile.
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.raceFirst(log.told, Effect.sleep(interval)), Effect.ignore(look))))
      return { now }
    })
  )
}
