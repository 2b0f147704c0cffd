import { readdirSync, readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"
import { expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "..")

/** What a module of its kind is always called: callers name the module, as in `SqlRunStore.layerSql`. */
const CONVENTIONS = new Set(["layer", "layerMemory", "layerSql"])

/** Exported more than once on purpose, and why that is clear. */
const SAME_MEANING: Readonly<Record<string, string>> = {
  AuditReport: "the type for callers of the library is the report's own, held by test/cli/library",
  CriterionResult: "as AuditReport",
  CriterionStatus: "as AuditReport",
  EvidenceItem: "as AuditReport",
  Remedy: "as AuditReport",
  Finding: "as AuditReport; authors of plugins write what a report shows",
  Client: "undici's own name of a connection, and a caller of the service",
  JsonObject: "a JSON object, with members that were checked to be JSON or not",
  RunUnderWay: "the schema of the contract, and its type for the client",
  allowPlugins: "one setting, as a flag and as a variable",
  audit: "the command, and the same for programs, as a promise and as an effect",
  renderReport: "for programs, as a promise and as an effect",
  AuditFailed: "why there is no report, here and for programs",
  serve: "the command, and what it runs",
  orUnavailable: "a failing store becomes an error of ours, and that error a 503"
}

/** The modules of commands export the command, which has the name that a user types. */
const isCommand = (file: string): boolean => file.startsWith("cli/commands/")

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))

/** The names that a module declares and exports; what it passes on from another is that one's. */
const exportsOf = (file: string): ReadonlySet<string> => {
  const names = new Set<string>()
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration === null) return
      if ("declarations" in declaration)
        for (const { id } of declaration.declarations) {
          if (id.type === "Identifier") names.add(id.name)
        }
      else if ("id" in declaration && declaration.id?.type === "Identifier") names.add(declaration.id.name)
    }
  }).visit(parseSync(file, readFileSync(join(ROOT, file), "utf8")).program)
  return names
}

it("an exported name means one thing in the whole product", () => {
  const files = Map.groupBy(
    ["engine", "plugins", "server", "cli"]
      .flatMap(filesOf)
      .flatMap((file) => [...exportsOf(file)].map((name) => ({ name, file }))),
    ({ name }) => name
  )
  expect(files.size).toBeGreaterThan(2_000)
  const twice = [...files].filter(
    ([name, all]) => !CONVENTIONS.has(name) && all.filter(({ file }) => !isCommand(file)).length > 1
  )
  expect(
    twice
      .filter(([name]) => !Object.hasOwn(SAME_MEANING, name))
      .map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(", ")}`)
  ).toEqual([])
})
