import * as Effect from "effect/Effect"
import { parentPort } from "node:worker_threads"
import type { AuditBegins } from "../io/CommandMessage.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

/**
 * Tells the main thread that an audit begins, so that it can end an audit that is still busy long after its `--timeout`. External plugins
 * may take their time in each of `audits`.
 */
export const auditBegins = Effect.fnUntraced(function* (
  timeoutSeconds: number,
  allowPlugins: boolean,
  audits = 1
): Effect.fn.Return<void, CliFailure> {
  const message: AuditBegins = {
    _tag: "AuditBegins",
    timeoutSeconds,
    pluginSeconds: allowPlugins ? audits * (yield* pluginLimit) : 0
  }
  parentPort?.postMessage(message)
})

const pluginLimit = Effect.gen(function* () {
  const { longestPluginSeconds } = yield* Effect.promise(() => import("../../engine/outside/OutsideLimits.ts"))
  return yield* Effect.mapError(longestPluginSeconds, ({ message }) => wrongUsage(message))
})
