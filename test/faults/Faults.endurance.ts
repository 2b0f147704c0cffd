import { execFile, execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { linkModules } from "../harness/program/LinkedModules.ts"

/** A small fault in the product. Paths are relative to the repository. */
const Fault = Schema.Struct({
  file: Schema.String,
  /** Occurs in the file exactly once. */
  text: Schema.String,
  replacement: Schema.String,
  /** Test files, one of which should fail. */
  tests: Schema.NonEmptyArray(Schema.String)
})
type Fault = typeof Fault.Type

const ROOT = join(import.meta.dirname, "../..")

const faults: ReadonlyArray<readonly [name: string, fault: Fault]> = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => [
    file.replace(/\.yaml$/, ""),
    Schema.decodeUnknownSync(Fault)(parse(readFileSync(join(import.meta.dirname, file), "utf8")))
  ])

/** The share of faults that have to be caught. */
const ENOUGH = 0.9

const run = promisify(execFile)

/** Runs test files of a tree, those of `npm test` first: `null` if all pass, else what vitest printed. */
const failureOf = async (tree: string, tests: ReadonlyArray<string>): Promise<string | null> =>
  (await failureWith(
    tree,
    "vitest.config.ts",
    tests.filter((file) => !isLong(file))
  )) ?? (await failureWith(tree, "vitest.long.config.ts", tests.filter(isLong)))

const isLong = (file: string): boolean => file.endsWith(".long.test.ts")

const failureWith = async (tree: string, config: string, tests: ReadonlyArray<string>): Promise<string | null> => {
  if (tests.length === 0) return null
  const vitest = join(tree, "node_modules/vitest/vitest.mjs")
  const { CI: _, ...env } = process.env
  try {
    await run(process.execPath, [vitest, "run", "--config", config, "--bail=1", ...tests], {
      cwd: tree,
      env,
      maxBuffer: 2 ** 26
    })
    return null
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)
  }
}

describe("small faults in the product", () => {
  let tree: string
  const caught: Array<string> = []
  const missed: Array<string> = []

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "docgauge-faults-"))
    for (const file of execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
      .split("\0")
      .filter((name) => name !== ""))
      cpSync(join(ROOT, file), join(tree, file))
    linkModules(ROOT, tree)
  })
  afterAll(() => rmSync(tree, { recursive: true }))

  it("are at least forty, with one in each top folder of engine and server", () => {
    const foldersOf = (top: string): ReadonlyArray<string> =>
      readdirSync(join(ROOT, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${top}/${name}/`)
    const without = [...foldersOf("engine"), ...foldersOf("server")].filter(
      (folder) => !faults.some(([, { file }]) => file.startsWith(folder))
    )
    expect(without).toEqual([])
    expect(faults.length).toBeGreaterThanOrEqual(40)
  })

  it("find their tests passing in the product as it is", async () => {
    expect(await failureOf(tree, [...new Set(faults.flatMap(([, { tests }]) => tests))])).toBeNull()
  })

  it.each(faults)("%s is put where its text occurs once", async (name, { file, replacement, tests, text }) => {
    const path = join(tree, file)
    const source = readFileSync(path, "utf8")
    expect(source.split(text)).toHaveLength(2)
    writeFileSync(
      path,
      source.replace(text, () => replacement)
    )
    try {
      const failure = await failureOf(tree, tests)
      const list = failure === null ? missed : caught
      list.push(name)
      console.log(`${failure === null ? "missed" : "caught"}  ${name}`)
    } finally {
      writeFileSync(path, source)
    }
  })

  it("are caught by nine tests in ten", () => {
    expect(caught.length / faults.length, `not caught: ${missed.join(", ")}`).toBeGreaterThanOrEqual(ENOUGH)
  })
})
