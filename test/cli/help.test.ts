import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { SUBCOMMANDS, subcommandNames } from "../../cli/Commands.ts"
import { docgauge } from "../../cli/commands/audit.ts"
import { helpText } from "../../cli/HelpText.ts"
import { colours, plain } from "../../cli/render/Style.ts"
import { runCli } from "./RunCli.ts"
import { runHere } from "./RunHere.ts"

const program = Command.withSubcommands(
  docgauge,
  await Promise.all(subcommandNames.map((name) => SUBCOMMANDS[name].load()))
)

/** Each command of docgauge, as the words that name it. */
const pathsOf = (
  command: Command.Command.Any,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...command.subcommands.flatMap(({ commands }) => commands).flatMap((child) => pathsOf(child, [...path, child.name]))
]

/** What Effect knows of a command when `--help` is asked of it. */
const docOf = async (path: ReadonlyArray<string>): Promise<HelpDoc.HelpDoc> => {
  const docs: Array<HelpDoc.HelpDoc> = []
  const present = (event: CliOutput.Presenter.Event) =>
    Effect.sync(() => {
      if (event._tag === "Help") docs.push(event.helpDoc)
    })
  await Effect.runPromise(
    Command.runWith(program, { version: "0.0.0" })([...path, "--help"]).pipe(
      Effect.provideService(CliOutput.Presenter, { present }),
      Effect.provide(NodeServices.layer),
      Effect.ignore
    )
  )
  const [doc] = docs
  if (doc === undefined) throw new Error(`no help of docgauge ${path.join(" ")}`)
  return doc
}

const helps = await Promise.all(
  pathsOf(program).map(async (path) => [["docgauge", ...path].join(" "), await docOf(path)] as const)
)

/** The names of flags under each heading. */
const flagsByHeading = (text: string): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    text
      .split("\n\n")
      .map(
        (section) =>
          [
            section.split("\n")[0] ?? "",
            [...section.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name = ""]) => name)
          ] as const
      )
      .filter(([, names]) => names.length > 0)
  )

const headingsOf = (text: string): ReadonlyArray<string> =>
  text.split("\n\n").map((section) => section.split("\n")[0] ?? "")

const GROUPS: Readonly<Record<string, ReadonlyArray<string>>> = {
  docgauge: ["AUDIT", "OUTPUT", "GATES", "NETWORK", "PREVIEWS"],
  "docgauge audit": ["AUDIT", "OUTPUT", "GATES", "NETWORK", "PREVIEWS"],
  "docgauge drift": ["SOURCE", "OUTPUT", "GATES", "NETWORK", "PREVIEWS"],
  "docgauge logs": ["SOURCE", "OUTPUT"],
  "docgauge fix": ["SOURCE", "FILES", "OUTPUT", "NETWORK"],
  "docgauge serve": ["SERVICE", "STORAGE", "AUDITS", "LIMITS", "NETWORK", "TOKENS"]
}

describe.each(helps)("the help of %s", (name, doc) => {
  it("has each flag once, under a heading", () => {
    const { "GLOBAL FLAGS": global, ...own } = flagsByHeading(helpText(doc, 80, plain))
    expect(Object.values(own).flat().sort()).toEqual(doc.flags.map((flag) => flag.name).sort())
    expect(global).toEqual((doc.globalFlags ?? []).map((flag) => flag.name))
    expect(Object.keys(own)).toEqual(GROUPS[name] ?? (doc.flags.length === 0 ? [] : ["FLAGS"]))
  })

  it("fits the terminal, and 100 columns in a wider one", () => {
    const examples = new Set((doc.examples ?? []).map(({ command }) => `  ${command}`))
    for (const columns of [80, 90, 100, 250]) {
      const lines = helpText(doc, columns, plain).split("\n")
      expect(lines.filter((line) => line.length > (examples.has(line) ? 100 : Math.min(columns, 100)))).toEqual([])
      expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
    }
  })

  it("describes each flag in at most five lines", () => {
    const long = helpText(doc, 80, plain)
      .split(/\n(?= {0,2}\S)/)
      .filter((entry) => entry.startsWith("  --") && entry.trimEnd().split("\n").length > 5)
    expect(long).toEqual([])
  })

  it("has the same text in colour", () => {
    expect(helpText(doc, 80, colours).replaceAll(/\u001b\[\d+m/g, "")).toBe(helpText(doc, 80, plain))
  })
})

describe("a long list of flags", () => {
  const flag = (name: string, description: string, type = "text"): HelpDoc.FlagDoc => ({
    name,
    aliases: [],
    type,
    description: Option.some(description),
    required: false
  })
  const helpOf = (...flags: ReadonlyArray<HelpDoc.FlagDoc>): string => {
    const [, doc] = helps.find(([name]) => name === "docgauge rubric schema") ?? []
    if (doc === undefined) throw new Error("no such command")
    return helpText({ ...doc, flags, globalFlags: [] }, 60, plain)
  }

  it("keeps a flag of an example on one line with its value", () => {
    expect(helpOf(flag("sample", "Number of pages that are to be read of it. --sample 40"))).toContain(
      "  --sample text  Number of pages that are to be read of it.\n                 --sample 40\n"
    )
  })

  it("describes a flag with a long name on the next line", () => {
    expect(
      helpOf(flag("resolve", "Connect to ADDRESS", "HOST:PORT:ADDRESS[:PORT]"), flag("all", "All", "boolean"))
    ).toContain("  --resolve HOST:PORT:ADDRESS[:PORT]\n         Connect to ADDRESS\n  --all  All\n")
  })

  it("lists choices only if the description does not name them all", () => {
    const text = helpOf(
      flag("one", "As text or json (choices: text, json)"),
      flag("other", "As text (choices: text, json)")
    )
    expect(text).toContain("As text or json\n")
    expect(text).toContain("As text (choices: text, json)\n")
  })
})

describe("docgauge --help", () => {
  it("is on stdout, with a line for each subcommand before the flags", async () => {
    const { code, stderr, stdout } = await runCli(["--help"])
    expect([code, stderr]).toEqual([0, ""])
    const [, , , subcommands = ""] = stdout.split("\n\n")
    expect(headingsOf(stdout)).toEqual([
      "DESCRIPTION",
      "USAGE",
      "ARGUMENTS",
      "SUBCOMMANDS",
      ...(GROUPS["docgauge"] ?? []),
      "GLOBAL FLAGS",
      "EXAMPLES"
    ])
    expect(
      subcommands
        .split("\n")
        .slice(1)
        .map((line) => /^ {2}([a-z]+) {2,}\S/.exec(line)?.[1])
    ).toEqual(subcommandNames)
  })
})

describe("docgauge without arguments", () => {
  it("says in ten lines on stderr what it is, what to type and where the help is, and ends with 2", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-help-"))
    const { code, stderr, stdout } = await runHere([], { cwd: folder })
    rmSync(folder, { recursive: true })
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(10)
    expect(stderr.match(/^ {2}docgauge .*example\.com {2,}\S/gm)).toHaveLength(3)
    expect(stderr).toContain("docgauge --help")
    expect(stderr).toMatch(
      /\ndocgauge: no URL given\. Pass the documentation's URL, such as https:\/\/docs\.example\.com\n$/
    )
  })
})
