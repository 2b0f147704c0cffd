import { Command } from "effect/cli"
import { check } from "./rubric/check.ts"
import { diff } from "./rubric/diff.ts"
import { resolve } from "./rubric/resolve.ts"
import { schema } from "./rubric/schema.ts"
import { show } from "./rubric/show.ts"
import { tryFile } from "./rubric/try.ts"

/** `docgauge rubric`: works with rubric files. */
export const rubric = Command.make("rubric").pipe(
  Command.withDescription("Work with rubric files"),
  Command.withSubcommands([check, diff, resolve, schema, show, tryFile])
)
