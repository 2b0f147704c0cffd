import { McpRequestContext } from "effect/ai/McpSchema"
import type { McpServer } from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { CallProgress } from "../audits/Audits.ts"

const tokenOf = Schema.decodeUnknownOption(
  Schema.Struct({ progressToken: Schema.Union([Schema.String, Schema.Number]) })
)

/** Progress notifications to the client that sent the current request; none unless it asked for them. */
export interface ProgressNotifications {
  /** Sends the progress of the audit if it is further than in the last notification. */
  readonly tell: (progress: CallProgress) => Effect.Effect<void>
  /** Sends that the audit is done: a fast one can finish between two polls. */
  readonly finish: Effect.Effect<void>
}

/** Progress notifications for the current request. */
export const progressNotifications = Effect.fnUntraced(function* (
  server: McpServer["Service"]
): Effect.fn.Return<ProgressNotifications, never, McpRequestContext> {
  const { requestMetadata } = yield* McpRequestContext
  const asked = tokenOf(requestMetadata)
  let last = -1
  let lastTotal = 0

  const tell = ({ done, message, total }: CallProgress): Effect.Effect<void> => {
    if (Option.isNone(asked) || done <= last) return Effect.void
    last = done
    lastTotal = total
    const { progressToken } = asked.value
    return server.notifications["notifications/progress"]({
      progressToken,
      progress: done,
      ...(total === 0 ? {} : { total }),
      message
    })
  }

  return {
    tell,
    finish: Effect.suspend(() => {
      const all = lastTotal === 0 ? Math.max(last, 0) + 1 : lastTotal
      return tell({ done: all, total: all, message: "done" })
    })
  }
})
