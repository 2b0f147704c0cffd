import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import { CliConfig, CliError, CliOutput, Command, Flag, GlobalFlag, type HelpDoc, Prompt } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import { existsSync } from "node:fs"
import process from "node:process"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { outliveOutput } from "../engine/process/LostOutput.ts"
import { nearestName } from "../engine/rubric/source/NearestName.ts"
import { plainText } from "../engine/text/PlainText.ts"
import { CONFIG_FILE } from "./audit/AuditFlags.ts"
import { loadSubcommands, startsServer, startsService, subcommandNames } from "./Commands.ts"
import { docgauge as root } from "./commands/audit.ts"
import { CliFailure, ExitCode, NO_URL, wrongUsage } from "./io/CliFailure.ts"
import { isFolder } from "./io/Files.ts"
import { isGithubLog, logText, withoutCommands } from "./io/Stdout.ts"
import { isClosedPipe, unwritable } from "./io/CommandChannel.ts"

/** Help goes to stdout. Usage errors are one line on stderr, without the help text. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag === "InvalidInvocation") return Effect.void
    return event._tag === "Help" ? printHelp(event.helpDoc) : CliOutput.defaultPresenter.present(event)
  }
}

/** What formats the help is imported when it is printed. */
const printHelp = (doc: HelpDoc.HelpDoc): Effect.Effect<void> =>
  Effect.promise(() => Promise.all([import("./HelpText.ts"), import("./render/Style.ts")])).pipe(
    Effect.flatMap(([{ helpText }, { outputStyle, terminalWidth }]) =>
      Console.log(helpText(doc, terminalWidth(), outputStyle(false)))
    )
  )

/** `--version` without its usual short form: `-v` is `--verbose`. */
const version = GlobalFlag.Action({
  flag: Flag.Boolean("version").pipe(Flag.withDescription("Show version information"), Flag.withDefault(false)),
  run: (_, { command, version }) => presenter.present({ _tag: "Version", name: command.name, version })
})

const builtIns = GlobalFlag.BuiltIns.map((flag) => (flag === GlobalFlag.Version ? version : flag))

/** A bug must not exit with 1, which means a low score, and must print a message. */
const ownFault = (defect: unknown): CliFailure =>
  new CliFailure({
    code: ExitCode.ownFault,
    message: `internal error: ${plainText(defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect), 300)}\nThis is a bug. Run it again with --log-level debug and report the output.`
  })

/** What a server writes to stderr is its log; a service writes nothing else. */
const logsOf = (args: ReadonlyArray<string>): ReadonlyArray<NodeJS.WriteStream> => {
  if (startsService(args)) return [process.stdout, process.stderr]
  return startsServer(args) ? [process.stderr] : []
}

/** Any other failure to write than that of a log, such as a full disk, ends the process: what it prints would be incomplete. */
const endUnlessClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (isClosedPipe(error)) return
  process.stderr.write(`docgauge: ${unwritable(error)}\n`)
  process.exit(ExitCode.wrongUsage)
}

/** In a GitHub log, nothing that a site wrote may be taken for a command of the workflow. */
const logConsole: Console.Console = {
  ...console,
  log: (text: unknown) => console.log(logText(String(text), "text")),
  error: (text: unknown) => console.error(withoutCommands(String(text)))
}

/** Exit code 0 for a service that was told to stop; 130 for any other interrupted command, or 143 if that was by SIGTERM. */
const teardownOf = ([word]: ReadonlyArray<string>): Runtime.Teardown => {
  let isTerminated = false
  process.once("SIGTERM", () => {
    isTerminated = true
  })
  return (exit, onExit) => {
    const isInterrupted = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
    if (isInterrupted && word === "serve") return onExit(0)
    return isInterrupted && isTerminated ? onExit(143) : Runtime.defaultTeardown(exit, onExit)
  }
}

const commandOf = async (args: ReadonlyArray<string>) => root.pipe(Command.withSubcommands(await loadSubcommands(args)))

/** What a command line asks for: it prints, and fails with what it has told on stderr in one or two lines. */
export const commandLine = async (
  args: ReadonlyArray<string>
): Promise<Effect.Effect<void, CliFailure, Command.Environment>> => {
  const docgauge = await commandOf(args)
  const misspelt = misspeltCommand(args)
  const isAskedNothing = args.length === 0 && !existsSync(CONFIG_FILE)
  return withMessages(
    misspelt !== null
      ? Effect.fail(wrongUsage(misspelt))
      : isAskedNothing
        ? Effect.andThen(Console.error(INTRODUCTION), Effect.fail(wrongUsage(NO_URL)))
        : Command.runWith(docgauge, { version: ENGINE_VERSION })(args)
  )
}

/** Runs a command line. An error is one or two lines on stderr and the exit code. */
export const runProgram = async (args: ReadonlyArray<string>): Promise<void> => {
  runToEnd(args, await commandLine(args), teardownOf(args))
}

/** `--wizard`: the arguments that the user chose, once the terminal is as before; `null`: they are not to be run. Otherwise the process ends. */
export const runWizard = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<string> | null> => {
  const docgauge = await commandOf(args)
  const misspelt = misspeltCommand(args)
  const teardown = teardownOf(args)
  let chosen: ReadonlyArray<string> | null = null
  const asked =
    misspelt !== null
      ? Effect.fail(wrongUsage(misspelt))
      : Effect.map(askArguments(docgauge, args), (words) => {
          chosen = words
        })
  return new Promise((resolve) => {
    runToEnd(args, withMessages(asked), (exit, onExit) =>
      Exit.isSuccess(exit) ? resolve(chosen) : teardown(exit, onExit)
    )
  })
}

/** Prints help, and what a failure says, in the words of the command line. */
const withMessages = (
  asked: Effect.Effect<void, CliError.CliError | CliFailure, Command.Environment>
): Effect.Effect<void, CliFailure, Command.Environment> =>
  asked.pipe(
    Effect.catch((error): Effect.Effect<void, CliFailure> => {
      if (!CliError.isCliError(error)) return Effect.fail(error)
      return error._tag === "ShowHelp" && error.errors.length === 0
        ? Effect.void
        : Effect.fail(wrongUsage(usageMessage(error)))
    }),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provideService(CliConfig.CliConfig, CliConfig.make({ builtIns })),
    Effect.catchDefect((defect) => Effect.andThen(Effect.logDebug(defect), Effect.fail(ownFault(defect)))),
    Effect.tapError((error) => Console.error(`docgauge: ${error.message}`)),
    Effect.provideService(Console.Console, isGithubLog() ? logConsole : console)
  )

/** Runs what a command line, read already, asks for; `teardown` is told how it ended. */
const runToEnd = (
  args: ReadonlyArray<string>,
  asked: Effect.Effect<void, CliFailure, Command.Environment>,
  teardown: Runtime.Teardown
): void => {
  const logs = logsOf(args)
  outliveOutput(logs)
  for (const stream of [process.stdout, process.stderr].filter((each) => !logs.includes(each)))
    stream.on("error", endUnlessClosedPipe)
  asked.pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain({ disableErrorReporting: true, teardown }))
}

/**
 * `--wizard`: asks for each value of the command that the other arguments name. Succeeds with the arguments that come of it; `null`: they are
 * not to be run. Effect's own ends a cancelled wizard like one that has run; this one is interrupted.
 */
const askArguments = (
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

/** What docgauge prints without arguments, before the error. */
const INTRODUCTION = `docgauge audits how well AI agents can find, read, call and act on API docs.

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
const misspeltCommand = (args: ReadonlyArray<string>): string | null => {
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
