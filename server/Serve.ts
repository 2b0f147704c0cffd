import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import type * as Runtime from "effect/Runtime"
import * as HttpServer from "effect/http/HttpServer"
import process from "node:process"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { counted } from "../engine/plugin/Wording.ts"
import { graceSeconds } from "../engine/schedule/Scheduler.ts"
import { configuredDatabase, sqlite3Problem, sqliteDriver } from "../engine/store/Database.ts"
import { layerLogging, layerTracing } from "./observe/Telemetry.ts"
import { engineAuditor, processRole, serviceOver } from "./Service.ts"
import { addresses, reach } from "./config/Settings.ts"
import { type StartFailure, startFailureOf } from "./config/RubricInForce.ts"

const usesNodeSqlite = Effect.gen(function* () {
  const { _tag } = yield* configuredDatabase
  return _tag === "Sqlite" && (yield* sqliteDriver).name === "node:sqlite"
}).pipe(Effect.orElseSucceed(() => false))

/** Logs what an operator should know at the start. */
const announced = Layer.effectDiscard(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const { allowHttp, allowPrivate, resolve } = yield* reach
    const { base } = yield* addresses
    const its = yield* processRole
    if (allowPrivate)
      yield* Effect.logWarning(
        "DOCGAUGE_ALLOW_PRIVATE: private addresses can be audited. Anyone who can use this service can reach your network."
      )
    if (allowHttp) yield* Effect.logWarning("DOCGAUGE_ALLOW_HTTP: http: URLs can be audited.")
    if (resolve.length > 0)
      yield* Effect.logWarning(
        `DOCGAUGE_RESOLVE: host names are mapped to other addresses by ${counted(resolve.length, "rule")}.`
      )
    if (yield* usesNodeSqlite)
      yield* Effect.logInfo(
        "Node's own SQLite runs the database, in threads. " +
          (sqlite3Problem() ?? "To use the package sqlite3 instead, install it beside docgauge: npm install sqlite3")
      )
    yield* Effect.logInfo(
      `docgauge ${ENGINE_VERSION} listens on ${NetAddress.formatSocketAddress(address)} as ${base}${its === "all" ? "" : `, role ${its}`}`
    )
  })
)

/** Warns of variables of ours that nothing reads, such as misspelled ones. A web process or a worker needs only some of those that all processes are given. */
const tellUnread = Effect.fnUntraced(function* (read: ReadonlySet<string>) {
  const unread = Object.keys(process.env).filter((name) => name.startsWith("DOCGAUGE_") && !read.has(name))
  if (unread.length > 0 && (yield* processRole) === "all")
    yield* Effect.logWarning(
      `${unread.join(", ")}: set, and without effect here. Check the spelling against docs/configuration.md, which has all settings.`
    )
})

/** How long a shutdown may take beyond the grace period of audits, in milliseconds, to hand runs back. */
export const HAND_OVER_MS = 3_500

/** Exits when the shutdown takes too long. Interrupted audits are started again by another process or after the next start. */
const endInTime = Effect.map(graceSeconds, (seconds) => {
  process.once("SIGTERM", () => {
    setTimeout(() => process.exit(0), seconds * 1_000 + HAND_OVER_MS).unref()
  })
})

const served = Effect.gen(function* () {
  const read = new Set<string>()
  const provider = (yield* ConfigProvider.ConfigProvider).mapInput((path) => {
    read.add(path.join("_"))
    return path
  })
  return yield* Layer.launch(
    announced.pipe(
      Layer.provide(Layer.effectDiscard(tellUnread(read))),
      Layer.provideMerge(serviceOver(engineAuditor)),
      Layer.provide(NodeServices.layer),
      Layer.provide(layerTracing),
      Layer.provide(layerLogging)
    )
  ).pipe(Effect.provideService(ConfigProvider.ConfigProvider, provider))
})

/** Runs the service with the real engine until it is stopped. */
export const serve: Effect.Effect<never, StartFailure> = Effect.andThen(endInTime, served).pipe(
  Effect.mapError(startFailureOf)
)

/** The exit code: 0 when stopped, 2 when the service could not start, as for any wrong configuration. */
export const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  const failure = Cause.squash(exit.cause)
  process.stderr.write(`docgauge: ${failure instanceof Error ? failure.message : String(failure)}\n`)
  onExit(2)
}
