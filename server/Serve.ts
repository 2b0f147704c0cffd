import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import type * as Runtime from "effect/Runtime"
import * as HttpServer from "effect/http/HttpServer"
import process from "node:process"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { layerLogging } from "./observe/Logging.ts"
import { layerTracing } from "./observe/Tracing.ts"
import { engineAuditor, serviceOver } from "./Service.ts"
import { addresses, reach } from "./Settings.ts"
import { type StartFailure, startFailureOf } from "./StartFailure.ts"

/** What an operator should know from the start. */
const announced = Layer.effectDiscard(Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  const { allowHttp, allowPrivate, resolve } = yield* reach
  const { base } = yield* addresses
  if (allowPrivate) yield* Effect.logWarning("DOCGAUGE_ALLOW_PRIVATE: addresses that are not public are audited. Whoever reaches this service reaches your network.")
  if (allowHttp) yield* Effect.logWarning("DOCGAUGE_ALLOW_HTTP: http: addresses are audited.")
  if (resolve.length > 0) yield* Effect.logWarning(`DOCGAUGE_RESOLVE: ${resolve.length} rules lead names to other addresses.`)
  yield* Effect.logInfo(`docgauge ${ENGINE_VERSION} listens on ${NetAddress.formatSocketAddress(address)} as ${base}`)
}))

/** The service with the real engine, until it is told to end. */
export const serve: Effect.Effect<never, StartFailure> = Layer.launch(
  announced.pipe(
    Layer.provideMerge(serviceOver(engineAuditor)),
    Layer.provide(NodeServices.layer),
    Layer.provide(layerTracing),
    Layer.provide(layerLogging)
  )
).pipe(Effect.mapError(startFailureOf))

/** Told to end: 0. Not started: 2, as for any wrong configuration. */
export const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  const failure = Cause.squash(exit.cause)
  process.stderr.write(`docgauge: ${failure instanceof Error ? failure.message : String(failure)}\n`)
  onExit(2)
}

/** How long ending may take, in milliseconds. Audits that are cut off here begin anew elsewhere, or after the next start. */
const LONGEST_END_MS = 9_500

/** Ends the process for good where ending takes too long. */
export const endInTime = (): void => {
  process.once("SIGTERM", () => {
    setTimeout(() => process.exit(0), LONGEST_END_MS).unref()
  })
}
