import * as Context from "effect/Context"
import type * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AdminLog } from "../../engine/store/operators/AdminLog.ts"
import { Moderation } from "../../engine/store/operators/Moderation.ts"
import { type RetentionRule, retentionRule } from "../../engine/store/runs/RunRetention.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import { RunDeletion } from "../admin/RunDeletion.ts"

/** How often the task checks for expired runs. */
export const RetentionInterval = Context.Reference<Duration.Input>("docgauge/server/RetentionInterval", {
  defaultValue: () => "10 minutes"
})

/** Runs deleted in one transaction; other writers wait for it. */
const BATCH = 50

interface Batch {
  readonly next: number | null
  readonly dropped: number
}

/** Deletes runs that have expired by `DOCGAUGE_RETENTION`, with everything that belongs to them, in batches. */
export const retention: Layer.Layer<never, Config.ConfigError, AdminLog | Moderation | RunDeletion | Transactions> =
  Layer.unwrap(
    Effect.map(retentionRule, (rule) => (rule === null ? Layer.empty : Layer.effectDiscard(keepDropping(rule))))
  )

const keepDropping = Effect.fnUntraced(function* (rule: RetentionRule) {
  const moderation = yield* Moderation
  const deletion = yield* RunDeletion
  const log = yield* AdminLog
  const transactions = yield* Transactions
  const interval = yield* RetentionInterval

  const some = Effect.fnUntraced(function* (from: number) {
    const { next, runs } = yield* moderation.expired(rule, BATCH, from)
    if (runs.length === 0) return { next, dropped: 0 }
    yield* deletion.drop(runs)
    yield* log.write({
      who: "retention",
      action: "run.expire",
      subject: `${runs.length} runs`,
      before: shown(runs.map(({ id }) => id)),
      after: null
    })
    return { next, dropped: runs.length }
  })

  const pass = Effect.gen(function* () {
    let dropped = 0
    for (let from: number | null = 0; from !== null;) {
      const batch: Batch = yield* Effect.uninterruptible(transactions.alone("retention", some(from)))
      dropped += batch.dropped
      from = batch.next
    }
    if (dropped > 0) yield* Effect.logInfo(`deleted ${dropped} expired runs`)
  })

  yield* pass.pipe(
    Effect.ignoreCause({ log: "Warn", message: "could not delete expired runs" }),
    Effect.delay(interval),
    Effect.forever,
    Effect.forkScoped
  )
})

const shown = (ids: ReadonlyArray<string>): string => `${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`
