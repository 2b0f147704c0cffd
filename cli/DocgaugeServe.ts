import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import { Command } from "effect/cli"
import { serve } from "./commands/serve.ts"
import { runProgram } from "./Program.ts"

const docgauge = Command.make("docgauge").pipe(Command.withSubcommands([serve]))

/** To be told to end is how a service ends. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

/** The program where `serve` is asked for. */
export const run = (args: ReadonlyArray<string>): void => runProgram(docgauge, args, teardown)
