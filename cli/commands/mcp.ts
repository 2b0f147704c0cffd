import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import { Command, Flag } from "effect/cli"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import type { ResolveRule } from "../../engine/evidence/ResolveRule.ts"
import { type CliFailure, wrongUsage } from "../CliFailure.ts"

/*
 * Clients wait for `initialize`, so nothing that audits is loaded before the server answers it.
 */

const off = (name: string, description: string) => Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const mcpFlags = {
  rubric: Flag.String("rubric").pipe(Flag.withMetavar("FILE"), Flag.withDescription("Judge by another rubric. --rubric ./rubric.yaml"), Flag.optional),
  resolve: Flag.String("resolve").pipe(
    Flag.withMetavar("HOST:PORT:ADDRESS[:PORT]"),
    Flag.withDescription("Lead a host to an address, as curl does; * is any name; may be repeated. --resolve '*:443:127.0.0.1:8443'"),
    Flag.atLeast(0)
  ),
  allowPrivate: off("allow-private", "Audit addresses that are not public, such as localhost"),
  allowHttp: off("allow-http", "Audit http:// addresses")
} as const

type McpFlags = Command.Command.Config.Infer<typeof mcpFlags>

export const mcp = Command.make("mcp", mcpFlags, Effect.fn("mcp")(function*(flags: McpFlags) {
  const { allowHttp, allowPrivate } = flags
  const resolve = yield* resolveRules(flags.resolve)
  const files = yield* FileSystem.FileSystem
  const loading = Effect.gen(function*() {
    const { readRubric } = yield* Effect.promise(() => import("../Rubrics.ts"))
    return yield* readRubric(flags.rubric)
  }).pipe(Effect.provideService(FileSystem.FileSystem, files))
  const loaded = yield* Effect.cached(loading)
  const auditor = yield* Effect.cached(Effect.gen(function*() {
    const [{ localAuditor }, { locateRubric, OWN_RUBRIC }, { userAgents }] = yield* Effect.promise(() => Promise.all([
      import("../../server/mcp/LocalAuditor.ts"),
      import("../../server/RubricLoading.ts"),
      import("../../engine/evidence/UserAgents.ts")
    ]))
    const { digest } = yield* loaded
    const location = Option.isNone(flags.rubric) ? OWN_RUBRIC : yield* locateRubric(flags.rubric.value, false)
    return yield* localAuditor({
      rubric: { ...location, digest },
      resolve,
      allowHttp,
      allowPrivate,
      userAgents: userAgents(ENGINE_VERSION, null)
    })
  }).pipe(Effect.provideService(FileSystem.FileSystem, files)))
  const scope = yield* Effect.scope
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) yield* Console.error("docgauge speaks MCP on standard input and output: start it from an MCP client. Ctrl-D ends it.")
  const { serveStdio } = yield* Effect.promise(() => import("../../server/mcp/StdioServer.ts"))
  const serving = serveStdio({
    rules: { allowHttp, allowPrivate, allowPorts: true, resolve },
    auditor: Effect.provideService(Effect.orDie(auditor), Scope.Scope, scope),
    rubric: Effect.map(Effect.orDie(loaded), ({ rubric }) => rubric)
  })
  // A rubric that is wrong ends the server, whether it is asked for or not; the client is answered first.
  yield* Effect.raceFirst(serving, Effect.sleep("1 second").pipe(Effect.andThen(loaded), Effect.andThen(Effect.never)))
}, Effect.scoped, Effect.provideService(References.LogToStderr, true))).pipe(
  Command.withDescription("Serve the audit as tools for AI agents: an MCP server over standard input and output"),
  Command.withExamples([
    { command: "docgauge mcp", description: "Audit public sites from this machine" },
    { command: "docgauge mcp --allow-http --allow-private", description: "Also audit a preview on localhost" }
  ])
)

const resolveRules = Effect.fnUntraced(function*(texts: ReadonlyArray<string>): Effect.fn.Return<ReadonlyArray<ResolveRule>, CliFailure> {
  if (texts.length === 0) return []
  const { parseResolveRule } = yield* Effect.promise(() => import("../../engine/evidence/ResolveRule.ts"))
  return yield* Effect.forEach(texts, (text) => {
    const rule = parseResolveRule(text)
    return Result.isSuccess(rule)
      ? Effect.succeed(rule.success)
      : Effect.fail(wrongUsage(`--resolve ${text}: ${rule.failure}. It takes HOST:PORT:ADDRESS[:PORT], as in '*:443:127.0.0.1:8443'.`))
  })
})
