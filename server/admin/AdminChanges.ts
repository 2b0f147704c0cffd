import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AdminLog } from "../../engine/store/operators/AdminLog.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { Transactions } from "../../engine/store/database/Transactions.ts"
import { CacheInvalidation } from "./CacheInvalidation.ts"
import { Operator } from "./api/Operator.ts"

/** The result of a change, and its log entry. Nothing is logged, and no cache is cleared, if `before` and `after` are the same. */
export interface Changed<A> {
  readonly value: A
  /** Such as `run.hide`. */
  readonly action: string
  /** The changed object. */
  readonly subject: string
  /** Abridged; `null`: did not exist. */
  readonly before: string | null
  readonly after: string | null
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
