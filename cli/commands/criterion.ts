import { Command } from "effect/cli"
import { list } from "./criterion/list.ts"
import { make } from "./criterion/new.ts"

/** `docgauge criterion`: lists and creates criteria. */
export const criterion = Command.make("criterion").pipe(
  Command.withDescription("List criteria, or create a new one"),
  Command.withSubcommands([list, make])
)
