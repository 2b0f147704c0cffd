import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import process from "node:process"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { runCli } from "../cli/RunCli.ts"

const OWN_RUBRIC = readFileSync(new URL("../../rubric.yaml", import.meta.url), "utf8")

const ROOT = resolve(import.meta.dirname, "..", "..")
const tree = join(mkdtempSync(join(tmpdir(), "docgauge-tree-")), "docgauge")
afterAll(() => rmSync(resolve(tree, ".."), { recursive: true, force: true }))

/** A copy of the tree, as an author has it. */
const copyTree = (): void => {
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree)
  const parts = readdirSync(ROOT).filter((name) => !["node_modules", "dist", ".git", "data", "coverage"].includes(name))
  for (const part of parts) cpSync(join(ROOT, part), join(tree, part), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"))
}

const author = (...args: ReadonlyArray<string>) => runCli(["criterion", "new", ...args], { cwd: tree, cli: join(tree, "cli", "main.ts") })

/** Runs one of the tree's tools there; what it printed, and how it ended. */
const tool = (name: string, ...args: ReadonlyArray<string>): Promise<{ readonly code: number; readonly printed: string }> =>
  new Promise((done) => {
    const [command, ...first] = name === "vitest" ? [process.execPath, join(tree, "node_modules", "vitest", "vitest.mjs")] : [join(tree, "node_modules", ".bin", name)]
    execFile(command ?? "", [...first, ...args], { cwd: tree, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, printed: stdout + stderr })
    })
  })

/** What a run of vitest there made of its tests. */
interface Outcomes {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly title: string }>
  }>
}

const files = (): ReadonlyMap<string, string> => {
  const paths = ["plugins", join("test", "plugins"), join("test", "rubric")].flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(tree, join(entry.parentPath, entry.name))))
  return new Map([...paths, "rubric.yaml"].map((path) => [path, readFileSync(join(tree, path), "utf8")]))
}

/** Tests that a new plugin and another rubric could break. */
const HELD = [
  "test/plugins/index.test.ts", "test/rubric/rubric.test.ts", "test/rubric/Released.test.ts", "test/rubric/Documents.test.ts",
  "test/Imports.test.ts", "test/golden/Golden.test.ts"
]

describe("docgauge criterion new", () => {
  beforeEach(copyTree)

  it("writes a criterion that compiles, and whose test fails as promised and nowhere else", async () => {
    const before = files()
    const { code, stderr, stdout } = await author("has-motto", "--category", "D", "--title", "There is a motto")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("D8 is experimental: it is measured and reported separately, without points.")

    const after = files()
    expect([...after.keys()].filter((path) => after.get(path) !== before.get(path)).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      "plugins/d-content/d8-has-motto.ts", "plugins/index.ts", "rubric.yaml", "test/plugins/d-content/d8-has-motto.test.ts"
    ])

    const { printed: errors } = await tool("tsc", "-p", ".")
    expect(errors.split("\n").filter((line) => /d8-has-motto|plugins\/index\.ts/.test(line))).toEqual([])
    const lint = await tool("oxlint", "--type-aware", "--quiet", "plugins/d-content/d8-has-motto.ts", "test/plugins/d-content/d8-has-motto.test.ts")
    expect(lint.code).toBe(0)

    const report = join(tree, "outcomes.json")
    await tool("vitest", "run", "--reporter=json", `--outputFile=${report}`, "test/plugins/d-content/d8-has-motto.test.ts", ...HELD)
    const outcomes: Outcomes = JSON.parse(readFileSync(report, "utf8"))
    const failed = outcomes.testResults.flatMap(({ assertionResults, name }) =>
      assertionResults.filter(({ status }) => status === "failed").map(({ title }) => ({ file: relative(tree, name), title })))
    expect(new Set(failed)).toEqual(new Set([
      { file: "test/plugins/d-content/d8-has-motto.test.ts", title: "every page meets it" },
      // Its page is written once its texts are.
      { file: "test/rubric/Documents.test.ts", title: "docs/criteria/D8.md is up to date (renew it with `npm run docs:criteria`)" }
    ]))
    const { printed } = await tool("vitest", "run", "--color=false", "test/plugins/d-content/d8-has-motto.test.ts")
    expect(printed).toMatch(/earns 0 instead of 2: .* the criterion\./)
    expect(outcomes.testResults).toHaveLength(HELD.length + 1)
  }, 600_000)

  it("gives a released rubric its next minor version, an unreleased one another criterion in its entry", async () => {
    await author("A6", "--category", "A", "--title", "Pages are numbered")
    await author("b7-second", "--category", "b", "--title", "It is 'the' \"second\": one")
    const rubric = readFileSync(join(tree, "rubric.yaml"), "utf8")
    const [, version = ""] = /^version: (\S+)/m.exec(OWN_RUBRIC) ?? []
    const [major, minor] = version.split(".")
    const isReleased = readdirSync(join(tree, "test", "rubric", "released")).some((name) => name.endsWith(`-${version}.yaml`))
    expect(rubric).toContain(`version: ${isReleased ? `${major}.${Number(minor) + 1}.0` : version}\n`)
    if (isReleased) expect(rubric).toMatch(/- \{ version: [\d.]+, date: \d{4}-\d\d-\d\d, what: "A6 on trial: Pages are numbered", criteria: \[A6, B7\] \}\n/)
    expect(rubric).toContain('title: "It is \'the\' \\"second\\": one"')
    const check = await runCli(["rubric", "check"], { cwd: tree, cli: join(tree, "cli", "main.ts") })
    // Nothing is wrong with them but what only their author can say.
    expect(check.code).toBe(2)
    const messages = [...check.stderr.matchAll(/^.*rubric\.yaml:\d+:\d+: (.*)$/gm)].map(([, message]) => message)
    expect(new Set(messages)).toEqual(new Set(["this text is still a placeholder"]))
    expect(messages).toHaveLength(2 * 4)
    const [shown, audited] = [await runCli(["rubric", "show", "A6"], { cwd: tree, cli: join(tree, "cli", "main.ts") }), readFileSync(join(tree, "rubric.yaml"), "utf8")]
    expect([shown.code, audited.match(/^ +- id: (?:A6|B7)$/gm)?.length]).toEqual([0, 2])
    expect(existsSync(join(tree, "plugins", "a-discovery", "a6-pages-numbered.ts"))).toBe(true)
  }, 120_000)

  it("changes nothing if it fails, not even what it could write", async () => {
    mkdirSync(join(tree, "test", "plugins", "a-discovery"), { recursive: true })
    writeFileSync(join(tree, "test", "plugins", "a-discovery", "a6-thing.test.ts"), "// mine\n")
    const before = files()
    for (const [id, message] of [["thing", "a6-thing.test.ts already exists"], ["A1", "A1 is taken"]] as const) {
      const { code, stderr } = await author(id, "--category", "A", "--title", "There is a thing")
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
      expect(files()).toEqual(before)
    }
  }, 120_000)

  it("works in a source tree only", async () => {
    const { code, stderr } = await runCli(["criterion", "new", "thing", "--category", "A", "--title", "X"], { cwd: tmpdir() })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("this is not docgauge's source tree") })
  })
})
