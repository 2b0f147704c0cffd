import { Command } from "effect/cli"
import { mcp } from "./commands/mcp.ts"
import { runProgram } from "./Program.ts"

const docgauge = Command.make("docgauge").pipe(Command.withSubcommands([mcp]))

/** The program where `mcp` is asked for: without what the other commands load, which its clients would have to wait for. */
export const run = (args: ReadonlyArray<string>): void => runProgram(docgauge, args)
