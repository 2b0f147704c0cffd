import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Limits } from "../../engine/limit/Limits.ts"
import { AdminLog } from "../../engine/store/AdminLog.ts"
import { FinishedRuns } from "../http/FinishedRuns.ts"
import { Submissions } from "../http/Submissions.ts"
import { KeptPages } from "../pages/kit/KeptPages.ts"

/** How often a process looks whether another one changed something. */
export const ForgettingInterval = Context.Reference<Duration.Input>("docgauge/server/ForgettingInterval", { defaultValue: () => "1 second" })

/**
 * Drops what this process remembers of runs, replays, pages and limits once an operator changed something: at once where
 * this process made the change, within a second where another one did. Everything is dropped, whatever was changed:
 * changes are seldom, and nothing can be left out. The database is the truth, and what is read of it afterwards is new.
 */
export class Forgetting extends Context.Service<Forgetting, {
  readonly now: Effect.Effect<void>
}>()("docgauge/server/admin/Forgetting") {
  static readonly layer: Layer.Layer<Forgetting, never, AdminLog | FinishedRuns | Limits | Submissions | KeptPages> = Layer.effect(
    Forgetting,
    Effect.gen(function*() {
      const log = yield* AdminLog
      const finishedRuns = yield* FinishedRuns
      const submissions = yield* Submissions
      const limits = yield* Limits
      const pages = yield* KeptPages
      const interval = yield* ForgettingInterval

      const now = Effect.sync(() => {
        finishedRuns.forget()
        submissions.forget()
        limits.forget()
        pages.drop("")
      })

      let seen = yield* Effect.orElseSucceed(log.newest, () => 0)
      const look = Effect.gen(function*() {
        const newest = yield* log.newest
        if (newest === seen) return
        yield* now
        seen = newest
      })
      // A store that is gone is asked again: nothing can be changed meanwhile.
      yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(look), interval)))
      return { now }
    })
  )
}
