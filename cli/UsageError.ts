import type { CliError, Command } from "effect/cli"
import { plainText } from "../engine/audit/PlainText.ts"
import { nearestName } from "../engine/rubric/NearestName.ts"

/** What the parser of the command line found wrong, in one line. */
export const usageMessage = (error: CliError.CliError): string => {
  const [first] = error._tag === "ShowHelp" ? error.errors : [error]
  return `${first === undefined ? "nothing to do." : clause(first)} See docgauge --help.`
}

const clause = (error: CliError.NonShowHelpErrors): string => {
  if (error._tag === "UnrecognizedOption") return `there is no flag ${plainText(error.option, 60)}.${hint(error.suggestions)}`
  if (error._tag === "UnknownSubcommand") return `there is no command ${plainText(error.subcommand, 60)}.${hint(error.suggestions)}`
  if (error._tag === "UnexpectedArgument") return `there is an argument too many: ${plainText(error.arguments.join(" "), 100)}.`
  const text = plainText(error.message, 300)
  return text.endsWith(".") ? text : `${text}.`
}

const hint = (suggestions: ReadonlyArray<string>): string => suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

/** A first word that is nearly a command's name: a hint, before it is taken for an address. `null` where it is not. */
export const misspeltCommand = (args: ReadonlyArray<string>, { subcommands }: Pick<Command.Command.Any, "subcommands">): string | null => {
  const [word = ""] = args
  const names = subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
  const near = /^[a-z-]+$/i.test(word) && !names.includes(word) ? nearestName(word, names) : null
  return near === null ? null : `there is no command ${word}. Did you mean docgauge ${near}?`
}
