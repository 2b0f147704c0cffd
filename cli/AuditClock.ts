import * as Effect from "effect/Effect"
import { parentPort } from "node:worker_threads"
import type { AuditBegins } from "./CommandMessage.ts"

/** Tells the main thread that an audit begins, so that it can end one that is still busy long after its `--timeout`. */
export const auditBegins = (timeoutSeconds: number): Effect.Effect<void> =>
  Effect.sync(() => {
    const message: AuditBegins = { _tag: "AuditBegins", timeoutSeconds }
    parentPort?.postMessage(message)
  })
