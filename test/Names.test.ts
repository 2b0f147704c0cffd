import { globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

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
  JsonObject: "a JSON object, with members that were checked to be JSON or not",
  RunUnderWay: "the schema of the contract, and its type for the client",
  AuditFailed: "why there is no report, here and for programs",
  audit: "for programs, as a promise and as an effect",
  renderReport: "as audit"
}

/** The modules of commands export the command, which has the name that a user types. */
const isCommand = (file: string): boolean => file.startsWith("cli/commands/")

/** Code is formatted, so that what a module exports begins a line. */
const EXPORT = /^export (?:abstract |async )?(class|interface|type|const|let|function\*?) (\w+)/gmu

const TYPES = new Set(["class", "interface", "type"])

interface Exported {
  readonly name: string
  readonly file: string
  /** The folder at the top and the one in it, such as `engine/limit`. */
  readonly room: string
  readonly isType: boolean
}

const exported: ReadonlyArray<Exported> = globSync("{engine,plugins,server,cli}/**/*.ts", {
  cwd: ROOT,
  exclude: ["**/*.d.ts"]
})
  .filter((file) => !isCommand(file))
  .flatMap((file) => {
    const room = dirname(file).split("/").slice(0, 2).join("/")
    const found = [...readFileSync(join(ROOT, file), "utf8").matchAll(EXPORT)]
    return found.map(([, kind = "", name = ""]) => ({ name, file, room, isType: TYPES.has(kind) }))
  })

/** Names of more than one file, with the files. */
const twice = (some: ReadonlyArray<Exported>): ReadonlyArray<string> =>
  [...Map.groupBy(some, ({ name }) => name)].flatMap(([name, all]) => {
    const files = new Set(all.map(({ file }) => file))
    const isMeant = CONVENTIONS.has(name) || Object.hasOwn(SAME_MEANING, name)
    return files.size > 1 && !isMeant ? [`${name}: ${[...files].join(", ")}`] : []
  })

describe("an exported name", () => {
  it("means one thing in its room", () => {
    expect(exported.length).toBeGreaterThan(2_000)
    expect([...Map.groupBy(exported, ({ room }) => room).values()].flatMap(twice)).toEqual([])
  })

  it("of a type means one thing in the whole product", () => {
    const types = exported.filter(({ isType }) => isType)
    expect(types.length).toBeGreaterThan(500)
    expect(twice(types)).toEqual([])
  })
})
