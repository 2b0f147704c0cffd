import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AdminLog } from "../../engine/store/AdminLog.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { Transactions } from "../../engine/store/Transactions.ts"
import { Forgetting } from "./Forgetting.ts"
import { Operator } from "./Operator.ts"

/** What a change came to, and what the log is to say of it. */
export interface Changed<A> {
  readonly value: A
  /** Such as `run.hide`. */
  readonly action: string
  /** What it was done to. */
  readonly subject: string
  /** In brief; `null` where there was nothing. */
  readonly before: string | null
  readonly after: string | null
}

/** What operators change: one change at a time over all processes, each with its entry in the log, or not at all. */
export class AdminChanges extends Context.Service<AdminChanges, {
  readonly make: <A, E, R>(change: Effect.Effect<Changed<A>, E, R>) => Effect.Effect<A, E | StoreUnavailable, R | Operator>
}>()("docgauge/server/admin/AdminChanges") {
  static readonly layer: Layer.Layer<AdminChanges, never, AdminLog | Transactions | Forgetting> = Layer.effect(
    AdminChanges,
    Effect.gen(function*() {
      const log = yield* AdminLog
      const transactions = yield* Transactions
      const forgetting = yield* Forgetting
      return {
        make: (change) =>
          Effect.gen(function*() {
            const { name } = yield* Operator
            const logged = Effect.tap(change, ({ action, after, before, subject }) =>
              log.write({ who: name, action, subject, before: brief(before), after: brief(after) }))
            const { action, subject, value } = yield* transactions.alone("admin", logged)
            yield* forgetting.now
            yield* Effect.annotateLogs(Effect.logInfo(`${action} by an operator`), { who: name, subject })
            return value
          }).pipe(Effect.uninterruptible)
      }
    })
  )
}

const LONGEST = 2_000

const brief = (text: string | null): string | null => (text !== null && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
