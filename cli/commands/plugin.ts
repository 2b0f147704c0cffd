import { Command } from "effect/cli"
import { make } from "./plugin/new.ts"

/** `docgauge plugin`: packages with plugins of one's own. */
export const plugin = Command.make("plugin").pipe(
  Command.withDescription("Write rules of your own as a package"),
  Command.withSubcommands([make])
)
