import type { Command } from "effect/cli"

/*
 * The subcommands. A command's module is imported only when the command line names it, or for help.
 */

interface Subcommand {
  /** Runs in the main thread, without a supervisor: it handles signals itself and needs no time limit. */
  readonly isServer: boolean
  readonly load: () => Promise<Command.Command.Any>
}

/** In the order of `docgauge --help`. */
export const SUBCOMMANDS = {
  audit: { isServer: false, load: async () => (await import("./commands/audit.ts")).audit },
  fix: { isServer: false, load: async () => (await import("./commands/fix.ts")).fix },
  drift: { isServer: false, load: async () => (await import("./commands/drift.ts")).drift },
  logs: { isServer: false, load: async () => (await import("./commands/logs.ts")).logs },
  compare: { isServer: false, load: async () => (await import("./commands/compare.ts")).compare },
  referee: { isServer: false, load: async () => (await import("./commands/referee.ts")).referee },
  verify: { isServer: false, load: async () => (await import("./commands/verify.ts")).verify },
  rubric: { isServer: false, load: async () => (await import("./commands/rubric.ts")).rubric },
  criterion: { isServer: false, load: async () => (await import("./commands/criterion.ts")).criterion },
  plugin: { isServer: false, load: async () => (await import("./commands/plugin.ts")).plugin },
  rescore: { isServer: false, load: async () => (await import("./commands/rescore.ts")).rescore },
  serve: { isServer: true, load: async () => (await import("./commands/serve.ts")).serve },
  mcp: { isServer: true, load: async () => (await import("./commands/mcp.ts")).mcp }
} as const satisfies Readonly<Record<string, Subcommand>>

type SubcommandName = keyof typeof SUBCOMMANDS

const isName = (word: string): word is SubcommandName => Object.hasOwn(SUBCOMMANDS, word)

export const subcommandNames = Object.keys(SUBCOMMANDS).filter(isName)

export const startsServer = ([word = ""]: ReadonlyArray<string>): boolean => isName(word) && SUBCOMMANDS[word].isServer

/** Whether the command line starts the service, rather than print something about it. */
export const startsService = (args: ReadonlyArray<string>): boolean => args[0] === "serve" && !args.some(printsHelp)

/** The value of `--database-url`, before the command line is read: what reads it is most of the code. */
export const databaseUrlFlag = (args: ReadonlyArray<string>): string | undefined =>
  args
    .flatMap((arg, index) =>
      arg === "--database-url" ? (args[index + 1] ?? []) : (/^--database-url=(.*)$/s.exec(arg)?.[1] ?? [])
    )
    .at(-1)

/** Whether an argument asks for names and flags of commands. */
const printsHelp = (arg: string): boolean => /^(?:-h|--help|--completions|--wizard)(?:=|$)/.test(arg)

/** The subcommands that this command line may run, or all where their names and flags are printed. */
export const loadSubcommands = (args: ReadonlyArray<string>) => {
  const named = subcommandNames.filter((name) => args.includes(name))
  const listsAll = named.length === 0 && args.some(printsHelp)
  return Promise.all((listsAll ? subcommandNames : named).map((name) => SUBCOMMANDS[name].load()))
}
