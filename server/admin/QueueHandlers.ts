import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Pause, QueuePause } from "../../engine/schedule/AuditQueue.ts"
import { Moderation } from "../../engine/store/operators/Moderation.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { orUnavailable } from "../http/errors/Unavailability.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminApi } from "./api/AdminApi.ts"
import type { QueueState } from "./api/QueueGroup.ts"
import { Operator } from "./api/Operator.ts"
import { shownRun } from "./ShownRun.ts"

/** Runs in the response. */
const MOST = 100

const inBrief = (pause: Pause | null): string =>
  pause === null ? "running" : `paused by ${pause.by} since ${pause.since}`

/** /api/admin/queue. */
export const queueHandlers = HttpApiBuilder.group(
  adminApi,
  "queue",
  Effect.fnUntraced(function* (handlers) {
    const queue = yield* QueuePause
    const moderation = yield* Moderation
    const changes = yield* AdminChanges

    const state = Effect.gen(function* () {
      const { pending, running, runs } = yield* moderation.underWay(MOST)
      const body: QueueState = { paused: yield* queue.look, pending, running, runs: runs.map(shownRun) }
      return body
    })

    const change = (action: string, effect: Effect.Effect<void, StoreUnavailable>) =>
      changes.make(
        Effect.gen(function* () {
          const before = yield* queue.look
          yield* effect
          return {
            value: yield* state,
            action,
            subject: "queue",
            before: inBrief(before),
            after: inBrief(yield* queue.look)
          }
        })
      )

    return handlers.handleAll({
      readQueue: () => orUnavailable(state),
      pauseQueue: () => orUnavailable(Operator.use(({ name }) => change("queue.pause", queue.pause(name)))),
      resumeQueue: () => orUnavailable(change("queue.resume", queue.resume))
    })
  })
)
