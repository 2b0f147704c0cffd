import { Command } from "effect/cli"
import { Parsing } from "../engine/site/Parsing.ts"
import { auditWith } from "./commands/audit.ts"
import { compare } from "./commands/compare.ts"
import { criterion } from "./commands/criterion.ts"
import { mcp } from "./commands/mcp.ts"
import { rescore } from "./commands/rescore.ts"
import { rubric } from "./commands/rubric.ts"
import { serve } from "./commands/serve.ts"
import { runProgram } from "./Program.ts"

const docgauge = auditWith(Parsing.layer).pipe(Command.withSubcommands([compare, rubric, criterion, rescore, serve, mcp]))

/** The whole program. */
export const run = (args: ReadonlyArray<string>): void => runProgram(docgauge, args)
