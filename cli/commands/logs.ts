import * as Effect from "effect/Effect"
import { Command } from "effect/cli"
import { FlagGroups } from "../io/Flags.ts"
import { type LogsFlags, logsFlagGroups, logsFlags } from "../logs/LogsFlags.ts"

/** `docgauge logs`: tells from access logs which agents come, what they read and what they ask for in vain. */
export const logs = Command.make(
  "logs",
  logsFlags,
  Effect.fn("logs")(function* (flags: LogsFlags) {
    const { logsAndPrint } = yield* Effect.promise(() => import("../logs/LogsAndPrint.ts"))
    yield* logsAndPrint(flags)
  })
).pipe(
  Command.annotate(FlagGroups, logsFlagGroups),
  Command.withShortDescription("See in access logs which agents come, and what they ask for in vain"),
  Command.withDescription(
    "Read access logs on this machine, and tell which AI agents come, what they read, and what they ask for in vain"
  ),
  Command.withExamples([
    { command: "docgauge logs access.log access.log.*.gz", description: "Read the current log and the rotated ones" },
    { command: "docgauge logs - < access.log", description: "Read standard input" },
    {
      command: "docgauge logs access.log --with report.json",
      description: "Which findings of an audit do agents really meet?"
    }
  ])
)
