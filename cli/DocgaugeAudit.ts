import type { Worker } from "node:worker_threads"
import { Parsing } from "../engine/site/Parsing.ts"
import { auditWith } from "./commands/audit.ts"
import { runProgram } from "./Program.ts"

/** The audit of an address, and none of the commands that are not asked for: what they need is not loaded. */
export const run = (args: ReadonlyArray<string>, pageReader: Worker): void => runProgram(auditWith(Parsing.layerWith(pageReader)), args)
