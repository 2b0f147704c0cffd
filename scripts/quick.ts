import { execFileSync, spawn } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"

/*
 * `npm run quick` checks what a change touches: types and lint of everything, and the tests of the files that differ from the last
 * commit (or from another: `npm run quick -- main`). `npm test` runs all tests.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url))

/** Tests of what is not a module: the first pattern that a changed file begins with. */
const TESTS_OF: ReadonlyArray<readonly [start: string, tests: string]> = [
  ["rubric.yaml", "test/rubric/*.test.ts"],
  ["recipes.yaml", "test/rubric/recipes/*.test.ts"],
  ["referee.yaml", "test/referee/*.test.ts"],
  ["norms.yaml", "test/rubric/**/{Norms,Documents}.test.ts"],
  ["docs/", "test/docs/*.test.ts"],
  ["README.md", "test/docs/*.test.ts"],
  ["CONTRIBUTING.md", "test/docs/*.test.ts"],
  ["deploy/", "test/deploy/*.test.ts"],
  ["", "test/Imports.test.ts"]
]

/** Files that differ from a commit, and new ones; paths are relative to the repository. */
const changedSince = (commit: string): ReadonlyArray<string> =>
  [
    ["diff", "--name-only", commit],
    ["ls-files", "--others", "--exclude-standard"]
  ].flatMap((args) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" })
      .split("\n")
      .filter((path) => path !== "")
  )

/** Modules of the repository that a module imports. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/\b(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, path = ""]) =>
    join(dirname(file), path)
  )

/** Tests that changed, that have the name of a changed file, or that import one, also by way of a module of the tests. */
const testsOf = (changed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const modules = globSync("test/**/*.ts", { cwd: ROOT }).map((file) => ({ file, imports: importsOf(file) }))
  const touched = new Set(changed)
  const helpers = modules.filter(({ file, imports }) => !isTest(file) && imports.some((path) => touched.has(path)))
  for (const { file } of helpers) touched.add(file)
  const named = new Set(changed.map((path) => `test/${path.replace(/\.ts$/, ".test.ts")}`))
  const importing = modules.filter(
    ({ file, imports }) => touched.has(file) || named.has(file) || imports.some((path) => touched.has(path))
  )
  const others = changed.flatMap((path) => TESTS_OF.find(([start]) => path.startsWith(start))?.[1] ?? [])
  const files = [...importing.map(({ file }) => file), ...others.flatMap((tests) => globSync(tests, { cwd: ROOT }))]
  return [...new Set(files)].filter(isTest).toSorted()
}

const isTest = (file: string): boolean => file.endsWith(".test.ts") && !/^test\/(?:builds|foreign)\//.test(file)

/** Whether a test is one of `npm run test:long`, see vitest.config.ts. */
const isLong = (file: string): boolean =>
  file.endsWith(".long.test.ts") || /^test\/(?:hostile|fuzz|chaos|long|browser)\//.test(file)

/** Runs a command on this terminal; whether it succeeded. */
const succeeds = (command: string, ...args: ReadonlyArray<string>): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  spawn(command, args, { cwd: ROOT, stdio: "inherit" }).on("close", (code) => resolve(code === 0))
  return promise
}

const touched = testsOf(changedSince(process.argv[2] ?? "HEAD"))
const [tests, long] = [touched.filter((file) => !isLong(file)), touched.filter(isLong)]
console.log(
  tests.length === 0
    ? "No short test belongs to what has changed."
    : `Tests of what has changed: ${tests.length} files.`
)
if (long.length > 0) console.log(`Not run here: npm run test:long -- ${long.join(" ")}`)
const outcomes = await Promise.all([
  succeeds("npm", "run", "--silent", "check"),
  succeeds("npm", "run", "--silent", "lint")
])
if (tests.length > 0 && outcomes.every(Boolean)) {
  outcomes.push(await succeeds("npx", "vitest", "run", "--reporter=dot", ...tests))
}
process.exitCode = outcomes.every(Boolean) ? 0 : 1
