import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { describe, expect, it } from "vitest"
import { auditFlagGroups, DEFAULTS } from "../../cli/audit/AuditFlags.ts"
import { REPORT_FORMATS } from "../../cli/audit/ReportFormats.ts"
import { loadSubcommands } from "../../cli/Commands.ts"
import { docgauge as root } from "../../cli/commands/audit.ts"
import { HOSTS } from "../../engine/fix/hosts/HostRules.ts"

/*
 * Each flag of each command and each environment variable is defined on one page of docs/: in a table's column "flag" or "variable". All
 * else is a mention. A section is about the commands that its heading or a column "command" names, or about all that lack one; a line that
 * begins with "As for an audit" names flags that these commands share with `docgauge URL`. The flags of `docgauge serve` are those of the
 * settings.
 */

const ROOT = join(import.meta.dirname, "../..")

interface Row {
  readonly page: string
  readonly section: string
  /** The cells by the heads of their columns. */
  readonly cells: Readonly<Record<string, string>>
}

const SETTINGS_PAGE = "docs/configuration.md"

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

const pages = globSync("docs/**/*.md", { cwd: ROOT }).map((page) => ({
  page,
  text: readFileSync(join(ROOT, page), "utf8")
}))

const sections = pages.flatMap(({ page, text }) =>
  text.split(/^(?=## )/mu).map((part) => ({ page, part, section: /^## (.*)$/mu.exec(part)?.[1] ?? "" }))
)

const rows: ReadonlyArray<Row> = sections.flatMap(({ page, part, section }) =>
  [...part.matchAll(/^(\|.*\|)\n\|[-|: ]+\|\n((?:\|.*\|\n)+)/gmu)].flatMap(([, head = "", body = ""]) => {
    const names = cellsOf(head)
    return body
      .trimEnd()
      .split("\n")
      .map((line) => ({
        page,
        section,
        cells: Object.fromEntries(cellsOf(line).map((cell, index) => [names[index] ?? "", cell]))
      }))
  })
)

const spansOf = (text: string): ReadonlyArray<string> => [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)

/** The command that a code span names, without its arguments: `rubric show` for `docgauge rubric show [ID]`; `null` if it names none. */
const commandIn = (span: string): string | null =>
  span.startsWith("docgauge") ? [...span.matchAll(/(?<= )[a-z]+(?= |$)/g)].map(([word]) => word).join(" ") : null

const commandsIn = (text: string): ReadonlyArray<string> => spansOf(text).flatMap((span) => commandIn(span) ?? [])

/** A flag with its command, such as `rubric check --format`. */
const flagsIn = ({ cells, page, section }: Row): ReadonlyArray<string> =>
  spansOf(cells["flag"] ?? "").map((span) => {
    const [, named = "", flag = ""] = /^([a-z ]*)(--?[a-z-]+)/.exec(span) ?? []
    const command =
      named.trim() !== "" ? named.trim() : page === SETTINGS_PAGE ? "serve" : (commandsIn(section)[0] ?? "every")
    return `${command} ${flag}`.trim()
  })

/** Flags that a section shares with an audit, for each of its commands. */
const shared = sections.flatMap(({ page, part, section }) => {
  const flags = [...part.matchAll(/^As for an audit.*$/gmu)].flatMap(([line]) => spansOf(line))
  const ofRows = rows
    .filter((row) => row.page === page && row.section === section)
    .flatMap(({ cells }) => commandsIn(cells["command"] ?? ""))
  return [...commandsIn(section), ...ofRows].flatMap((command) => flags.map((flag) => `${command} ${flag}`))
})

const docgauge = root.pipe(Command.withSubcommands(await loadSubcommands(["--help"])))

/** What `--help` knows of a command. */
const helpOf = async (path: string): Promise<HelpDoc.HelpDoc> => {
  const shown: Array<HelpDoc.HelpDoc> = []
  const present: CliOutput.Presenter["present"] = (event) =>
    Effect.sync(() => {
      if (event._tag === "Help") shown.push(event.helpDoc)
    })
  await Effect.runPromise(
    Command.runWith(docgauge, { version: "0" })([...path.split(" ").filter((word) => word !== ""), "--help"]).pipe(
      Effect.provideService(CliOutput.Presenter, { present }),
      Effect.provide(NodeServices.layer)
    )
  )
  const [help] = shown
  if (help === undefined) throw new Error(`no help of docgauge ${path}`)
  return help
}

/** The commands without further ones below them. */
const leaves = ({
  commands,
  path
}: {
  readonly commands: ReadonlyArray<Command.Command.Any>
  readonly path: string
}): ReadonlyArray<string> =>
  commands.flatMap((command) => {
    const own = `${path} ${command.name}`.trim()
    const below = command.subcommands.flatMap((group) => [...group.commands])
    return below.length === 0 ? [own] : leaves({ commands: below, path: own })
  })

/** `audit` is the root command by a name. */
const commands = [
  "",
  ...leaves({ commands: docgauge.subcommands.flatMap((group) => [...group.commands]), path: "" }).filter(
    (path) => path !== "audit"
  )
]

const flagsOf = async (command: string): Promise<ReadonlyArray<string>> =>
  (await helpOf(command)).flags.map(({ name }) => `${command} --${name}`.trim())

describe("the flags of all commands", () => {
  const defined = rows.flatMap(flagsIn)

  it("are each defined once, on one page, or shared with an audit; and no page defines another flag", async () => {
    const flags = (await Promise.all(commands.map(flagsOf))).flat()
    const { globalFlags = [] } = await helpOf("")
    const every = globalFlags.map(({ name }) => `every --${name}`)
    expect(flags.length).toBeGreaterThan(100)
    const ofCommands = defined.filter((flag) => flag !== "-v" && flag !== "every -h")
    expect([...ofCommands, ...shared.filter((flag) => flags.includes(flag))].toSorted()).toEqual(
      [...flags, ...every].toSorted()
    )
  })

  it("of an audit are in the groups of --help", () => {
    const groups = readFileSync(join(ROOT, "docs/cli.md"), "utf8").split(/^## /mu)[1]?.split(/^### /mu).slice(1) ?? []
    const shown = groups.map((part) => ({
      group: part.slice(0, part.indexOf("\n")),
      flags: [...part.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag = ""]) => flag).toSorted()
    }))
    const dashed = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const expected = Object.entries(auditFlagGroups).map(([group, flags]) => ({
      group,
      flags: Object.keys(flags).map(dashed).toSorted()
    }))
    expect(shown.filter(({ flags }) => flags.length > 0)).toEqual(expected)
  })

  it("that a section shares with an audit are flags of an audit, and of one of its commands", async () => {
    const ofAudit = await flagsOf("")
    const flags = new Set((await Promise.all(commands.map(flagsOf))).flat())
    const names = new Set(shared.map((flag) => flag.replace(/^.* /, "")))
    expect(names.difference(new Set(ofAudit))).toEqual(new Set())
    expect([...names].filter((name) => !shared.some((flag) => flag.endsWith(` ${name}`) && flags.has(flag)))).toEqual(
      []
    )
  })

  it("are the only ones that commands in the README and in docs/ give", async () => {
    const given = [...pages.map(({ text }) => text), readFileSync(join(ROOT, "README.md"), "utf8")].flatMap((text) =>
      [...text.matchAll(/(?<=^|`|entry: )(?:npx )?docgauge(?:@[\d.]+)? ([^`\n#|]*)/gm)].map(([, line = ""]) => line)
    )
    expect(given.length).toBeGreaterThan(40)
    const every = (await helpOf("")).globalFlags?.map(({ name }) => `--${name}`) ?? []
    const wrong = await Promise.all(
      given.map(async (line) => {
        const command =
          commands
            .toSorted((one, other) => other.length - one.length)
            .find((path) => `${line} `.startsWith(path === "" ? "" : `${path} `)) ?? ""
        const known = new Set([...every, ...(await flagsOf(command))].map((flag) => flag.replace(/^.* /, "")))
        return [...line.matchAll(/(?<=^| )--[a-z-]+/g)].flatMap(([flag]) =>
          known.has(flag) ? [] : [`${flag} in docgauge ${line}`]
        )
      })
    )
    expect(wrong.flat()).toEqual([])
  })

  it("have the defaults and formats of the code", () => {
    const meaning = (flag: string): string => rows.find((row) => flagsIn(row).includes(flag))?.cells["meaning"] ?? ""
    for (const name of ["sample", "concurrency", "timeout"] as const)
      expect(meaning(`--${name}`)).toContain(`(${DEFAULTS[name]})`)
    expect(meaning("--max-drop")).toContain(`(${DEFAULTS.maxDrop})`)
    expect(
      spansOf(meaning("--format"))
        .filter((span) => /^[a-z]+$/.test(span))
        .toSorted()
    ).toEqual([...REPORT_FORMATS].toSorted())
    expect(spansOf(meaning("fix --host"))).toEqual([...HOSTS])
  })

  it("have the ranges that the command line takes", async () => {
    const run = Command.runWith(docgauge, { version: "0" })
    for (const name of ["sample", "concurrency", "timeout"]) {
      const failure = await Effect.runPromise(
        Effect.flip(run(["https://docs.example.com", `--${name}`, "0"])).pipe(Effect.provide(NodeServices.layer))
      )
      const [range = "no range"] = /\d+ to \d+/.exec(failure.message) ?? []
      expect(rows.find((row) => flagsIn(row).includes(`--${name}`))?.cells["meaning"]).toContain(range)
    }
  })

  it("are of commands that docs/cli.md has in its tables or headings, each once", () => {
    const named = sections.filter(({ page }) => page === "docs/cli.md").map(({ section }) => section)
    const inRows = rows.filter(({ page }) => page === "docs/cli.md").map(({ cells }) => cells["command"] ?? "")
    expect([...named, ...inRows].flatMap(commandsIn).toSorted()).toEqual(commands.toSorted())
  })
})

/** The variables that our code reads by name: in settings, and directly. */
const READ = [
  /"(DOCGAUGE_[A-Z_]+|AWS_[A-Z\d_]+|OTEL_[A-Z_]+|PORT|HOST|[A-Z]+_PROXY)"/gu,
  /\benv(?:ironment)?\["(\w+)"\]/gu,
  /\b(OTEL_\w+): "/gu
]

const sources = globSync("{cli,engine,plugins,server}/**/*.ts", { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), "utf8")
)

const destructured = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/const \{ ([^}]+) \} = process\.env\b/gu)].flatMap(([, names = ""]) =>
    [...names.matchAll(/[A-Z_\d]+(?= =)/gu)].map(([name]) => name)
  )

describe("the environment variables that the code reads", () => {
  const read = new Set(
    sources.flatMap((text) => [
      ...READ.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name)),
      ...destructured(text)
    ])
  )
  const defined = rows.flatMap(({ cells, page }) => spansOf(cells["variable"] ?? "").map((name) => ({ name, page })))

  it("are each defined once, in docs/configuration.md", () => {
    expect(read.size).toBeGreaterThan(55)
    const names = defined.map(({ name }) => name)
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
    expect([...read].filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(defined.map(({ page }) => page))).toEqual(new Set([SETTINGS_PAGE]))
  })

  it("are all that is defined, with those that audit processes are handed for Node and that Effect reads", () => {
    const handed = sources.flatMap((text) => /PASSED_ON =\s*\/\^\(\?:(.*)\)\$\//.exec(text)?.[1]?.split("|") ?? [])
    expect(handed).toContain("NODE_EXTRA_CA_CERTS")
    // test/server/observe/Observability.test.ts sets it.
    const others = new Set([...handed, "OTEL_EXPORTER_OTLP_HEADERS"])
    expect(defined.map(({ name }) => name).filter((name) => !read.has(name) && !others.has(name))).toEqual([])
  })
})
