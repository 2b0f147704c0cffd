import { Command } from "effect/cli"
import { list } from "./criterion/list.ts"
import { make } from "./criterion/new.ts"

/** `docgauge criterion`: the criteria that there are, and new ones. */
export const criterion = Command.make("criterion").pipe(
  Command.withDescription("Work with criteria: list them, begin a new one"),
  Command.withSubcommands([list, make])
)
