import { audit } from "./commands/audit.ts"
import { runProgram } from "./Program.ts"

/** The audit of an address, and none of the commands that are not asked for: what they need is not loaded. */
export const run = (args: ReadonlyArray<string>): void => runProgram(audit, args)
