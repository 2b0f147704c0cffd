import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import { Command } from "effect/cli"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { environmentProxies, resolveRules, uncheckedNotice } from "../io/Connections.ts"
import { allowHttp, allowPlugins, allowPrivate, resolve, rubric } from "../io/Flags.ts"

/*
 * Clients wait for `initialize`, so nothing that audits is loaded before the server answers it.
 */

const mcpFlags = { rubric, allowPlugins, resolve, allowPrivate, allowHttp } as const

type McpFlags = Command.Command.Config.Infer<typeof mcpFlags>

export const mcp = Command.make(
  "mcp",
  mcpFlags,
  Effect.fn("mcp")(
    function* (flags: McpFlags) {
      const { allowHttp, allowPrivate } = flags
      const resolve = yield* resolveRules(flags.resolve)
      const proxies = yield* environmentProxies()
      const files = yield* FileSystem.FileSystem
      const loading = Effect.gen(function* () {
        const { readRubric } = yield* Effect.promise(() => import("../io/Rubrics.ts"))
        return yield* readRubric(flags.rubric, flags.allowPlugins)
      }).pipe(Effect.provideService(FileSystem.FileSystem, files))
      const loaded = yield* Effect.cached(loading)
      const auditor = yield* Effect.cached(
        Effect.gen(function* () {
          const [{ localAuditor }, { locateRubric }, { OWN_RUBRIC }, { userAgents }] = yield* Effect.promise(() =>
            Promise.all([
              import("../../server/mcp/audits/LocalAuditor.ts"),
              import("../../engine/external/RubricLoading.ts"),
              import("../../engine/rubric/RubricFile.ts"),
              import("../../engine/evidence/UserAgents.ts")
            ])
          )
          const { digest } = yield* loaded
          const location = Option.isNone(flags.rubric)
            ? OWN_RUBRIC
            : yield* locateRubric(flags.rubric.value, flags.allowPlugins)
          return yield* localAuditor({
            rubric: { ...location, digest },
            resolve,
            allowHttp,
            allowPrivate,
            proxies,
            userAgents: userAgents(ENGINE_VERSION, null)
          })
        }).pipe(Effect.provideService(FileSystem.FileSystem, files))
      )
      const scope = yield* Effect.scope
      const { stdinIsTerminal } = yield* Stdio.Stdio
      if (yield* stdinIsTerminal)
        yield* Console.error(
          "docgauge mcp communicates over standard input and output; start it from an MCP client. Press Ctrl-D to stop."
        )
      const proxy = proxies.https ?? proxies.http
      if (proxy !== null && !allowPrivate) yield* Console.error(`docgauge: ${uncheckedNotice(proxy)}`)
      const { serveStdio } = yield* Effect.promise(() => import("../../server/mcp/transport/StdioServer.ts"))
      const serving = serveStdio({
        rules: { allowHttp, allowPrivate, allowPorts: true, resolve },
        auditor: Effect.provideService(Effect.orDie(auditor), Scope.Scope, scope),
        rubric: Effect.map(Effect.orDie(loaded), ({ rubric }) => rubric)
      })
      // An invalid rubric ends the server even if no call needs it; the client gets its response first.
      yield* Effect.raceFirst(
        serving,
        Effect.sleep("1 second").pipe(Effect.andThen(loaded), Effect.andThen(Effect.never))
      )
    },
    Effect.scoped,
    Effect.provideService(References.LogToStderr, true)
  )
).pipe(
  Command.withShortDescription("Run an MCP server, so that AI agents can audit sites"),
  Command.withDescription("Run an MCP server over standard input and output, so that AI agents can audit sites"),
  Command.withExamples([
    { command: "docgauge mcp", description: "Audit public sites from this machine" },
    { command: "docgauge mcp --allow-http --allow-private", description: "Also audit a preview on localhost" },
    {
      command: "docgauge mcp --rubric house.yaml --allow-plugins",
      description: "Audit by a rubric with plugins of your own"
    }
  ])
)
