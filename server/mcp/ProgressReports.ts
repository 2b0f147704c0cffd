import { McpRequestContext } from "effect/ai/McpSchema"
import type { McpServer } from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuditProgress } from "./Audits.ts"

const tokenOf = Schema.decodeUnknownOption(Schema.Struct({ progressToken: Schema.Union([Schema.String, Schema.Number]) }))

/** Sends progress notifications to whoever made the current request, if they asked for them. Each shows more than the one before. */
export const progressReports = Effect.fnUntraced(function*(server: McpServer["Service"]) {
  const { requestMetadata } = yield* McpRequestContext
  const asked = tokenOf(requestMetadata)
  let last = -1
  return ({ done, message, total }: AuditProgress): Effect.Effect<void> => {
    if (Option.isNone(asked) || done <= last) return Effect.void
    last = done
    const { progressToken } = asked.value
    return server.notifications["notifications/progress"]({ progressToken, progress: done, ...(total === 0 ? {} : { total }), message })
  }
})
