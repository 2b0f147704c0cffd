import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { CliError, CliOutput, Command } from "effect/cli"
import process from "node:process"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { plainText } from "../engine/audit/PlainText.ts"
import { CliFailure, ExitCode, wrongUsage } from "./CliFailure.ts"
import { misspeltCommand, usageMessage } from "./UsageError.ts"

/** Help goes to who asks for it; a mistake gets its line on stderr, and leaves stdout to reports. */
const presenter: CliOutput.Presenter = {
  present: (event) => event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event)
}

/** A bug must not look like a low score (1), nor end without a word. */
const ownFault = (defect: unknown): CliFailure => new CliFailure({
  code: ExitCode.ownFault,
  message: `docgauge itself failed: ${plainText(defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect), 300)}\nThat is a bug. Run it again with --log-level debug, and report what it says.`
})

/** Whoever reads our output may have enough of it (`| head`); that is no error. */
const outliveReader = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EPIPE") throw error
}

/** Runs a command as the program; errors are one or two lines on stderr, and the exit code. */
export const runProgram = <Name extends string, Input, ContextInput>(
  command: Command.Command<Name, Input, ContextInput, CliFailure, NodeServices.NodeServices>,
  args: ReadonlyArray<string>,
  teardown: Runtime.Teardown = Runtime.defaultTeardown
): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", outliveReader)
  const misspelt = misspeltCommand(args, command)
  const parsed = misspelt === null ? Command.runWith(command, { version: ENGINE_VERSION })(args) : Effect.fail(wrongUsage(misspelt))
  parsed.pipe(
    Effect.catch((error): Effect.Effect<void, CliFailure> => {
      if (!CliError.isCliError(error)) return Effect.fail(error)
      return error._tag === "ShowHelp" && error.errors.length === 0 ? Effect.void : Effect.fail(wrongUsage(usageMessage(error)))
    }),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.catchDefect((defect) => Effect.andThen(Effect.logDebug(defect), Effect.fail(ownFault(defect)))),
    Effect.tapError((error) => Console.error(`docgauge: ${error.message}`)),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown })
  )
}
