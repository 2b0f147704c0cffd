import { layerStdio } from "effect/ai/McpServer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { Stdio } from "effect/Stdio"
import type { TargetRules } from "../../../engine/audit/Target.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { type LocalAuditor, localAudits } from "../audits/LocalAudits.ts"
import { registrations } from "../features/Registrations.ts"
import { RubricBook } from "../features/RubricMarkdown.ts"
import { serverInfo } from "./ServerInfo.ts"
import { layerLines } from "./StdioLines.ts"

export interface StdioServerOptions {
  readonly rules: TargetRules
  /** Loaded on first use. */
  readonly auditor: Effect.Effect<LocalAuditor>
  readonly rubric: Effect.Effect<Rubric>
}

/** Time to answer running requests after input ends. */
const GRACE = "1 second"

/**
 * The MCP server over standard input and output: audits from this machine, with no account and no limits. Ends when input
 * ends.
 */
export const serveStdio = Effect.fnUntraced(function* ({
  auditor,
  rubric,
  rules
}: StdioServerOptions): Effect.fn.Return<void, never, Stdio> {
  const inputEnded = yield* Deferred.make<void>()
  const offered = registrations.pipe(
    Layer.provide(localAudits({ ...rules, auditor })),
    Layer.provide(Layer.succeed(RubricBook, { rubric }))
  )
  const server = layerStdio({ ...serverInfo, registrations: offered }).pipe(
    Layer.provide(layerLines(Deferred.succeed(inputEnded, undefined))),
    Layer.orDie
  )
  const serving = yield* Effect.forkChild(Layer.launch(server))
  yield* Effect.raceFirst(Fiber.await(serving), Effect.andThen(Deferred.await(inputEnded), Effect.sleep(GRACE)))
  yield* Fiber.interrupt(serving)
})
