import type { CliError } from "effect/cli"
import { plainText } from "../engine/text/PlainText.ts"
import { nearestName } from "../engine/rubric/source/NearestName.ts"
import { subcommandNames } from "./Commands.ts"
import { isFolder } from "./io/FileKind.ts"

/** What docgauge prints without arguments, before the error. */
export const INTRODUCTION = `docgauge audits how well AI agents can find, read, call and act on API docs.

  docgauge https://docs.example.com                 Audit a site
  docgauge ./build --as https://docs.example.com    Audit a static build
  docgauge fix https://docs.example.com             Write files that raise the score

docgauge --help lists all commands and flags.
`

/** The error in the command line, as one line. */
export const usageMessage = (error: CliError.CliError): string => {
  const {
    commandPath,
    errors: [first]
  } = error._tag === "ShowHelp" ? error : { commandPath: ["docgauge"], errors: [error] }
  return `${first === undefined ? "no URL or command given." : clause(first)} See ${commandPath.join(" ")} --help.`
}

const clause = (error: CliError.NonShowHelpErrors): string => {
  if (error._tag === "UnrecognizedOption")
    return `unknown flag ${plainText(error.option, 60)}.${hint(error.suggestions)}`
  if (error._tag === "UnknownSubcommand")
    return `unknown command ${plainText(error.subcommand, 60)}.${hint(error.suggestions)}`
  if (error._tag === "UnexpectedArgument") return `unexpected argument: ${plainText(error.arguments.join(" "), 100)}.`
  if (error._tag === "InvalidValue") return invalidValue(error)
  const text = plainText(error.message, 300)
  return text.endsWith(".") ? text : `${text}.`
}

/** Effect lists choices as `"text" | "json"`, and describes numbers by their schema. */
const invalidValue = ({ expected, kind, option, value }: CliError.InvalidValue): string => {
  const choices = [...expected.matchAll(/"([^"]*)"/gu)].map(([, choice = ""]) => choice)
  const wanted = /number|integer/i.test(expected)
    ? "a number"
    : choices.length > 1
      ? `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`
      : plainText(expected, 200)
  const given = value === "" ? "but has no value" : `not "${plainText(value, 60)}"`
  return `${kind === "flag" ? `--${option}` : option} takes ${wanted}, ${given}.`
}

const hint = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

/**
 * A hint if the first word is almost a command's name, before it is read as a URL; `null` otherwise. A folder may have such a name:
 * `public` is the build of several generators.
 */
export const misspeltCommand = (args: ReadonlyArray<string>): string | null => {
  const [word = ""] = args
  const names: ReadonlyArray<string> = subcommandNames
  if (
    !/^[a-z][a-z-]*$/i.test(word) ||
    names.includes(word) ||
    args.some((arg) => /^--as(?:=|$)/.test(arg)) ||
    isFolder(word)
  )
    return null
  const near = nearestName(word, names)
  return near === null ? null : `unknown command ${word}. Did you mean docgauge ${near}?`
}
