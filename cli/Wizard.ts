import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { type CliError, Command, Prompt } from "effect/cli"

/**
 * `--wizard`: asks for each value of the command that the other arguments name. Succeeds with the arguments that come of it; `null`: they are
 * not to be run. Effect's own ends a cancelled wizard like one that has run; this one is interrupted.
 */
export const askArguments = (
  docgauge: Command.Command.Any,
  args: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string> | null, CliError.CliError, Command.Environment> =>
  Effect.gen(function* () {
    const words = args.filter((arg) => arg !== "--wizard")
    yield* Console.log("docgauge asks for each value, then runs the command. Ctrl-C cancels.")
    const command = yield* Command.wizard(commandAt(docgauge, words), { prefix: [docgauge.name, ...words] })
    yield* Console.log(`The command:\n  ${command.map(shellWord).join(" ")}\n`)
    const isWanted = yield* Prompt.run(
      Prompt.Toggle({ message: "Run this command?", initial: true, active: "yes", inactive: "no" })
    )
    return isWanted ? command.slice(1) : null
  }).pipe(Effect.catchTag("QuitError", () => Effect.andThen(Console.log("\nWizard cancelled."), Effect.interrupt)))

/** The subcommand that the words name, or the command itself. */
const commandAt = (command: Command.Command.Any, [word, ...rest]: ReadonlyArray<string>): Command.Command.Any => {
  const child = command.subcommands.flatMap(({ commands }) => commands).find(({ name }) => name === word)
  return child === undefined ? command : commandAt(child, rest)
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
