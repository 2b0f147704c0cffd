import * as Context from "effect/Context"
import type * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AdminLog } from "../../engine/store/AdminLog.ts"
import { Moderation } from "../../engine/store/Moderation.ts"
import { type RetentionRule, retentionRule } from "../../engine/store/RetentionRule.ts"
import { Transactions } from "../../engine/store/Transactions.ts"
import { RunDisposal } from "./RunDisposal.ts"

/** How often runs are looked for that are no longer kept. */
export const RetentionInterval = Context.Reference<Duration.Input>("docgauge/server/RetentionInterval", { defaultValue: () => "10 minutes" })

/** Runs that are dropped in one transaction: others wait for it. */
const BATCH = 50

/** Drops runs that `DOCGAUGE_RETENTION` no longer keeps, a few at a time, with what belongs to them; the log says how many. */
export const retention: Layer.Layer<never, Config.ConfigError, AdminLog | Moderation | RunDisposal | Transactions> = Layer.unwrap(
  Effect.map(retentionRule, (rule) => (rule === null ? Layer.empty : Layer.effectDiscard(keepDropping(rule))))
)

const keepDropping = Effect.fnUntraced(function*(rule: RetentionRule) {
  const moderation = yield* Moderation
  const disposal = yield* RunDisposal
  const log = yield* AdminLog
  const transactions = yield* Transactions
  const interval = yield* RetentionInterval

  const some = Effect.gen(function*() {
    const runs = yield* moderation.expired(rule, BATCH)
    if (runs.length === 0) return 0
    yield* disposal.drop(runs)
    yield* log.write({ who: "retention", action: "run.expire", subject: `${runs.length} runs`, before: shown(runs.map(({ id }) => id)), after: null })
    return runs.length
  })

  const pass = Effect.gen(function*() {
    let dropped = 0
    for (let count = BATCH; count > 0;) {
      count = yield* Effect.uninterruptible(transactions.alone("retention", some))
      dropped += count
    }
    if (dropped > 0) yield* Effect.logInfo(`${dropped} runs dropped that are no longer kept`)
  })

  yield* pass.pipe(Effect.ignore({ log: "Warn", message: "runs could not be dropped" }), Effect.delay(interval), Effect.forever, Effect.forkScoped)
})

const shown = (ids: ReadonlyArray<string>): string => `${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`
